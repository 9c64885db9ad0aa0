"""Which collection lies where, and so which store has a graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from pyoxigraph import NamedNode, Quad

from provgraph.errors import InvalidInput, NotProvided
from provgraph.rdf.graphs import collection_name, collection_of_graph

MAIN: Final = 0
"""The store of every collection that is not placed, and of what no collection has."""

SETTING: Final = "PROVGRAPH_COLLECTION_STORES"
_FORM: Final = "papers=http://127.0.0.1:7879, contracts=http://127.0.0.1:7880"


def read_places(text: str, explain_collection: str) -> dict[str, str]:
    """The address of each placed collection, by its name, from a setting such as `papers=http://one, cases=http://two`.

    Raises `InvalidInput` for any other form, for what is no name of a collection, and for one that is named twice or is
    where the traces of all are kept.
    """
    places: dict[str, str] = {}
    for word in filter(None, (word.strip() for word in text.split(","))):
        name, parted, address = (part.strip() for part in word.partition("="))
        if not (name and parted and address):
            raise InvalidInput(
                f"{SETTING} has {_without_password(word)!r}, and not NAME=ADDRESS. Write it like {_FORM}."
            )
        if collection_name(name) == explain_collection:
            raise InvalidInput(
                f"{SETTING} places {name!r}, which is not a collection: traces are stored beside the collection "
                "that was asked. Leave it out."
            )
        if name in places:
            raise InvalidInput(f"{SETTING} places the collection {name!r} twice. Name it once.")
        places[name] = address
    return places


@dataclass(frozen=True)
class Placement:
    """The numbers of the stores on which collections are placed; `MAIN` has all others."""

    places: Mapping[str, int]

    def of_collection(self, name: str) -> int:
        return self.places.get(name, MAIN)

    def of_graph(self, graph: object) -> int | None:
        """The one store that has this graph; None for what each store may have: graphs that collections share."""
        name = collection_of_graph(graph.value) if isinstance(graph, NamedNode) else None
        return None if name is None else self.of_collection(name)

    def of_graphs(self, graphs: Iterable[object]) -> int | None:
        """The one store that has these graphs; None where all of them are shared.

        Raises `NotProvided` for graphs of two stores.
        """
        found = {self.of_graph(graph) for graph in set(graphs)} - {None}
        if len(found) > 1:
            raise several_stores()
        return next(iter(found), None)

    def of_quads(self, quads: Iterable[Quad]) -> int | None:
        """As `of_graphs`, for the graphs in which they stand."""
        return self.of_graphs(map(_graph, quads))


def _graph(quad: Quad) -> object:
    """Raises `TypeError` for what is no quad."""
    if not isinstance(quad, Quad):
        raise TypeError(f"expected a quad, found {quad!r}")
    return quad.graph_name


def several_stores() -> NotProvided:
    """No store can do whole what is to be done in two."""
    return NotProvided(
        f"This would read or change collections of two stores in one step, and {SETTING} has placed them apart. "
        "Do it for one collection at a time."
    )


def _without_password(word: str) -> str:
    return word.rpartition("@")[2] if "@" in word else word
