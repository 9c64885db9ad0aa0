"""The port to whatever recognises text in pictures. Implemented by
`adapters.tesseract.TesseractRecogniser`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class RecogniserProfile:
    """Who recognises: `name` as a word, `version` with all settings that decide what it makes of a picture."""

    name: str
    version: str


@dataclass(frozen=True)
class RecognisedText:
    """The text of a picture, and how sure its recogniser is of the words, from 0 to 1; 0 where there are none."""

    text: str
    confidence: float


class TextRecogniser(Protocol):
    def profile(self) -> RecogniserProfile:
        """Who it is now. Raises `Unavailable` that says what to install, where it cannot be used."""
        ...

    def recognise(self, picture: bytes) -> RecognisedText:
        """The text of a picture, a PNG in grey at about 300 dpi. The same picture gives the same text.

        Raises `TimedOut` when it takes too long, `Unavailable` when the recogniser fails.
        """
        ...
