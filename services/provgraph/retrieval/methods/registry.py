"""All ways of ranking by name, the default first. A new one is a module in this folder and its line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from provgraph.errors import InvalidInput
from provgraph.retrieval.methods.bm25 import BM25
from provgraph.retrieval.methods.breadth_first import BREADTH_FIRST
from provgraph.retrieval.methods.fusion import FUSION
from provgraph.retrieval.methods.graph import GRAPH
from provgraph.retrieval.methods.hybrid import HYBRID
from provgraph.retrieval.methods.method import Method
from provgraph.retrieval.methods.pagerank import PAGERANK
from provgraph.retrieval.methods.propagation import PROPAGATION
from provgraph.retrieval.methods.term_frequency import TERM_FREQUENCY
from provgraph.retrieval.methods.topic_star import TOPIC_STAR
from provgraph.retrieval.methods.vector import VECTOR

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
