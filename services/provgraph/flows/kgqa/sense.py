"""A fourth way from a question to pairs: by the sense of the sentences that they were read from, where sentences have
vectors. What answers is still the pair, and its edges.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from provgraph.flows.kgqa.graph import PairGraph
from provgraph.flows.runner.run import Run
from provgraph.language.concepts import concepts
from provgraph.ports.retriever import NO_EDGES, RetrievalRequest

CHUNKS: Final = 30


async def likeness_of_groups(run: Run, graph: PairGraph, question: str) -> Mapping[int, float]:
    """By the index of a group how like the question its sentence is, in −1…1; of those that retrieval finds."""
    request = RetrievalRequest(question, concepts(question), chunks=CHUNKS, limits=NO_EDGES)
    passages = await run.passages((await run.retrieve(request)).chunks)
    by_page: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for index, group in enumerate(graph.groups):
        for pair in group.pairs:
            by_page[pair.page.value].append((pair.start, pair.end, index))
    found: dict[int, float] = {}
    for passage in passages:
        for sense in passage.hit.senses:
            start, end = passage.at.offset + sense.start, passage.at.offset + sense.end
            for first, last, index in by_page.get(passage.at.place.page.value, ()):
                if first < end and start < last:
                    found[index] = max(sense.likeness, found.get(index, -1.0))
    return found
