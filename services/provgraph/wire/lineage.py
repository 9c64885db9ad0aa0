"""Where a fact comes from, over HTTP: who says it, who read it there, and what contradicts it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from provgraph.wire.text import CitedSource


class ReceivedIn(BaseModel):
    """By which file something came from outside: its name, its SHA-256, what received it, and when."""

    file: str
    sha256: str
    by: str
    at: str


class SourceExtraction(BaseModel):
    """Who found the fact there: an extractor with its version, and its model and ontology where it has them. With
    `received` nothing of it was seen here: it is what the file says."""

    extractor: str
    label: str
    version: str
    model: str | None = None
    ontology: str | None = None
    at: str
    received: ReceivedIn | None = None


class FactSource(CitedSource):
    """A sentence that says a fact, the subgraph that contains it, and the extraction that made the subgraph."""

    subgraph: str
    quotation: str = Field(
        "", description="The IRI of the fact as this sentence says it: what rdf:reifies it."
    )
    confidence: float
    extraction: SourceExtraction | None = None


class FactLabels(BaseModel):
    """A fact in labels, and its `triple` as terms."""

    subject: str
    relation: str
    object: str
    triple: dict[str, Any]


class ContradictingFact(FactLabels):
    """A fact with the same subject and another value of `attribute`, of which there can be one."""

    attribute: str
    documents: int = Field(description="How many documents say it.")
    sources: list[FactSource]


class Lineage(BaseModel):
    """Every sentence that says a fact, in how many documents and subgraphs, and every fact that contradicts it."""

    fact: dict[str, Any]
    subject: str
    relation: str
    object: str
    documents: int
    subgraphs: int
    sources: list[FactSource]
    contradictions: list[ContradictingFact]


class FoundFact(FactLabels):
    """A fact of a document, and who found it there."""

    found_by: list[str]
    sources: list[FactSource]


class FactReader(BaseModel):
    """One of those compared: how many facts it found, and how many of them nobody else did."""

    name: str
    facts: int
    only: int


class ReadingComparison(BaseModel):
    """One document as several read it; `shared` counts the facts that all of them found."""

    document: str
    by: str
    readers: list[FactReader]
    shared: int
    facts: list[FoundFact]
