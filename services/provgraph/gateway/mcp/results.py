"""What tools give back: the parts of a reply that an agent reads, with a schema of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, Field


class SourceResult(BaseModel):
    """Exact words of a document: characters `start` to `end` of page `page_number`."""

    document: str
    file: str = ""
    title: str = ""
    page: str = ""
    page_number: int = 1
    start: int
    end: int
    text: str


class SentenceResult(BaseModel):
    """A sentence of an answer, and the words that it stands on."""

    text: str
    origin: Literal["quoted", "derived", "generated"]
    supported: bool
    sources: list[SourceResult]


class AnswerResult(BaseModel):
    """`outcome` is answered or refused; `session` names the trace, which the tool `trace` shows."""

    answer: str
    short_answer: str | None = Field(
        None, description="The answer in a few words, null where none is proved."
    )
    outcome: str
    sentences: list[SentenceResult]
    understood_as: str | None = Field(None, description="What a follow-up was taken to ask.")
    warnings: list[str] = []
    session: str


class PartResult(BaseModel):
    """One part of a claim, and what the documents say of it."""

    element: str
    role: str
    relation: Literal["entailed", "contradicted", "not said"]
    evidence: SourceResult | None = None


class ClaimResult(BaseModel):
    """`confidence` is how often verdicts like this one are right."""

    verdict: Literal["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
    confidence: float
    explanation: str
    missing: str = ""
    elements: list[PartResult]
    session: str


def answered(reply: Mapping[str, Any]) -> AnswerResult:
    """The reply of a flow's route."""
    text = reply["response"]
    return AnswerResult(
        answer=text,
        short_answer=(reply.get("short_answer") or {}).get("text"),
        outcome=reply["outcome"],
        sentences=[
            SentenceResult(
                text=text[citation["start"] : citation["end"]],
                origin=citation["origin"],
                supported=citation["supported"],
                sources=[quoted(source) for source in citation["sources"]],
            )
            for citation in reply["citations"]
        ],
        understood_as=reply.get("understood_as"),
        warnings=reply.get("warnings") or [],
        session=reply["session"],
    )


def verified(reply: Mapping[str, Any]) -> ClaimResult:
    """The reply of the route for claims."""
    verdict = reply["verdict"]
    return ClaimResult(
        verdict=verdict["label"],
        confidence=verdict["confidence"],
        explanation=verdict["explanation"],
        missing=verdict.get("missing", ""),
        elements=[
            PartResult(
                element=element["element"],
                role=element["role"],
                relation=element["relation"],
                evidence=quoted(element["evidence"]) if element.get("evidence") else None,
            )
            for element in verdict["elements"]
        ],
        session=reply["session"],
    )


def quoted(source: Mapping[str, Any]) -> SourceResult:
    return SourceResult(
        document=source["document"],
        file=source.get("source", ""),
        title=source["title"],
        page=source["page"],
        page_number=source["page_number"],
        start=source["start"],
        end=source["end"],
        text=source["text"],
    )
