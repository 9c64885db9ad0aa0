"""What a bibliography says of a document, where its own bytes do not say it better."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bibliography:
    """`date` is ISO 8601 as precise as it is known, or empty; `identifiers` each begin with what they are ("doi:…",
    "arXiv:…"); `source` is where the bytes came from."""

    creators: tuple[str, ...] = ()
    date: str = ""
    identifiers: tuple[str, ...] = ()
    abstract: str = ""
    source: str = ""


UNKNOWN = Bibliography()
