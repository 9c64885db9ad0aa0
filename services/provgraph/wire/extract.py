"""The facts of a text, over HTTP and from the command line."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from provgraph.errors import InvalidInput
from provgraph.wire.text import Text, require_short

MAX_EXTRACTED: Final = 1_000_000
"""Characters of the texts of one request: a table of so many is 200,000 facts."""


class ExtractRequest(BaseModel):
    """One text, or several at once, of 1,000,000 characters in all; nothing of them is stored."""

    model_config = ConfigDict(extra="forbid")

    text: Text | None = None
    texts: list[Text] | None = Field(None, max_length=10_000)
    title: Text = Field("", description="What the text is about, so that a pronoun can be resolved to it.")
    stored: bool = Field(
        False, description="The facts as an ingest would store them, not in the text's own words."
    )


def bounded_texts(body: ExtractRequest) -> list[str]:
    """The texts of a request. Raises `InvalidInput` where it has both fields or none, `TooLarge` beyond the limit."""
    if (body.text is None) == (body.texts is None):
        raise InvalidInput("One of `text` and `texts` is needed. Give one of them, and not both.")
    texts = [body.text] if body.text is not None else body.texts or []
    size = sum(map(len, texts))
    require_short(size, MAX_EXTRACTED, "text", "Send it in parts, or ingest it as a document.")
    return texts


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
