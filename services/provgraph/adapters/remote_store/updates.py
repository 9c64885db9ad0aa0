"""What the updates of a store say, in RDF 1.2 and in RDF 1.1.

An update is one request, which is one transaction of a server that has these. That of RDF 1.1 is several steps, as
servers limit what one step may hold; the claim to the turn and the receipt of the write come with the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol, TypeVar

from pyoxigraph import NamedNode, Quad, Triple

from provgraph.adapters.remote_store.quotations import cleaning, slices
from provgraph.adapters.remote_store.rdf_1_1 import quoted_terms, written_quad, written_quads
from provgraph.adapters.remote_store.turns import Turn
from provgraph.ports.quad_store import StoreChange
from provgraph.sparql.quad_data import quad_data

T = TypeVar("T")

_IN_A_STEP: Final = 500
"""Quads. Virtuoso reads an `INSERT DATA` of 4,900."""
CONDITIONAL_AT_MOST: Final = 200
"""Quads and terms of a change that is written out in one request; a larger one is put down first (`staging`)."""


class Updates(Protocol):
    """Each text leaves the receipt, and takes those away that are settled."""

    def addition(self, quads: Sequence[Quad], receipt: Quad, settled: list[Quad]) -> str: ...

    def change(self, turn: Turn, change: StoreChange[T], receipt: Quad, settled: list[Quad]) -> str:
        """Takes place only while the claim stands, and takes it away."""
        ...

    def clearing(
        self,
        turn: Turn,
        graphs: Sequence[NamedNode],
        quoted: Sequence[Triple],
        receipt: Quad,
        settled: list[Quad],
    ) -> str:
        """`quoted` are the terms that these graphs quote."""
        ...


class UpdatesInRdf12:
    def addition(self, quads: Sequence[Quad], receipt: Quad, settled: list[Quad]) -> str:
        return f"{_forgetting(settled)} INSERT DATA {{ {quad_data([receipt, *quads])} }}"

    def change(self, turn: Turn, change: StoreChange[T], receipt: Quad, settled: list[Quad]) -> str:
        going, coming = quad_data([*settled, *change.removed]), quad_data([receipt, *change.added])
        return f"DELETE {{ {turn.condition} {going} }} INSERT {{ {coming} }} WHERE {{ {turn.condition} }}"

    def clearing(
        self,
        turn: Turn,
        graphs: Sequence[NamedNode],
        quoted: Sequence[Triple],  # noqa: ARG002
        receipt: Quad,
        settled: list[Quad],
    ) -> str:
        return f"{_forgetting(settled)} {' ; '.join(_dropping(turn, graphs, (), receipt))}"


class UpdatesInRdf11:
    def addition(self, quads: Sequence[Quad], receipt: Quad, settled: list[Quad]) -> str:
        return addition_of(written_quads(quads), receipt, settled)

    def change(self, turn: Turn, change: StoreChange[T], receipt: Quad, settled: list[Quad]) -> str:
        holds = turn.condition
        going = quad_data([written_quad(quad) for quad in change.removed])
        coming = quad_data(written_quads(change.added))
        steps = [f"DELETE {{ {going} }} WHERE {{ {holds} }}"] if going else []
        steps += [f"INSERT {{ {coming} }} WHERE {{ {holds} }}"] if coming else []
        return ending([*steps, *cleaning(quoted_terms(change.removed))], turn, receipt, settled)

    def clearing(
        self,
        turn: Turn,
        graphs: Sequence[NamedNode],
        quoted: Sequence[Triple],
        receipt: Quad,
        settled: list[Quad],
    ) -> str:
        return f"{_forgetting(settled)} {' ; '.join(_dropping(turn, graphs, quoted, receipt))}"


def addition_of(quads: Sequence[Quad], receipt: Quad, settled: list[Quad]) -> str:
    """The text for quads that are as the store is to have them."""
    steps = [f"INSERT DATA {{ {data} }}" for data in _in_steps(quads, receipt)]
    return f"{_forgetting(settled)} {' ; '.join(steps)}"


def ending(steps: Sequence[str], turn: Turn, receipt: Quad, settled: list[Quad]) -> str:
    """These steps, then one that takes the claim away where it still stands, and leaves the receipt."""
    holds = turn.condition
    last = (
        f"DELETE {{ {holds} {quad_data(settled)} }} INSERT {{ {quad_data([receipt])} }} WHERE {{ {holds} }}"
    )
    return " ; ".join([*(step for step in steps if step), last])


def _dropping(
    turn: Turn, graphs: Sequence[NamedNode], quoted: Iterable[Triple], receipt: Quad
) -> Iterator[str]:
    yield from (f"DROP SILENT GRAPH {graph}" for graph in graphs)
    yield from cleaning(quoted)
    yield f"DELETE WHERE {{ {turn.condition} }}"
    yield f"INSERT DATA {{ {quad_data([receipt])} }}"


def _in_steps(quads: Sequence[Quad], *last: Quad) -> Iterator[str]:
    return (quad_data(some) for some in slices([*quads, *last], _IN_A_STEP))


def _forgetting(settled: list[Quad]) -> str:
    return f"DELETE DATA {{ {quad_data(settled)} }} ;" if settled else ""
