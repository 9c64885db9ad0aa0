"""What a client is given, as values: quoted words of a page, facts with the words that say them, ranked chunks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Json = Mapping[str, Any]


@dataclass(frozen=True)
class QuotedSource:
    """Words of a document: `page_text[start:end] == text`, in characters of the page that `page_iri` names.

    `document` is its IRI, `file` the name of its file, `page` its number from 1. `before` and `after` are what stands
    around the words, where that was asked for. Of a fact's source `quotation` is the IRI of the fact as these words say
    it, `subgraph` that of the graph that contains the fact, and `confidence` that of its reading, 0 to 1.
    """

    document: str
    title: str
    file: str
    page: int
    page_iri: str
    chunk: str
    start: int
    end: int
    text: str
    before: str = ""
    after: str = ""
    subgraph: str = ""
    quotation: str = ""
    confidence: float | None = None

    def __str__(self) -> str:
        return (
            f"“{self.text}” ({self.file or self.title}, page {self.page}, characters {self.start}–{self.end})"
        )

    @staticmethod
    def of(told: Json) -> QuotedSource:
        return QuotedSource(
            document=told["document"],
            title=told["title"],
            file=told.get("source", ""),
            page=told["page_number"],
            page_iri=told["page"],
            chunk=told["chunk"],
            start=told["start"],
            end=told["end"],
            text=told["text"],
            subgraph=told.get("subgraph", ""),
            quotation=told.get("quotation", ""),
            confidence=told.get("confidence"),
        )


def sources_of(told: Iterable[Json]) -> tuple[QuotedSource, ...]:
    return tuple(map(QuotedSource.of, told))


@dataclass(frozen=True)
class ProvedFact:
    """A fact in labels, and its `triple` as terms in JSON, with every sentence that says it.

    `iri` names it in the trace of a question, and is empty elsewhere; `score` and `reasoning` say why it was chosen.
    `contradictions` are facts with the same subject and another value of what has one value.
    """

    subject: str
    relation: str
    object: str
    triple: Json = field(repr=False, default_factory=dict)
    iri: str = ""
    score: float | None = None
    confidence: float | None = None
    reasoning: str = ""
    sources: tuple[QuotedSource, ...] = ()
    contradictions: tuple[ProvedFact, ...] = ()

    def __str__(self) -> str:
        return f"{self.subject} | {self.relation} | {self.object}"

    @property
    def terms(self) -> tuple[str, str, str]:
        """Subject, predicate and object as N-Triples writes them."""
        from provgraph.rdf.json_terms import triple_from_json  # slow to import, and few need it

        triple = triple_from_json(dict(self.triple))
        return str(triple.subject), str(triple.predicate), str(triple.object)

    @property
    def statement(self) -> str:
        """The fact as a line of N-Triples: what names it in every collection."""
        return f"{' '.join(self.terms)} ."

    @staticmethod
    def of(told: Json) -> ProvedFact:
        return ProvedFact(
            subject=told["subject"],
            relation=told["relation"],
            object=told["object"],
            triple=told.get("triple") or told.get("fact") or {},
            iri=told.get("id", ""),
            score=told.get("score"),
            confidence=told.get("confidence"),
            reasoning=told.get("reasoning", ""),
            sources=sources_of(told.get("sources", ())),
            contradictions=tuple(map(ProvedFact.of, told.get("contradictions", ()))),
        )


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
