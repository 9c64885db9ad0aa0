"""The facts of a text, over HTTP and from the command line."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from provgraph.wire.text import Text


class ExtractRequest(BaseModel):
    """One text, or several at once; nothing of them is stored."""

    model_config = ConfigDict(extra="forbid")

    text: Text | None = None
    texts: list[Text] | None = Field(None, max_length=10_000)
    title: Text = Field("", description="What the text is about, so that a pronoun can be resolved to it.")
    stored: bool = Field(
        False, description="The facts as an ingest would store them, not in the text's own words."
    )


class ExtractedThing(BaseModel):
    """`type` is an entity's class, or date, number or quantity; empty where it is not known."""

    label: str
    type: str


class ExtractedRelation(BaseModel):
    label: str


class ExtractedFact(BaseModel):
    """A statement of the sentence `text[start:end]`."""

    subject: ExtractedThing
    relation: ExtractedRelation
    object: ExtractedThing
    confidence: float
    start: int
    end: int


class ExtractedFacts(BaseModel):
    facts: list[ExtractedFact]


class ExtractedTexts(BaseModel):
    """The facts of each of several texts, in their order."""

    results: list[ExtractedFacts]
