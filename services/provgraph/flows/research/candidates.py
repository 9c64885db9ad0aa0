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
from provgraph.flows.runner.passages import QuestionWeights, RetrievedPassage
from provgraph.flows.runner.run import Run
from provgraph.ports.retriever import (
    CandidateEdge,
    ChunkHit,
    RetrievalLimits,
    RetrievalRequest,
    RetrievalResult,
    Without,
)
from provgraph.provenance.document_trace import RetrievedDocument
from provgraph.provenance.trace import RankedBy
from provgraph.rdf.terms import NamedNode

HYBRID: Final = "hybrid"
AROUND: Final = "breadth-first"
HOPS: Final = 2
MOST_RELATED: Final = 30
NAMED: Final = 4
_RANK: Final = 60
_LIMITS: Final = RetrievalLimits(entities=20, triples_per_entity=20, subgraph=80, path_length=HOPS)


@dataclass(frozen=True)
class PaperCandidates:
    """`related` are the entities around the question, nearest first, `labels` their names.

    `papers` are those that the passages are of or that mention the entities, best first.
    """

    weights: QuestionWeights
    passages: tuple[RetrievedPassage, ...]
    related: tuple[NamedNode, ...]
    labels: Mapping[NamedNode, str]
    papers: tuple[RetrievedDocument, ...]
    ranked: RankedBy


def ranking_request(text: str, method: str, alpha: float, fetch_limit: int) -> RetrievalRequest:
    """The first of the two rankings; `alpha` is the weight of vectors in `hybrid`."""
    method = method or HYBRID
    parameters = {"alpha": alpha} if method == HYBRID else {}
    return RetrievalRequest(text, method=method, chunks=fetch_limit, limits=_LIMITS, parameters=parameters)


async def find_candidates(
    run: Run, request: RetrievalRequest, without: Without | None = None
) -> PaperCandidates:
    """By the ranking of the request, and by the facts around what is asked for, `without` more than the question
    leaves out where that is given. Raises what retrieval raises."""
    ranked = await run.retrieve(request, without)
    around = await run.retrieve(replace(request, method=AROUND, parameters={}), without)
    related = _related(around)
    hits = _fused(ranked.chunks, around.chunks)[: request.chunks]
    candidates = await run.passages(hits)
    return PaperCandidates(
        QuestionWeights(ranked.terms),
        tuple(candidates),
        tuple(related),
        related,
        tuple(await _papers(run.reader, candidates, around.edges)),
        RankedBy(ranked.method, ranked.parameters),
    )


def _related(around: RetrievalResult) -> dict[NamedNode, str]:
    """Seeds first, then the ends of edges, those of short paths first."""
    names = {seed.entity: seed.label for seed in around.seeds}
    for edge in sorted(around.edges, key=lambda edge: len(edge.path)):
        for term, label in (
            (edge.triple.subject, edge.labels.subject),
            (edge.triple.object, edge.labels.object),
        ):
            if isinstance(term, NamedNode):
                names.setdefault(term, label)
    return dict(list(names.items())[:MOST_RELATED])


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
    reader: SourceReader, candidates: Sequence[RetrievedPassage], edges: Sequence[CandidateEdge]
) -> Iterable[RetrievedDocument]:
    """A paper for each that a passage is of or that says an edge; what its score is made of, in words."""
    sources = await reader.sources([edge.triple for edge in edges])
    mentioned: dict[NamedNode, dict[str, None]] = defaultdict(dict)
    for edge in edges:
        for source in sources[edge.triple]:
            mentioned[source.place.document].update({edge.labels.subject: None, edge.labels.object: None})
    ranks: dict[NamedNode, list[int]] = defaultdict(list)
    for rank, passage in enumerate(candidates, 1):
        ranks[passage.hit.document].append(rank)
    scored = [
        RetrievedDocument(document, _score(ranks[document]), _reasoning(ranks[document], mentioned[document]))
        for document in dict.fromkeys((*ranks, *mentioned))
    ]
    return sorted(
        scored, key=lambda retrieved_document: (-retrieved_document.score, retrieved_document.document.value)
    )


def _score(ranks: Sequence[int]) -> float:
    return sum(1 / (_RANK + rank) for rank in ranks) if ranks else 0.0


def _reasoning(ranks: Sequence[int], mentioned: Mapping[str, object]) -> str:
    parts = []
    if ranks:
        parts.append(f"Retrieved {'passage' if len(ranks) == 1 else 'passages'} {', '.join(map(str, ranks))}")
    if mentioned:
        names = list(mentioned)
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        parts.append(f"mentions {', '.join(names[:NAMED])}{more}, within {HOPS} hops of the question")
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."
