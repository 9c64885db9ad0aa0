"""The ports of retrieval and similarity as JSON: what a service asks the one that keeps the indexes, and what
it is given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, Final

from provgraph.ports.retriever import (
    CandidateEdge,
    ChunkHit,
    DocumentHit,
    EdgeLabels,
    QuestionTerm,
    RetrievalLimits,
    RetrievalRequest,
    RetrievalResult,
    Seed,
    SentenceSense,
    TakenAsOne,
    Without,
)
from provgraph.ports.similarity import DocumentPairs, LikeDocuments, SearchWords, SimilarNode, SimilarNodes
from provgraph.rdf.json_terms import triple_from_json, triple_to_json
from provgraph.rdf.terms import NamedNode

Json = dict[str, Any]

PATH: Final = "/internal/v1/retrieval"


def request_to_json(request: RetrievalRequest) -> Json:
    return {
        "question": request.question,
        "concepts": list(request.concepts),
        "collection": request.collection,
        "method": request.method,
        "chunks": request.chunks,
        "limits": asdict(request.limits),
        "parameters": dict(request.parameters),
        "without": {
            "documents": [node.value for node in request.without.documents],
            "edges": [triple_to_json(edge) for edge in request.without.edges],
        },
        "rerank": request.rerank,
    }


def request_from_json(told: Json) -> RetrievalRequest:
    """Raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    without = told["without"]
    return RetrievalRequest(
        question=told["question"],
        concepts=tuple(told["concepts"]),
        collection=told["collection"],
        method=told["method"],
        chunks=told["chunks"],
        limits=RetrievalLimits(**told["limits"]),
        parameters=told["parameters"],
        without=Without(
            tuple(map(NamedNode, without["documents"])), tuple(map(triple_from_json, without["edges"]))
        ),
        rerank=told["rerank"],
    )


def result_to_json(result: RetrievalResult) -> Json:
    return {
        "terms": [[term.text, term.weight, term.known] for term in result.terms],
        "seeds": [_seed_to_json(seed) for seed in result.seeds],
        "edges": [_edge_to_json(edge) for edge in result.edges],
        "chunks": [_chunk_to_json(hit) for hit in result.chunks],
        "documents": [[hit.document.value, hit.title, hit.score] for hit in result.documents],
        "method": result.method,
        "warnings": list(result.warnings),
        "parameters": dict(result.parameters),
    }


def result_from_json(told: Json) -> RetrievalResult:
    """Raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    return RetrievalResult(
        terms=tuple(QuestionTerm(*term) for term in told["terms"]),
        seeds=tuple(map(_seed_from_json, told["seeds"])),
        edges=tuple(map(_edge_from_json, told["edges"])),
        chunks=tuple(map(_chunk_from_json, told["chunks"])),
        documents=tuple(DocumentHit(NamedNode(node), *rest) for node, *rest in told["documents"]),
        method=told["method"],
        warnings=tuple(told["warnings"]),
        parameters=told["parameters"],
    )


def _seed_to_json(seed: Seed) -> Json:
    return {
        "entity": seed.entity.value,
        "label": seed.label,
        "score": seed.score,
        "how": seed.how,
        "ties": [_tie_to_json(tie) for tie in seed.ties],
        "called": seed.called,
    }


def _seed_from_json(told: Json) -> Seed:
    ties = tuple(map(_tie_from_json, told["ties"]))
    return Seed(**{**told, "entity": NamedNode(told["entity"]), "ties": ties})


def _edge_to_json(edge: CandidateEdge) -> Json:
    return {
        "triple": triple_to_json(edge.triple),
        "labels": [edge.labels.subject, edge.labels.relation, edge.labels.object],
        "score": edge.score,
        "terms": list(edge.terms),
        "shares": list(edge.shares),
        "coverage": edge.coverage,
        "path": list(edge.path),
        "confidence": edge.confidence,
        "support": edge.support,
        "how": edge.how,
        "rerank_score": edge.rerank_score,
        "ties": [_tie_to_json(tie) for tie in edge.ties],
        "joints": sorted(edge.joints),
    }


def _edge_from_json(told: Json) -> CandidateEdge:
    return CandidateEdge(
        **{
            **told,
            "triple": triple_from_json(told["triple"]),
            "labels": EdgeLabels(*told["labels"]),
            "terms": tuple(told["terms"]),
            "shares": tuple(told["shares"]),
            "path": tuple(told["path"]),
            "ties": tuple(map(_tie_from_json, told["ties"])),
            "joints": frozenset(told["joints"]),
        }
    )


def _chunk_to_json(hit: ChunkHit) -> Json:
    return {
        "chunk": hit.chunk.value,
        "document": hit.document.value,
        "title": hit.title,
        "score": hit.score,
        "terms": [list(term) for term in hit.terms],
        "text": hit.text,
        "how": hit.how,
        "rerank_score": hit.rerank_score,
        "senses": [[sense.start, sense.end, sense.likeness] for sense in hit.senses],
        "context": hit.context,
    }


def _chunk_from_json(told: Json) -> ChunkHit:
    chunk, document = NamedNode(told["chunk"]), NamedNode(told["document"])
    terms = tuple((text, score) for text, score in told["terms"])
    senses = tuple(SentenceSense(*sense) for sense in told["senses"])
    return ChunkHit(**{**told, "chunk": chunk, "document": document, "terms": terms, "senses": senses})


def _tie_to_json(tie: TakenAsOne) -> Json:
    return {
        "entities": [node.value for node in tie.entities],
        "rule": tie.rule,
        "told": tie.told,
        "fact": triple_to_json(tie.fact) if tie.fact else None,
        "decision": tie.decision.value if tie.decision else None,
        "within": sorted(tie.within),
        "one_of_several": tie.is_one_of_several,
    }


def _tie_from_json(told: Json) -> TakenAsOne:
    one, other = map(NamedNode, told["entities"])
    return TakenAsOne(
        entities=(one, other),
        rule=told["rule"],
        told=told["told"],
        fact=triple_from_json(told["fact"]) if told["fact"] else None,
        decision=NamedNode(told["decision"]) if told["decision"] else None,
        within=frozenset(told["within"]),
        is_one_of_several=told.get("one_of_several", False),
    )


SIMILARITY_PATH: Final = "/internal/v1/retrieval/likeness"


def sought_to_json(sought: SearchWords) -> Json:
    return {
        "names": list(sought.names),
        "kinds": list(sought.kinds),
        "labels_per_name": sought.labels_per_name,
        "labels_per_kind": sought.labels_per_kind,
    }


def sought_from_json(told: Json) -> SearchWords:
    """Raises `KeyError` or `TypeError` for anything else."""
    return SearchWords(
        tuple(told["names"]), tuple(told["kinds"]), told["labels_per_name"], told["labels_per_kind"]
    )


def like_nodes_to_json(nodes: SimilarNodes) -> Json:
    return {"nodes": _similar_rows(nodes.nodes), "types": _similar_rows(nodes.types)}


def like_nodes_from_json(told: Json) -> SimilarNodes:
    """Raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    return SimilarNodes(_read(told["nodes"]), _read(told["types"]))


def document_pairs_to_json(document_pairs: DocumentPairs) -> Json:
    places: dict[NamedNode, int] = {}
    pairs = [
        [*(places.setdefault(document, len(places)) for document in pair.documents), pair.cosine]
        for pair in document_pairs.pairs
    ]
    return {"model": document_pairs.model, "documents": [node.value for node in places], "pairs": pairs}


def document_pairs_from_json(told: Json) -> DocumentPairs:
    """Raises `KeyError`, `TypeError`, `ValueError` or `IndexError` for anything else."""
    documents = [NamedNode(node) for node in told["documents"]]
    pairs = (
        LikeDocuments((documents[first], documents[second]), cosine)
        for first, second, cosine in told["pairs"]
    )
    return DocumentPairs(told["model"], tuple(pairs))


def _similar_rows(nodes: Iterable[SimilarNode]) -> list[list[Any]]:
    return [[node.node.value, node.label, node.score] for node in nodes]


def _read(told: Iterable[list[Any]]) -> tuple[SimilarNode, ...]:
    return tuple(SimilarNode(NamedNode(node), label, score) for node, label, score in told)
