"""Questions and claims over HTTP, one request for each flow, and the messages of an answer, named as
TrustGraph's clients know them."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, model_validator

from provgraph.errors import InvalidInput
from provgraph.ports.reranker import ANYBODY, NOBODY
from provgraph.ports.retriever import RetrievalLimits
from provgraph.wire.highlights import Highlights
from provgraph.wire.text import CitedSource, Text, bounded


class EvidenceFact(BaseModel):
    """A fact that was read from the words; `edge` names it in the trace, null where a model read it only for this."""

    edge: str | None = None
    subject: str
    relation: str
    object: str
    confidence: float


class Evidence(BaseModel):
    """Words of a document that speak for or against a claim, why, and how surely (0 to 1)."""

    reason: str
    confidence: float
    source: CitedSource
    facts: list[EvidenceFact]


class Verdict(BaseModel):
    """`confidence` is how sure the judge is of the label, `coverage` how much of the claim the evidence speaks of;
    both from 0 to 1."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    label: Literal["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
    confidence: float
    coverage: float
    explanation: str
    supporting: list[Evidence] = Field(
        alias="for", description="Words that speak for the claim, the surest first."
    )
    opposing: list[Evidence] = Field(
        alias="against", description="Words that speak against the claim, the surest first."
    )
    notes: list[str] = Field([], description="What a reader should know besides, as that little was covered.")


MAX_QUESTION: Final = 8_000


def question_text(query: str) -> str:
    """The question without the space around it; raises `InvalidInput` or `TooLarge`."""
    text = query.strip()
    if not text:
        raise InvalidInput("The question is empty. Ask something in plain words.")
    bounded(text, MAX_QUESTION, "question", "Ask in fewer words; add long texts as documents.")
    return text


def limit_field(default: int, name: str, most: int) -> Any:
    """A limit of at least 1, whose name may be spelled with `_` or `-`."""
    return Field(
        default,
        ge=1,
        le=most,
        validation_alias=AliasChoices(name, name.replace("_", "-")),
        serialization_alias=name,
    )


def parameters_field() -> Any:
    return Field(
        default_factory=dict,
        max_length=50,
        description="Numbers that the method has, by name: `k1` of `bm25`.",
    )


def reranker_name(asked: bool | str | None) -> str:
    """Who is to rerank, by name; empty where nothing was said."""
    return {True: ANYBODY, False: NOBODY}[asked] if isinstance(asked, bool) else asked or ""


class AskingRequest(BaseModel):
    """What every way of asking is told. Limits may be spelled with `_` or, as TrustGraph's clients do, with `-`."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    query: Text = Field(description="The question, in plain words.")
    collection: str = "default"
    method: str = Field("", description="A ranking of the retrieval service; empty for its default.")
    engine: Literal["", "model-free", "model"] = Field(
        "",
        description="What answers; empty for the language model where the service has one, else model-free.",
    )


class AskRequest(AskingRequest):
    """A question to a collection, answered from its graph."""

    corrective: bool | None = Field(
        None,
        description="Whether the candidates are checked for relevance before the selection, and retrieved once more "
        "in other words if they fail; null for the default of the collection or service.",
    )
    rerank: bool | Literal["", "none", "model", "cross-encoder"] | None = Field(
        None,
        description="Who scores the candidates a second time, 0 to 10, so that the best go on to the selection: model, "
        "cross-encoder or none; true is whoever there is, false is none; null or empty for the default of the "
        "collection or service.",
    )
    entity_limit: int = limit_field(50, "entity_limit", 1_000)
    triple_limit: int = limit_field(30, "triple_limit", 1_000)
    max_subgraph_size: int = limit_field(150, "max_subgraph_size", 5_000)
    max_path_length: int = limit_field(2, "max_path_length", 5)
    edge_limit: int = limit_field(25, "edge_limit", 500)

    @property
    def limits(self) -> RetrievalLimits:
        return RetrievalLimits(
            entities=self.entity_limit,
            triples_per_entity=self.triple_limit,
            subgraph=self.max_subgraph_size,
            path_length=self.max_path_length,
        )


class LeftOutRequest(BaseModel):
    """What to answer without, as if it were not in the collection."""

    model_config = ConfigDict(extra="forbid")

    documents: list[Text] = Field([], max_length=1_000, description="Ids of documents.")
    edges: list[Text] = Field(
        [],
        max_length=1_000,
        description="Each as SUBJECT | RELATION | OBJECT in labels or IRIs, or by its IRI in a trace.",
    )


class PostedAskRequest(AskRequest):
    """A question with what it is to be answered without, or an earlier session that is to be asked again."""

    query: Text = Field("", description="The question, in plain words; empty with `again`.")
    again: str = Field(
        "",
        description="A session: its question, collection and settings are taken where none are given here.",
    )
    without: LeftOutRequest = LeftOutRequest()
    parameters: dict[str, float] = parameters_field()

    @model_validator(mode="after")
    def _asks_something(self) -> PostedAskRequest:
        if "query" not in self.model_fields_set and not self.again:
            raise ValueError("query or again is needed")
        return self


class Citation(BaseModel):
    """One sentence of the answer, `response[start:end]`, and what supports it; nothing if `supported` is false."""

    start: int
    end: int
    supported: bool
    edges: list[str] = Field(description="Selected edges, by the IRI they have in the trace.")
    chunks: list[str] = Field([], description="Selected chunks, where the answer is from chunks.")
    sources: list[CitedSource]


class SourceDocument(BaseModel):
    uri: str
    title: str


class AnswerError(BaseModel):
    type: str
    message: str


class AnswerMessage(BaseModel):
    """One message of the stream. Exactly one has `end_of_session`: the last, also after an error."""

    message_type: Literal["explain", "chunk"]
    response: str | None = None
    end_of_stream: bool = False
    end_of_session: bool = False
    explain_id: str | None = None
    explain_graph: str | None = None
    explain_collection: str | None = None
    explain_triples: list[dict[str, Any]] | None = None
    error: AnswerError | None = None
    sources: list[SourceDocument] | None = None
    citations: list[Citation] | None = None
    in_token: int | None = None
    out_token: int | None = None
    duration_ms: int | None = None
    model: str | None = None
    warnings: list[str] | None = None
    highlights: Highlights | None = None
    verdict: Verdict | None = Field(None, description="Of a claim that was judged.")


class Answer(BaseModel):
    """A whole answer in one JSON, for clients that do not stream."""

    response: str
    outcome: str
    session: str
    explain_collection: str
    explain: list[AnswerMessage]
    sources: list[SourceDocument]
    citations: list[Citation]
    in_token: int | None = None
    out_token: int | None = None
    duration_ms: int | None = None
    model: str | None = None
    warnings: list[str] | None = None
    highlights: Highlights | None = None
    verdict: Verdict | None = Field(None, description="Of a claim that was judged.")


class AskDocumentsRequest(AskingRequest):
    """A question to the documents of a collection."""

    doc_limit: int = limit_field(10, "doc_limit", 100)
    fetch_limit: int = Field(
        0,
        ge=0,
        le=1_000,
        validation_alias=AliasChoices("fetch_limit", "fetch-limit"),
        serialization_alias="fetch_limit",
        description="How many chunks are retrieved to select from; 0 for four times `doc_limit`.",
    )


class AskExtractiveRequest(BaseModel):
    """A question to the documents of a collection. Limits may be spelled with `_` or with `-`."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    query: Text = Field(description="The question, in plain words.")
    collection: str = "default"
    method: str = Field(
        "", description="A ranking of the retrieval service; empty for term-frequency with the factual boost."
    )
    doc_limit: int = limit_field(10, "doc_limit", 100)
    chunk_limit: int = limit_field(40, "chunk_limit", 400)
    evidence_limit: int = limit_field(3, "evidence_limit", 20)
    sentence_limit: int = limit_field(4, "sentence_limit", 20)


class PostedAskExtractiveRequest(AskExtractiveRequest):
    """With the parameters of its method."""

    parameters: dict[str, float] = parameters_field()


MAX_CLAIM: Final = 1_000


def claim_text(claim: str) -> str:
    """The claim without the space around it; raises `InvalidInput` or `TooLarge`."""
    text = claim.strip()
    if not text:
        raise InvalidInput("The claim is empty. State something that may be true.")
    bounded(text, MAX_CLAIM, "claim", "Verify its sentences one by one.")
    return text


class VerifyRequest(BaseModel):
    """A claim to judge. `query` may be written for `claim`; limits may be spelled with `_` or with `-`."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    claim: Text = Field(
        validation_alias=AliasChoices("claim", "query"),
        description=f"What may be true, as a plain statement of at most {MAX_CLAIM:,} characters.",
    )
    collection: str = "default"
    method: str = Field("", description="A ranking of the retrieval service; empty for its default.")
    engine: Literal["", "model-free", "model"] = Field(
        "",
        description="What judges; empty for the language model where the service has one, else model-free.",
    )
    doc_limit: int = limit_field(4, "doc_limit", 20)
    time_limit: float = Field(
        20.0,
        gt=0,
        le=600,
        validation_alias=AliasChoices("time_limit", "time-limit"),
        serialization_alias="time_limit",
        description="Seconds in which a model may read facts from the chunks found, all of them together.",
    )
