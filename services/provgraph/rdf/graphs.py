"""Names of the three graphs of a collection (design: `urn:graph:{kind}`, then `:{collection}`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pyoxigraph import NamedNode

from provgraph.errors import InvalidInput

DEFAULT_COLLECTION: Final = "default"
DEFAULT_EXPLAIN_COLLECTION: Final = "explainability"

_KNOWLEDGE: Final = "urn:graph:knowledge"
_SOURCE: Final = "urn:graph:source"
_RETRIEVAL: Final = "urn:graph:retrieval"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True)
class CollectionGraphs:
    """Where the facts of a collection lie, what they were read from, and how questions to it went."""

    knowledge: NamedNode
    source: NamedNode
    retrieval: NamedNode

    def __iter__(self) -> Iterator[NamedNode]:
        return iter((self.knowledge, self.source, self.retrieval))


def collection_name(name: str) -> str:
    """The name itself, when it is one; it becomes part of graph IRIs and of paths.

    Raises `InvalidInput` for anything but 1 to 64 letters, digits, `.`, `_` and `-`, the first a letter or
    a digit.
    """
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name[:80]!r} is not a collection name. "
            "Use 1 to 64 letters, digits, '.', '_' or '-', starting with a letter or a digit."
        )
    return name


def knowledge_graph(collection: str = DEFAULT_COLLECTION) -> NamedNode:
    return _graph(_KNOWLEDGE, collection, DEFAULT_COLLECTION)


def source_graph(collection: str = DEFAULT_COLLECTION) -> NamedNode:
    return _graph(_SOURCE, collection, DEFAULT_COLLECTION)


def retrieval_graph(explain_collection: str = DEFAULT_EXPLAIN_COLLECTION) -> NamedNode:
    return _graph(_RETRIEVAL, explain_collection, DEFAULT_EXPLAIN_COLLECTION)


def collection_graphs(
    collection: str = DEFAULT_COLLECTION, explain_collection: str = DEFAULT_EXPLAIN_COLLECTION
) -> CollectionGraphs:
    """The dataset of a collection; its traces lie in the retrieval graph of the explain collection."""
    return CollectionGraphs(
        knowledge_graph(collection), source_graph(collection), retrieval_graph(explain_collection)
    )


def collection_of_source_graph(graph: str) -> str | None:
    """The collection whose source graph this is, or None for any other graph."""
    return _collection_of(graph, _SOURCE)


def collection_of_graph(graph: str) -> str | None:
    """The collection whose knowledge or source graph this is, or None for what collections share."""
    return _collection_of(graph, _KNOWLEDGE) or _collection_of(graph, _SOURCE)


def kind_of_graph(graph: object) -> str | None:
    """knowledge, source or retrieval for a graph of ours, of any collection; None for any other."""
    if isinstance(graph, NamedNode):
        for kind in ("knowledge", "source", "retrieval"):
            if graph.value == f"urn:graph:{kind}" or graph.value.startswith(f"urn:graph:{kind}:"):
                return kind
    return None


def _collection_of(graph: str, kind: str) -> str | None:
    if graph == kind:
        return DEFAULT_COLLECTION
    prefix = f"{kind}:"
    return graph.removeprefix(prefix) if graph.startswith(prefix) else None


def _graph(kind: str, collection: str, default: str) -> NamedNode:
    suffix = "" if collection == default else f":{collection_name(collection)}"
    return NamedNode(kind + suffix)
