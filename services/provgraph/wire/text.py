"""Text in messages: what a request may carry, and the exact words of a document that an answer cites."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BaseModel, Field, SerializerFunctionWrapHandler, model_serializer

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
    require_short(len(text), most, what, advice)


def require_short(size: int, most: int, what: str, advice: str) -> None:
    """The same for texts of so many characters together."""
    if size > most:
        raise TooLarge(f"The {what} has {size:,} characters and the limit is {most:,}. {advice}")


class SaysNull(BaseModel):
    """A message that says null in some fields, also where other empty fields are left out."""

    null_fields: ClassVar[tuple[str, ...]] = ()

    @property
    def nulls(self) -> tuple[str, ...]:
        """The fields that are never left out."""
        return self.null_fields

    @model_serializer(mode="wrap")
    def _with_nulls(self, serialize: SerializerFunctionWrapHandler):  # type: ignore[no-untyped-def]
        """A declared return type would take the place of the model in the JSON schema."""
        fields: dict[str, Any] = serialize(self)
        for name in self.nulls:
            fields.setdefault(name, None)
        return fields


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
