"""What a paper introduces by name, and what kind of thing it says that is: "Heron, a retrieval method"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from provgraph.extraction.papers.reading.lexicon import HEADS, KNOWN, NO_NAMES

_NAME: Final = r"([A-Z][A-Za-z\d]+(?:-[A-Z\d][A-Za-z\d]*)*)"
_HEAD: Final = "(" + "|".join(sorted(map(re.escape, HEADS), key=len, reverse=True)) + r")\b"
_KIND: Final = rf"(?:an?|the|our)\s+(?:[a-z][\w-]*\s+){{0,5}}?{_HEAD}"
_SAID: Final = re.compile(rf"(?<![\w-]){_NAME}(?:,\s+|\s+is\s+|\s+\(){_KIND}")
_PRESENTED: Final = re.compile(
    rf"\b(?:[Ww]e|[Tt]his\s+(?:paper|work|article))\s+(?:present|introduce|propose)s?\s+{_NAME}(?=\s*[,.(:;])"
)
_TITLE: Final = re.compile(rf"\s*{_NAME}\s*:\s")
_DATA: Final = re.compile(r"\b(?:data ?set|corpus|benchmark)\b", re.IGNORECASE)
_POINTING: Final = frozenset(
    "This That These Those It There Here He She They We Our Each Such What Which Another One Table Figure".split()
)
_SHORTEST: Final = 3


def own_name(title: str) -> str:
    """What a paper calls its own work: the name before the colon of its title; empty where there is none, or where it
    is a collection of data."""
    match = _TITLE.match(title)
    return match[1] if match and len(match[1]) >= _SHORTEST and not _DATA.search(title) else ""


def introduced(text: str) -> Mapping[str, str]:
    """The names that a passage introduces, each with its class of the research ontology."""
    kinds = {match[1]: "METHOD" for match in _PRESENTED.finditer(text)}
    kinds |= {match[1]: HEADS[match[2]] for match in _SAID.finditer(text)}
    return {
        name: kind
        for name, kind in kinds.items()
        if len(name) >= _SHORTEST and name not in KNOWN and name not in NO_NAMES and name not in _POINTING
    }
