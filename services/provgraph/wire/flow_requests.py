"""The requests of every flow: the question, what it is narrowed to, and the settings that a flow has of its own.

Limits may be spelled with `_` or, as TrustGraph's clients do, with `-`. The answers are in `answer`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, model_validator

from provgraph.errors import InvalidInput
from provgraph.ports.reranker import ANYBODY, NOBODY
from provgraph.ports.retriever import RetrievalLimits
from provgraph.wire.document_filters import MAX_NAMES, DocumentFilters
from provgraph.wire.text import Text, bounded

MAX_QUESTION: Final = 8_000
MAX_CLAIM: Final = 1_000
MAX_TURNS: Final = 50
"""Turns of a conversation that come with a question."""

Engine = Literal["", "model-free", "model"]
Reranking = bool | Literal["", "none", "model", "cross-encoder"] | None


def question_text(query: str) -> str:
    """The question without the space around it; raises `InvalidInput` or `TooLarge`."""
    text = query.strip()
    if not text:
        raise InvalidInput("The question is empty. Ask something in plain words.")
    bounded(text, MAX_QUESTION, "question", "Ask in fewer words; add long texts as documents.")
    return text


def claim_text(claim: str) -> str:
    """The claim without the space around it; raises `InvalidInput` or `TooLarge`."""
    text = claim.strip()
    if not text:
        raise InvalidInput("The claim is empty. State something that may be true.")
    bounded(text, MAX_CLAIM, "claim", "Verify its sentences one by one.")
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


def reranker_name(choice: bool | str | None) -> str:
    """The name of the reranker that a request asks for; empty where it asks for none in particular."""
    return {True: ANYBODY, False: NOBODY}[choice] if isinstance(choice, bool) else choice or ""


class FlowRequest(DocumentFilters):
    """What every flow accepts, by GET and by POST."""

    text_field: ClassVar[str] = "query"
    """The field that holds the question."""

    collection: str = "default"

    @property
    def question(self) -> str:
        """The text of the question. Raises `InvalidInput` or `TooLarge`."""
        return question_text(getattr(self, self.text_field))


class QuestionRequest(FlowRequest):
    """A request whose text is a question."""

    query: Text = Field(description="The question, in plain words.")


class LeftOutRequest(BaseModel):
    """What to answer without, as if it were not in the collection."""

    model_config = ConfigDict(extra="forbid")

    documents: list[Text] = Field(
        [], max_length=MAX_NAMES, description="Ids, file names or titles of documents."
    )
    edges: list[Text] = Field(
        [],
        max_length=MAX_NAMES,
        description="Each as SUBJECT | RELATION | OBJECT in labels or IRIs, or by its IRI in a trace.",
    )


class PostedFlowRequest(FlowRequest):
    """What every flow accepts by POST only: an earlier session to ask again, and what to answer without."""

    again: str = Field(
        "",
        description="A session: its question, collection and settings are taken where none are given here.",
    )
    without: LeftOutRequest = LeftOutRequest()

    @model_validator(mode="after")
    def _has_a_question(self) -> PostedFlowRequest:
        if self.text_field not in self.model_fields_set and not self.again:
            raise ValueError(f"{self.text_field} or again is needed")
        return self


class TurnRequest(BaseModel):
    """A question that was asked before, and what it was answered in a few words."""

    model_config = ConfigDict(extra="forbid")

    question: Text = Field(max_length=MAX_QUESTION)
    answer: Text = Field("", max_length=MAX_QUESTION)


class PostedQuestionRequest(PostedFlowRequest, QuestionRequest):
    """A posted request whose text is a question."""

    query: Text = Field("", description="The question, in plain words; empty with `again`.")
    history: list[TurnRequest] = Field(
        [],
        max_length=MAX_TURNS,
        description="The turns of the conversation before, the oldest first: what a follow-up points back to.",
    )


class RankedRequest(QuestionRequest):
    """A request to a flow that ranks by a method of the retrieval service and may use a language model."""

    method: str = Field("", description="A ranking of the retrieval service; empty for its default.")
    engine: Engine = Field(
        "",
        description="What answers; empty for the language model where the service has one, else model-free.",
    )


class AskRequest(RankedRequest):
    """A question to a collection, answered from its graph."""

    corrective: bool | None = Field(
        None,
        description="Whether the candidates are checked for relevance before the selection, and retrieved once more "
        "in other words if they fail; null for the default of the collection or service.",
    )
    rerank: Reranking = Field(
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


class PostedAskRequest(PostedQuestionRequest, AskRequest):
    """With the parameters of its method."""

    parameters: dict[str, float] = parameters_field()


class AskDocumentsRequest(RankedRequest):
    """A question to the documents of a collection, answered from their chunks."""

    doc_limit: int = limit_field(10, "doc_limit", 100)
    fetch_limit: int = Field(
        0,
        ge=0,
        le=1_000,
        validation_alias=AliasChoices("fetch_limit", "fetch-limit"),
        serialization_alias="fetch_limit",
        description="How many chunks are retrieved to select from; 0 for four times `doc_limit`.",
    )


class PostedAskDocumentsRequest(PostedQuestionRequest, AskDocumentsRequest):
    """A question to the documents of a collection, or one that is asked again."""


class AskExtractiveRequest(QuestionRequest):
    """A question to the documents of a collection, answered in their own sentences, with everything counted."""

    method: str = Field(
        "", description="A ranking of the retrieval service; empty for term-frequency with the factual boost."
    )
    doc_limit: int = limit_field(10, "doc_limit", 100)
    chunk_limit: int = limit_field(40, "chunk_limit", 400)
    evidence_limit: int = limit_field(3, "evidence_limit", 20)
    sentence_limit: int = limit_field(4, "sentence_limit", 20)
    near: float = Field(
        0.8,
        ge=0,
        le=1,
        description="The share of the best sentence's score that each further sentence of the answer must reach.",
    )


class PostedAskExtractiveRequest(PostedQuestionRequest, AskExtractiveRequest):
    """With the parameters of its method."""

    parameters: dict[str, float] = parameters_field()


class AskKgqaRequest(QuestionRequest):
    """A question to the graph of a collection's question-answer pairs."""

    engine: Engine = Field(
        "",
        description="What words the edges; empty for the language model where the service has one, else model-free.",
    )
    rerank: Reranking = Field(
        None,
        description="Who scores the wordings: model, cross-encoder, or none for what they meet of the question; true "
        "is whoever there is, null whoever costs no more than the engine does.",
    )


class PostedAskKgqaRequest(PostedQuestionRequest, AskKgqaRequest):
    """A question to the graph of question-answer pairs, or one that is asked again."""


class AskPapersRequest(RankedRequest):
    """A question to the papers of a collection, or to some of them."""

    papers: list[Text] | None = Field(
        None,
        max_length=MAX_NAMES,
        description="Which papers to ask: ids, DOIs, arXiv ids or titles; empty for all, null for those that the "
        "conversation asked last.",
    )
    conversation: Text = Field(
        "",
        max_length=100,
        validation_alias=AliasChoices("conversation", "session_id"),
        serialization_alias="conversation",
        description="Any word, or the session_id of a build: papers and questions before are remembered under it.",
    )
    alpha: float = Field(
        0.5,
        ge=0,
        le=1,
        description="Of the ranking `hybrid`: the weight of vectors; the rest is that of words.",
    )
    corrective: bool = Field(
        True,
        description="Whether the passages are checked for relevance, and retrieved once more in other words if they "
        "fail.",
    )
    rerank: Reranking = Field(
        None,
        description="Who scores the passages a second time, 0 to 10; null for whoever there is that costs nothing or "
        "answers too.",
    )
    doc_limit: int = limit_field(5, "doc_limit", 50)
    fetch_limit: int = limit_field(10, "fetch_limit", 200)


class PostedAskPapersRequest(PostedQuestionRequest, AskPapersRequest):
    """A question to papers, or one that is asked again."""


class VerifyRequest(FlowRequest):
    """A claim to judge. `query` may be written for `claim`."""

    text_field: ClassVar[str] = "claim"

    claim: Text = Field(
        validation_alias=AliasChoices("claim", "query"),
        description=f"What may be true, as a plain statement of at most {MAX_CLAIM:,} characters.",
    )
    method: str = Field("", description="A ranking of the retrieval service; empty for its default.")
    engine: Engine = Field(
        "",
        description="What judges; empty for the language model where the service has one, else model-free.",
    )
    doc_limit: int = limit_field(5, "doc_limit", 20)
    time_limit: float = Field(
        20.0,
        gt=0,
        le=600,
        validation_alias=AliasChoices("time_limit", "time-limit"),
        serialization_alias="time_limit",
        description="Seconds in which a model may read facts from the chunks found, all of them together.",
    )

    @property
    def question(self) -> str:
        return claim_text(self.claim)


class PostedVerifyRequest(PostedFlowRequest, VerifyRequest):
    """A claim to judge, or an earlier session whose claim is judged again."""

    claim: Text = Field(
        "",
        validation_alias=AliasChoices("claim", "query"),
        description="What may be true, as a plain statement; empty with `again`.",
    )


class AskPassagesRequest(QuestionRequest):
    """A question answered by the passages that rank best, quoted as they are."""

    method: str = Field("", description="A ranking of the retrieval service; empty for bm25.")
    passage_limit: int = limit_field(5, "passage_limit", 50)


class PostedAskPassagesRequest(PostedQuestionRequest, AskPassagesRequest):
    """A question to the best passages, or one that is asked again."""
