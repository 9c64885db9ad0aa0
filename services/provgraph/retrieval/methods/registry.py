"""All ways of ranking by name, the default first. A new one is a module in this folder and its line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from provgraph.errors import InvalidInput
from provgraph.retrieval.methods.method import Method
from provgraph.retrieval.methods.names import FUSION, GRAPH, TOPIC_STAR
from provgraph.retrieval.methods.vectors import HYBRID, VECTOR
from provgraph.retrieval.methods.walks import BREADTH_FIRST, PAGERANK, PROPAGATION
from provgraph.retrieval.methods.words import BM25, TERM_FREQUENCY

DEFAULT: Final = GRAPH

_ALL: Final = (
    *(GRAPH, BM25, TERM_FREQUENCY, TOPIC_STAR, BREADTH_FIRST, PAGERANK, PROPAGATION),
    *(VECTOR, HYBRID, FUSION),
)

METHODS: Final[Mapping[str, Method]] = {method.name: method for method in _ALL}


def method_named(name: str) -> Method:
    """The method, or the default where none is named. Raises `InvalidInput` with all names for one there is not."""
    if not name:
        return DEFAULT
    if name not in METHODS:
        raise InvalidInput(f"There is no retrieval method {name!r}. Use one of: {', '.join(METHODS)}.")
    return METHODS[name]
