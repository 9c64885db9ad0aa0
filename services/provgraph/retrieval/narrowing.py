"""Results narrowed: as if some documents and edges were not there, or to what the search around the seeds
reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from provgraph.ports.retriever import Seed, Without
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.edges import EdgeSearch, ends_of
from provgraph.retrieval.entries import fact_key
from provgraph.retrieval.keyword_index import any_of
from provgraph.retrieval.methods.method import MethodParameter, SearchResult
from provgraph.retrieval.passages import RankedPassage


def narrowed(index: CollectionIndex, without: Without) -> CollectionIndex:
    """The indexes without what is left out; every search, count and frequency in them knows nothing of it."""
    if not without:
        return index
    documents = [document.value for document in without.documents]
    return index.without(documents, [fact_key(edge) for edge in without.edges])


def kept(result: SearchResult, without: Without) -> SearchResult:
    """Nothing of what is left out, also where a method looks elsewhere than in the indexes that were narrowed."""
    if not without:
        return result
    documents, edges = {document.value for document in without.documents}, set(without.edges)
    return replace(
        result,
        passages=[passage for passage in result.passages if passage.payload["document"] not in documents],
        edges=[edge for edge in result.edges if edge.support and edge.triple not in edges],
    )


ONLY_REACHED: Final = {
    "reached": MethodParameter(
        0,
        0,
        1,
        "1 keeps only passages that say a fact about an entity reached from the question's; 0 keeps all",
    )
}


def among_reached(
    passages: Sequence[RankedPassage], seeds: Sequence[Seed], search: EdgeSearch, index: CollectionIndex
) -> list[RankedPassage]:
    """The passages from which a fact was read about a seed, or about an end of an edge that was reached from one."""
    nodes = {seed.entity.value for seed in seeds}
    for candidates in search.found.values():
        if candidates.entrance.path:
            nodes.update(node for node, _ in ends_of(candidates.payload))
    if not nodes:
        return []
    readings = index.readings
    about = readings.having_any("node", sorted(nodes))

    def tells(passage: RankedPassage) -> bool:
        return bool(readings.search(any_of([], [readings.having("chunk", passage.chunk), about]), 1))

    return [
        replace(passage, how=", ".join(filter(None, (passage.how, "reached"))))
        for passage in passages
        if tells(passage)
    ]
