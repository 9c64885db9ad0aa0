"""The things that a document names, and what may stand for them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from provgraph.reading.propositions import Span
from provgraph.reading.value_reading import MONTH_NAMES

_HONORIFIC: Final = re.compile(r"(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Sir|Dame|Lord|Lady)\b\.? ")
_MONTHS: Final = frozenset(MONTH_NAMES.split("|")) - {"April", "June"}  # which are first names, too
_BANDS: Final = frozenset("band group team duo trio orchestra club".split())


@dataclass
class DocumentEntity:
    """A thing that the document names. `nouns` are those said of it, `last` the sentence it was last named in."""

    name: str
    type: str = ""
    gender: str = ""
    plural: bool = False
    nouns: set[str] = field(default_factory=set)
    spans: list[Span] = field(default_factory=list)
    last: int = 0
    topic: bool = False
    strong: bool = False


def is_short_for(name: str, entity: DocumentEntity) -> bool:
    words = entity.name.split()
    name = _HONORIFIC.sub("", name)
    if len(words) < 2 or (" " in name.strip() and entity.type == "Person"):
        return False
    if entity.type == "Person":
        return name in (words[-1], words[0])
    return entity.type == "Organization" and len(name) > 3 and entity.name.startswith(name + " ")


def is_called(entity: DocumentEntity, noun: str) -> bool:
    return noun in entity.nouns or entity.name.lower().endswith(" " + noun)


def agrees(entity: DocumentEntity, gender: str) -> bool:
    if entity.name in _MONTHS:
        return False
    if gender in ("male", "female"):
        return entity.type == "Person" and entity.gender in ("", gender) and not entity.plural
    if gender == "thing":
        one = not entity.plural or entity.type in ("Organization", "Work", "Place")
        return entity.type not in ("Person", "Group") and one and not entity.gender
    return (
        entity.plural
        or entity.type == "Group"
        or (entity.type == "Organization" and bool(entity.nouns & _BANDS))
    )
