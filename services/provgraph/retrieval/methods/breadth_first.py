"""`breadth-first`: the facts around the seeds, hop by hop; passages by the facts that they say."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.methods.method import Asking, Found, Method, found_seeds
from provgraph.retrieval.passages import of_chunks


def _rank(asking: Asking) -> Found:
    search = EdgeSearch(asking.question, asking.index, asking.request.limits)
    seeds = found_seeds(asking)
    search.expand(seeds)
    chunks: dict[str, float] = defaultdict(float)
    for fact in search.found.values():
        chunks[fact.payload["chunk"]] += fact.score
    return Found(of_chunks(chunks, asking.index, "facts"), search.ranked(), seeds)


BREADTH_FIRST: Final = Method(
    "breadth-first",
    "edges around the entities of the question, hop by hop; passages by the edges that they say",
    _rank,
)
