"""What a retrieval gives, as values: ranked facts and chunks, with the places of their words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from provgraph.client.evidence import Json, ProvedFact


@dataclass(frozen=True)
class RetrievedChunk:
    """A chunk: `page_text[start:end] == text`, in characters of the page that `page_iri` names.

    `page`, `start` and `end` are None where the document was taken out meanwhile.
    """

    text: str
    score: float
    iri: str
    document: str
    title: str
    file: str
    page: int | None
    page_iri: str
    start: int | None
    end: int | None

    @staticmethod
    def of(told: Json) -> RetrievedChunk:
        return RetrievedChunk(
            text=told["text"],
            score=told["score"],
            iri=told["id"],
            document=told["document"],
            title=told["title"],
            file=told.get("source", ""),
            page=told.get("page_number"),
            page_iri=told.get("page", ""),
            start=told.get("start"),
            end=told.get("end"),
        )


@dataclass(frozen=True)
class RetrievedEvidence:
    """Facts and chunks, each the best first; `method` is the ranking that found them."""

    question: str
    facts: tuple[ProvedFact, ...]
    chunks: tuple[RetrievedChunk, ...]
    method: str
    warnings: tuple[str, ...] = ()

    @staticmethod
    def of(question: str, told: Json) -> RetrievedEvidence:
        return RetrievedEvidence(
            question=question,
            facts=tuple(map(_fact, told["edges"])),
            chunks=tuple(map(RetrievedChunk.of, told["chunks"])),
            method=told.get("method", ""),
            warnings=tuple(told.get("warnings", ())),
        )


def _fact(told: Json) -> ProvedFact:
    labels: dict[str, Any] = told["labels"]
    return ProvedFact.of({**told, **labels, "sources": told.get("sources") or ()})
