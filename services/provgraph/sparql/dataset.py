"""The dataset that a query reads: what the default graph is merged from, and what GRAPH can see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyoxigraph import NamedNode

from provgraph.errors import InvalidInput


@dataclass(frozen=True)
class Dataset:
    """`default_graphs` are merged into the default graph, `named_graphs` are what GRAPH can see.

    The graphs of a collection are disjoint, so that their merge counts no triple twice.
    """

    default_graphs: tuple[NamedNode, ...]
    named_graphs: tuple[NamedNode, ...]

    @classmethod
    def of(cls, graphs: Iterable[NamedNode]) -> Dataset:
        """Every graph in the default graph and by its name."""
        each = tuple(graphs)
        return cls(each, each)

    def narrowed(self, default_graphs: Sequence[str], named_graphs: Sequence[str]) -> Dataset:
        """The dataset that FROM and FROM NAMED, or the parameters of the protocol, choose within this one.

        With neither it is this one; with one of them the other is empty (SPARQL 1.1 Query, section 13.2).
        Raises `InvalidInput` for a graph that is not here: silence would pass for an empty graph.
        """
        if not default_graphs and not named_graphs:
            return self
        return Dataset(self._own(default_graphs), self._own(named_graphs))

    def _own(self, names: Sequence[str]) -> tuple[NamedNode, ...]:
        own = {graph.value: graph for graph in (*self.default_graphs, *self.named_graphs)}
        for name in names:
            if name not in own:
                raise InvalidInput(
                    f"<{name[:200]}> is not a graph of this dataset. "
                    f"Choose from {', '.join(f'<{graph}>' for graph in own)}, or ask another collection."
                )
        return tuple(own[name] for name in dict.fromkeys(names))
