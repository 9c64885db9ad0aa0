"""Building the graph of question-answer pairs, and the pairs themselves."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from provgraph.wire.text import Text


class BuildPairsRequest(BaseModel):
    """Which documents pairs are made of; they come from the library, and what is made already is not made again."""

    model_config = ConfigDict(extra="forbid")

    collection: str = "default"
    documents: list[Text] = Field([], max_length=10_000, description="Ids of documents; empty for all.")
    engine: Literal["", "model-free", "model"] = Field(
        "",
        description="What makes pairs: rules, or the language model; empty for the model where the service has one.",
    )
    max_tokens: int = Field(0, ge=0, description="What a model may spend, in tokens; 0 for no limit.")


class PairFact(BaseModel):
    subject: str
    relation: str
    object: str


class QuestionAnswerPair(BaseModel):
    """`text` is what stands in the page from `start` to `end`; `facts` are drawn from the pair."""

    id: str
    question: str
    answer: str
    clause: str = Field("", description="The clause that the words stand in, as it is cited: 3.1(a).")
    document: str
    title: str
    page: str
    page_number: int
    start: int
    end: int
    text: str
    facts: list[PairFact]


class QuestionAnswerPairs(BaseModel):
    """`next` is the `offset` of the pairs that follow, null at their end."""

    total: int
    pairs: list[QuestionAnswerPair]
    next: int | None = None
