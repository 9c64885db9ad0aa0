"""Text as it comes in JSON."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

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
