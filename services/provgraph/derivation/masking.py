"""Names of several words are one word to the parser: "The Harbour at Night" is no harbour, nothing happens at night.

A name that the documents know and the question has is put in as a single made-up name before the question is parsed,
and stands in its place again in what was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from provgraph.derivation.evidence import ReadPassage
from provgraph.reading.questions import QuestionReading, read_question
from provgraph.reading.syntax import Parser

_STANDINS: Final = ("Zavolta", "Quendor", "Mirabex", "Toluvian", "Karvash", "Belindor")
"""Names that nothing has; each reads as a proper name and tells nothing of what kind of thing it is."""
_BRACKETS: Final = re.compile(r"(?<!\s)\s*\([^)]{0,200}\)\s*\Z")
_QUOTED: Final = re.compile(r"[\"“«]([^\"”»]{3,80})[\"”»]")
_LONGEST: Final = 100


def read_with_names(text: str, parser: Parser, passages: Sequence[ReadPassage]) -> QuestionReading:
    """What a question asks, its names of several words whole where a passage or a pair of quotation marks has them."""
    masked, names = mask(text, known_names(passages))
    question = read_question(masked, parser)
    whole: QuestionReading = unmasked(question, names) if names else question
    return whole


def known_names(passages: Iterable[ReadPassage]) -> set[str]:
    """Titles of several words, and such names that the passages mention."""
    names = set()
    for passage in passages:
        names.add(_BRACKETS.sub("", passage.title))
        names.update(mention.name for mention in passage.reading.mentions)
    return {name for name in names if len(name.split()) > 1 and len(name) <= _LONGEST}


def mask(text: str, names: Iterable[str]) -> tuple[str, dict[str, str]]:
    """The text with stand-ins, and the name of each. Longer names come first; a name is only masked whole."""
    found: dict[str, str] = {}
    for match in _QUOTED.finditer(text):
        names = {*names, match.group(1).rstrip(".,")}
    for name in sorted(names, key=lambda name: (-len(name), name)):
        standin = next(
            (standin for standin in _STANDINS if standin not in found and standin not in text), None
        )
        if standin is None:
            break
        bare = re.sub(r"\A(?:The|the|A|An)\s+", "", name)
        if bare not in text:
            continue
        spelled = r"\s+".join(map(re.escape, bare.split()))
        pattern = re.compile(rf"[\"“«]?\b(?:(?:The|the|A|An)\s+)?(?<![\w-]){spelled}(?![\w-])[\"”»]?")
        masked, count = pattern.subn(standin, text)
        if count and _is_name(bare):
            text, found[standin] = masked, name
    return text, found


def _is_name(words: str) -> bool:
    """Whether it has two words with capitals, or is capitalised and of several words."""
    return sum(word[:1].isupper() or word[:1].isdigit() for word in words.split()) >= min(
        2, len(words.split())
    )


def unmasked(value: Any, names: Mapping[str, str]) -> Any:
    """The same with the names in place of their stand-ins, in every text of it; positions stay those of the mask."""
    if isinstance(value, str):
        text = value
        for standin, name in names.items():
            text = text.replace(standin, name).replace(standin.lower(), name.lower())
        return text
    if isinstance(value, tuple):
        return tuple(unmasked(each, names) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            field.name: unmasked(getattr(value, field.name), names)
            for field in fields(value)
            if field.init and not field.name.startswith("_")
        }
        return replace(value, **changed)
    return value
