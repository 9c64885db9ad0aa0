"""Checking what others wrote: a text and what it is checked against, and the verdict on each of its claims."""

from __future__ import annotations

from typing import ClassVar, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from provgraph.errors import InvalidInput, TooLarge
from provgraph.wire.document_filters import DocumentFilters
from provgraph.wire.flow_requests import PostedFlowRequest
from provgraph.wire.text import SaysNull, Text, bounded

MAX_TEXT: Final = 20_000
MAX_SOURCES: Final = 200
MAX_SOURCE_CHARACTERS: Final = 2_000_000
UNKNOWN: Final = "unknown"

Label = Literal["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
Relation = Literal["entailed", "contradicted", "not said"]


class GivenSourceRequest(BaseModel):
    """A text to check against. `id` is a name or an address by which the text may cite it; numbers cite by position."""

    model_config = ConfigDict(extra="forbid")

    id: Text = Field(min_length=1, max_length=2_000)
    text: Text
    title: Text = Field(
        "", max_length=1_000, description="What the source is about: what “it” may stand for."
    )


class AttributionRequest(DocumentFilters):
    """A text that anybody wrote, and its sources: given here, or the documents of a collection, or some of these."""

    text: Text = Field(description=f"At most {MAX_TEXT:,} characters, with its citations.")
    question: Text = Field("", max_length=8_000, description="What the text answers, if that is known.")
    sources: list[GivenSourceRequest] | None = Field(
        None, description=f"At most {MAX_SOURCES}, of {MAX_SOURCE_CHARACTERS:,} characters in all."
    )
    collection: str | None = Field(
        None, description="In place of `sources`: the collection to check against."
    )
    agent: Text = Field(
        UNKNOWN, min_length=1, max_length=200, description="Who wrote the text, as the trace is to name it."
    )

    @model_validator(mode="after")
    def _names_one_kind_of_sources(self) -> AttributionRequest:
        if (self.sources is None) == (self.collection is None):
            raise ValueError("one of sources and collection is needed")
        if self.sources is not None and self.narrowing:
            raise ValueError("documents and their like narrow a collection, not given sources")
        return self


class CheckedTextRequest(PostedFlowRequest):
    """A text to check against a collection: what the runner is asked by an `AttributionRequest`."""

    text_field: ClassVar[str] = "text"

    text: Text = ""
    answers: Text = Field("", description="The question that the text answers.")
    agent: Text = UNKNOWN

    @property
    def question(self) -> str:
        return bounded_text(self.text)


def bounded_sources(sources: list[GivenSourceRequest]) -> None:
    """Raises `InvalidInput` or `TooLarge` for too many sources, too much text, or two of one id."""
    if not sources:
        raise InvalidInput("There are no sources. Give at least one, or name a collection.")
    if len(sources) > MAX_SOURCES:
        raise TooLarge(
            f"There are {len(sources):,} sources and the limit is {MAX_SOURCES}. Ingest them into a collection."
        )
    ids: set[str] = set()
    for source in sources:
        if source.id in ids:
            raise InvalidInput(f"Two sources have the id {source.id[:100]!r}. Give each a name of its own.")
        ids.add(source.id)
    size = sum(len(source.text) for source in sources)
    if size > MAX_SOURCE_CHARACTERS:
        raise TooLarge(
            f"The sources have {size:,} characters and the limit is {MAX_SOURCE_CHARACTERS:,}. "
            "Ingest them into a collection."
        )


def bounded_text(text: str) -> str:
    """The text as it is. Raises `InvalidInput` where it is empty, `TooLarge` where it is too long."""
    if not text.strip():
        raise InvalidInput("The text is empty. Give the text whose claims are to be checked.")
    bounded(text, MAX_TEXT, "text", "Check it in parts.")
    return text


class AttributionPlace(BaseModel):
    """The characters `start` to `end` of a source are `text`: of the text given under that id, or of a page.

    Where a collection is checked, `source` is the id of a document, and `start` and `end` count in its page.
    """

    source: str
    start: int
    end: int
    text: str
    title: str | None = None
    page: str | None = None
    page_number: int | None = None
    chunk: str | None = None


class AttributedElement(SaysNull):
    """One part of a claim, the characters `start` to `end` of the text that was checked, and what the sources say."""

    element: str
    start: int
    end: int
    role: str
    relation: Relation
    evidence: AttributionPlace | None = None
    why: str = ""

    null_fields: ClassVar = ("evidence",)


class AttributedClaim(SaysNull):
    """A sentence of the text, its characters `start` to `end`, and the verdict on it.

    `cited` are the citations as the text has them; `cited_supports` tells whether what they name supports the claim,
    null where they name none of the sources. A sentence that is no claim has the note "not a claim", and `missing` says
    why.
    """

    text: str
    start: int
    end: int
    verdict: Label
    confidence: float = Field(description="How often verdicts like this one are right, 0 to 1.")
    attributable: float = Field(
        0.0,
        description="How likely a reader would call it attributable to the sources, by the words they share.",
    )
    elements: list[AttributedElement] = Field([])
    evidence: list[AttributionPlace] = Field([], description="The sentences from which the verdict follows.")
    cited: list[str] = Field([])
    cited_sources: list[str] = Field([], description="The ids of the sources that the citations name.")
    cited_supports: bool | None = None
    missing: str = Field("", description="What no source says of it, in words.")
    notes: list[str] = Field([])

    null_fields: ClassVar = ("cited_supports",)


class AttributionSummary(BaseModel):
    """How many sentences got which verdict; `not_claims` are questions, headings and the like."""

    claims: int
    supported: int
    refuted: int
    not_enough_info: int
    not_claims: int
    cited: int = Field(description="Claims that cite one of the sources.")
    cited_supported: int = Field(description="Of these, claims that what they cite supports.")
    sources: int | None = Field(None, description="How many sources were given; null for a collection.")
    collection: str | None = None
    session: str | None = Field(None, description="The trace, where a collection was checked.")
    version: str = Field(description="The version of ProvGraph that judged.")


class AttributionReport(BaseModel):
    claims: list[AttributedClaim]
    summary: AttributionSummary


class AttributionProgress(BaseModel):
    """How many sentences are judged."""

    doing: str
    done: int
    total: int
