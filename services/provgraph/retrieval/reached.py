"""Passages filtered by the entities that the search around the seeds reached, where a request asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from provgraph.ports.retriever import Seed
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.edges import EdgeSearch, ends_of
from provgraph.retrieval.keyword_index import any_of
from provgraph.retrieval.methods.method import Parameter
from provgraph.retrieval.passages import RankedPassage

ONLY_REACHED: Final = {
    "reached": Parameter(
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
    for found in search.found.values():
        if found.entrance.path:
            nodes.update(node for node, _ in ends_of(found.payload))
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
