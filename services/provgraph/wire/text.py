"""Text in messages: what a request may carry, and the exact words of a document that an answer cites."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from provgraph.errors import TooLarge


def _whole_characters(text: str) -> str:
    """JSON can write half a character (`"\\ud800"`), which no store and no answer can hold."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"half a character (a lone surrogate) stands at {error.start}") from error
    return text


Text = Annotated[str, AfterValidator(_whole_characters)]
"""Any text of whole characters."""


def bounded(text: str, most: int, what: str, advice: str) -> None:
    """Raises `TooLarge` for a text of more than `most` characters, with a sentence of advice."""
    if len(text) > most:
        raise TooLarge(f"The {what} has {len(text):,} characters and the limit is {most:,}. {advice}")


class CitedSource(BaseModel):
    """Exact words of a page: the text of `page` from `start` to `end`, in characters, is `text`."""

    document: str
    title: str
    page: str
    page_number: int
    chunk: str
    chunk_number: int
    start: int
    end: int
    text: str
    source: str = Field("", description="The name of the document's file.")
    address: str = Field(
        "", description="Where the words can be read on the web, if the document has an address."
    )
