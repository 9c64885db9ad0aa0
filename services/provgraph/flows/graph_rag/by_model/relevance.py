"""The candidates that a model is to judge the relevance of, as it reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from provgraph.flows.graph_rag.by_model.lines import edge_line
from provgraph.ports.retriever import CandidateEdge

MOST_CHECKED: Final = 30
"""The best candidates tell whether a retrieval went right; the others would only cost."""

_NOTHING: Final = "(nothing was found)"


def described(edges: Sequence[CandidateEdge]) -> str:
    """A line of JSON for each of the best candidates."""
    return "\n".join(edge_line(edge.labels) for edge in edges[:MOST_CHECKED]) or _NOTHING
