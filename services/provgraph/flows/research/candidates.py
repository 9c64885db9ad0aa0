"""The candidates of a question to papers: passages by a hybrid ranking and by the facts around what is asked for.

The two rankings are fused by reciprocal rank (Cormack, Clarke and Büttcher 2009), so that a passage comes first that
is like the question and says something of the entities it leads to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.catalogue.sources import SourceReader
from provgraph.flows.research.question import ResolvedQuestion
from provgraph.flows.runner.passages import Passage, QuestionWeights, passages
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.retriever import (
    CandidateEdge,
    ChunkHit,
    RetrievalLimits,
    RetrievalRequest,
    RetrievalResult,
    Retriever,
)
from provgraph.provenance.extractive_trace import RetrievedDocument
from provgraph.provenance.retrieval_paths import RankedBy
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.terms import NamedNode

HYBRID: Final = "hybrid"
AROUND: Final = "breadth-first"
HOPS: Final = 2
MOST_RELATED: Final = 30
NAMED: Final = 4
_RANK: Final = 60
_LIMITS: Final = RetrievalLimits(entities=20, triples_per_entity=20, subgraph=80, path_length=HOPS)


@dataclass(frozen=True)
class Found:
    """`related` are the entities around the question, nearest first, `labels` what they are called.

    `papers` are those that the passages are of or that mention the entities, best first.
    """

    weights: QuestionWeights
    passages: tuple[Passage, ...]
    related: tuple[NamedNode, ...]
    labels: Mapping[NamedNode, str]
    papers: tuple[RetrievedDocument, ...]
    ranked: RankedBy
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class CandidateSearch:
    store: QuadStore
    retriever: Retriever

    async def found(self, question: ResolvedQuestion, text: str, concepts: tuple[str, ...]) -> Found:
        """Raises what retrieval raises."""
        asked = question.asked
        method = asked.method or HYBRID
        alpha = {"alpha": asked.alpha} if method == HYBRID else {}
        request = RetrievalRequest(
            text,
            concepts,
            asked.collection,
            method,
            asked.fetch_limit,
            _LIMITS,
            alpha,
            question.without,
        )
        ranked = await self.retriever.retrieve(request)
        around = await self.retriever.retrieve(replace(request, method=AROUND, parameters={}))
        reader = SourceReader(self.store, source_graph(asked.collection))
        related = _related(around)
        hits = _fused(ranked.chunks, around.chunks)[: asked.fetch_limit]
        found = await passages(reader, hits)
        return Found(
            QuestionWeights(ranked.terms),
            tuple(found),
            tuple(related),
            related,
            tuple(await _papers(reader, found, around.edges)),
            RankedBy(ranked.method, ranked.parameters),
            tuple(dict.fromkeys((*ranked.warnings, *around.warnings))),
        )


def _related(around: RetrievalResult) -> dict[NamedNode, str]:
    """Seeds first, then the ends of edges, those of short paths first."""
    found = {seed.entity: seed.label for seed in around.seeds}
    for edge in sorted(around.edges, key=lambda edge: len(edge.path)):
        for term, label in (
            (edge.triple.subject, edge.labels.subject),
            (edge.triple.object, edge.labels.object),
        ):
            if isinstance(term, NamedNode):
                found.setdefault(term, label)
    return dict(list(found.items())[:MOST_RELATED])


def _fused(ranked: Sequence[ChunkHit], around: Sequence[ChunkHit]) -> list[ChunkHit]:
    """Best first; each keeps the score of the ranking that found it, the first one's where both did."""
    scores: dict[NamedNode, float] = defaultdict(float)
    hits: dict[NamedNode, ChunkHit] = {}
    for ranking in (ranked, around):
        for rank, hit in enumerate(ranking, 1):
            scores[hit.chunk] += 1 / (_RANK + rank)
            hits.setdefault(hit.chunk, hit)
    best = sorted(hits, key=lambda chunk: (-scores[chunk], chunk.value))
    return [hits[chunk] for chunk in best]


async def _papers(
    reader: SourceReader, found: Sequence[Passage], edges: Sequence[CandidateEdge]
) -> Iterable[RetrievedDocument]:
    """A paper for each that a passage is of or that says an edge; what its score is made of, in words."""
    sources = await reader.sources([edge.triple for edge in edges])
    mentioned: dict[NamedNode, dict[str, None]] = defaultdict(dict)
    for edge in edges:
        for source in sources[edge.triple]:
            mentioned[source.place.document].update({edge.labels.subject: None, edge.labels.object: None})
    ranks: dict[NamedNode, list[int]] = defaultdict(list)
    for rank, passage in enumerate(found, 1):
        ranks[passage.hit.document].append(rank)
    scored = [
        RetrievedDocument(document, _score(ranks[document]), _told(ranks[document], mentioned[document]))
        for document in dict.fromkeys((*ranks, *mentioned))
    ]
    return sorted(scored, key=lambda each: (-each.score, each.document.value))


def _score(ranks: Sequence[int]) -> float:
    return sum(1 / (_RANK + rank) for rank in ranks) if ranks else 0.0


def _told(ranks: Sequence[int], mentioned: Mapping[str, object]) -> str:
    said = []
    if ranks:
        said.append(f"Retrieved {'passage' if len(ranks) == 1 else 'passages'} {', '.join(map(str, ranks))}")
    if mentioned:
        names = list(mentioned)
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        said.append(f"mentions {', '.join(names[:NAMED])}{more}, within {HOPS} hops of the question")
    told = "; ".join(said)
    return f"{told[:1].upper()}{told[1:]}."
