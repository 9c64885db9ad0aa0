"""Traces over HTTP: how a question was answered, down to the characters of the pages, and how two answers
differ."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from provgraph.wire.answer import VerdictElement
from provgraph.wire.highlights import HighlightedMention
from provgraph.wire.lineage import ContradictingFact, FactLabels, FactSource, ReceivedIn
from provgraph.wire.text import CitedSource


class TraceListRequest(BaseModel):
    """Which past sessions are listed, the newest first."""

    limit: int = Field(100, ge=1, le=10_000)
    offset: int = Field(0, ge=0, description="How many of those that fit are passed over.")
    stale: bool = Field(False, description="Only those whose answer no longer stands.")
    text: str = Field("", description="Words of the question, all of them, in any order.")
    flow: str = Field("", description="Only those that this flow answered.")
    outcome: str = Field("", description="Only those with this outcome; `running` has none yet.")


class TraceSummary(BaseModel):
    """`flow` is the way of asking; `outcome` is answered, refused, failed, cut off or interrupted, null while the
    session runs."""

    session: str
    query: str
    collection: str
    started: str
    ended: str | None
    flow: str = ""
    outcome: str | None
    failure: str | None = None
    received: bool = Field(False, description="Whether it came from outside, in a file of RDF or an archive.")
    stale: list[str] = Field(
        [], description="Why the answer no longer stands on what it stood on; empty if it does."
    )


class TraceEntity(BaseModel):
    id: str
    label: str


class PastSource(BaseModel):
    """Words that an edge stood on and that their document no longer says; they stood in `page` at `start` to `end`."""

    document: str
    title: str
    page: str
    page_number: int
    start: int
    end: int
    text: str


class TraceResolution(BaseModel):
    """Entities that the question took as one, by which rule and why; `quotations` are the sentences that say so."""

    entities: list[TraceEntity]
    rule: str
    reasoning: str
    quotations: list[str] = []


class TraceEdge(BaseModel):
    """An edge in labels, and its `triple` as terms; `agent` gave the reason, `rerank_score` is from 0 to 10.

    Selected edges tell how many `documents` say them, every source, and every fact that contradicts them.
    """

    id: str
    subject: str
    relation: str
    object: str
    subject_types: list[str] = Field([], description="What kind of thing the subject is, in labels.")
    object_types: list[str] = Field([], description="The same of an object that is no value.")
    triple: dict[str, Any]
    score: float
    rerank_score: float | None = None
    concepts: list[str] = []
    reasoning: str
    agent: str | None = None
    found_by: str = Field(
        "", description="What led to it: words, passage, or the way that its seed was found."
    )
    found_along: str = Field("", description="The labels from that seed to it, joined by arrows.")
    documents: int | None = None
    sources: list[FactSource] = []
    past_sources: list[PastSource] = []
    contradictions: list[ContradictingFact] = []


class TraceChunk(BaseModel):
    """A chunk of a document, which `/api/v1/documents/content` gives by `chunk`; `agent` gave the reason."""

    id: str
    chunk: str
    title: str = Field("", description="Of its document; empty where that is no longer there.")
    page_number: int = 0
    chunk_number: int = 0
    score: float
    rerank_score: float | None = Field(None, description="What a second scoring gave it, 0 to 10.")
    concepts: list[str] = []
    reasoning: str
    agent: str | None = None


class TraceDocument(BaseModel):
    """A document that was retrieved; `reasoning` tells the terms that add up to its score."""

    document: str
    score: float
    reasoning: str


class TraceSentence(BaseModel):
    """`stance` tells, of a claim that was judged, whether the words of the sentence speak for or against it."""

    start: int
    end: int
    text: str
    supported: bool
    edges: list[str]
    chunks: list[str] = []
    sources: list[CitedSource] = Field(
        [], description="The words it cites, as far as documents still have them."
    )
    stance: Literal["for", "against"] | None = None
    origin: Literal["quoted", "derived", "generated"] | None = Field(
        None, description="How its words came about; null in older traces."
    )
    claim: TraceClaim | None = Field(None, description="What it judges, of a text that was checked.")
    mentions: list[HighlightedMention] = Field(
        [], description="Quantities and names of an answer by extraction, in characters of the answer."
    )


class TraceCall(BaseModel):
    """A call of a language model; `prompt` and `reply` are ids for `/api/v1/documents/content`."""

    step: str
    model: str
    in_token: int | None = None
    out_token: int | None = None
    duration_ms: int
    prompt: str
    reply: str


class TraceCheck(BaseModel):
    """Whether what a retrieval found is relevant; null where that could not be told."""

    relevant: bool | None = None
    reasoning: str = ""
    agent: str | None = None


class TraceReformulation(BaseModel):
    """The question in other words, whose they are, and what was retrieved by them."""

    query: str
    agent: str
    concepts: list[str]
    edge_count: int


class TraceReranking(BaseModel):
    """How many edges `agent` scored again; the scores are with the edges."""

    agent: str
    edge_count: int
    ignored_lines: int = 0


class CitedDocument(BaseModel):
    """A document whose words an answer or a selected edge stands on; pages of a PDF have pictures."""

    id: str
    title: str
    media_type: str


class TraceVerdict(BaseModel):
    """What documents said of a claim; `confidence` and `coverage` as in the verdict that was given, 0 to 1."""

    label: Literal["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
    confidence: float
    coverage: float
    explanation: str
    elements: list[VerdictElement] = Field([], description="The claim, part by part; empty in older traces.")


class TraceClaim(BaseModel):
    """A claim of a text that was checked, its characters `start` to `end`, and the verdict on it."""

    start: int
    end: int
    text: str
    label: Literal["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
    confidence: float
    coverage: float
    elements: list[VerdictElement] = []
    cited_documents: list[str] = Field([], description="Documents of the collection that the claim cites.")
    cited_supports: bool | None = Field(
        None, description="Whether these support it; null where it cites none."
    )


class TraceDerivationStep(BaseModel):
    """One operation on the way to a short answer: `inputs` is what it used, in words, but for the values of earlier
    steps, which `earlier` names by their ids."""

    id: str
    operation: str
    inputs: list[str] = []
    earlier: list[str] = []
    used: list[str] = Field([], description="Selected edges, selected chunks and sentences, by their IRIs.")
    facts: list[dict[str, Any]] = Field([], description="Facts that are not among the selected edges.")
    quotations: list[str] = []
    value: str
    explanation: str
    sparql: str | None = Field(None, description="A query that gives the same value.")


class TraceShortAnswer(BaseModel):
    """The answer in a few words; `derivation` is the id of the last of `steps`, which gave it."""

    text: str
    kind: Literal["entity", "date", "number", "yes-no", "list", "count", "span"]
    derivation: str
    steps: list[TraceDerivationStep]


class TraceAnswer(BaseModel):
    id: str
    document: str
    text: str
    sentences: list[TraceSentence]
    verdict: TraceVerdict | None = Field(None, description="Of a claim that was judged.")
    short_answer: TraceShortAnswer | None = Field(None, description="Null where nothing short is proved.")
    model: str | None = None
    in_token: int | None = None
    out_token: int | None = None


class TraceView(TraceSummary):
    """`author` is who wrote a text that was checked, `version` is of what judged it; `settings` are those of the
    request that were not the default; `again` is the session that was asked again."""

    author: str | None = None
    version: str | None = None
    settings: list[str] = []
    again: str | None = None
    receipt: ReceivedIn | None = Field(None, description="The file in which the session came from outside.")
    asked_as: str = Field(
        "", description="The words of a follow-up as it was put; `query` is how it was understood."
    )
    without_documents: list[str] = []
    without_edges: list[dict[str, Any]] = []
    concepts: list[str]
    edge_count: int
    entities: list[TraceEntity]
    taken_as_one: list[TraceResolution] = []
    selected: list[TraceEdge]
    passed_over: list[TraceEdge]
    answer: TraceAnswer | None
    calls: list[TraceCall] = []
    warnings: list[str] = []
    ignored_lines: int = 0
    checks: list[TraceCheck] = []
    reformulation: TraceReformulation | None = None
    reranking: TraceReranking | None = None
    method: str = Field("", description="How the retrieval ranked.")
    parameters: list[str] = Field([], description="The numbers that the method worked with, as name=number.")
    chunk_count: int = Field(0, description="Chunks retrieved, for a question that is answered from chunks.")
    ranked_documents: list[TraceDocument] = Field(
        [], description="Documents retrieved, for an answer by extraction."
    )
    cited_documents: list[CitedDocument] = []
    selected_chunks: list[TraceChunk] = []
    passed_over_chunks: list[TraceChunk] = []


class ComparedSession(BaseModel):
    session: str
    query: str
    collection: str
    started: str
    outcome: str | None
    answer: str


class ComparedEdge(FactLabels):
    """A selected edge, with its score before and after; null where it was not selected."""

    before: float | None = None
    after: float | None = None
    why: str | None = Field(
        None, description="Of an edge that was lost or gained: what the other session says of it."
    )


class AnswerPiece(BaseModel):
    kind: Literal["same", "removed", "added"]
    text: str


class Difference(BaseModel):
    """Two sessions side by side: their edges kept, lost and gained, and their answers sentence by sentence."""

    before: ComparedSession
    after: ComparedSession
    changed: bool = Field(description="Whether the answer's text or its outcome changed.")
    kept: list[ComparedEdge]
    lost: list[ComparedEdge]
    gained: list[ComparedEdge]
    answer: list[AnswerPiece]


class WhyNot(FactLabels):
    """What became of an edge in a session.

    `status` is selected, passed over, left out (on request), not retrieved, or not in the graph. `rank` counts the
    `retrieved` edges by score, from 1. `then` tells whether the edge was in the graph when the session began; null
    where nothing is known of that any more.
    """

    status: Literal["selected", "passed over", "left out", "not retrieved", "not in the graph"]
    now: bool
    then: bool | None
    score: float | None = None
    rank: int | None = None
    retrieved: int
    reason: str
    terms_met: list[str] = Field(
        [], description="The question's words that its labels, sentences and titles hold."
    )
    terms: list[str] = Field([], description="The question's words.")
    needed: list[str] = Field([], description="What a wider retrieval, made now, found the edge with.")


class WhyNotAnswer(BaseModel):
    session: str
    asked: str
    edges: list[WhyNot]
    more: int = Field(0, description="Further edges around the thing that was asked about.")
