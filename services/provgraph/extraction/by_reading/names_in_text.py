"""Whether the words that a parser took for a name are one, and all of it, in the text that they stand in."""

from __future__ import annotations

import re
from typing import Final

from provgraph.extraction.by_reading.kinds import is_abstract
from provgraph.language import wordnet
from provgraph.reading.entity_types import demonyms, type_of_name, type_of_noun
from provgraph.reading.propositions import Argument

_LONGEST: Final = 9
_DATED: Final = re.compile(
    r"(?:\b(?:in|of|since|by|until|from|to|and|January|February|March|April|May|June|July|August|September|October"
    r"|November|December)|\d,?)\s*$"
)
_YEAR_FIRST: Final = re.compile(r"(?:1\d|20)\d\d\s")
_JOINED: Final = re.compile(r"\s(?:and|&)\s((?:[A-Z][\w’'-]*\s?)+)")
_TITLE: Final = re.compile(
    r"(?:The|A|An|Dr|Mr|Mrs|Ms|Sir|Dame|Lord|Lady|Saint|St|General|Colonel|Prof|Mayor|Pope)\.?"
)
_ANY: Final = frozenset("a an any each every such no".split())
_ROLE: Final = re.compile(r"(?:er|or|ee|ant|ent|tion|ment|y|ity)s?$")
_CODE: Final = re.compile(r"\d{5}|^\d+$")
_VERBAL: Final = re.compile(r"\s[A-Z][\w’'-]*")
_COMMON: Final = re.compile(
    r"(?:and|or)\b|(?:Company|Registrant|Corporation|Board|Committee|Plan|Group) and\b"
)
_NUMBERED: Final = re.compile(
    r"\s\d+\b(?! (?:January|February|March|April|May|June|July|August|Sep|Oct|Nov|Dec))|[–—]\w"
)
_SUFFIX: Final = re.compile(r",? (?:Jr|Sr|II|III|IV|D\.C)\b")
_PARTICLE: Final = re.compile(
    r"[A-Z][\w’'-]{0,60} (?:ap|ab|al|bin|ibn|ben|da|de|del|della|den|der|di|do|dos|du|el|la|le|van|von|y|zu) $"
)
_SHARED: Final = re.compile(
    r"(?: &|(?:, [A-Z][\w-]+)+,? (?:and|&) [A-Z][\w-]+ (?:[a-z]+ing|[a-z]+tion|report|act|program|plan)\b)"
)


def is_whole_name(label: str) -> bool:
    """Whether it has a capital letter and is no longer than names are, with each bracket and quote in a pair."""
    words = label.split()
    paired = label.count("(") == label.count(")") and label.count('"') % 2 == 0
    return (
        bool(words)
        and len(words) <= _LONGEST
        and paired
        and not _CODE.search(label)
        and not _SUFFIX.fullmatch(f", {label.rstrip('.')}")
        and not _COMMON.match(label)
        and any(w[:2] != w[:2].lower() for w in words)
    )


def is_cut_off(argument: Argument, text: str) -> bool:
    """Whether the name goes on in the text to one side, as "Disc" of "Blu-ray Disc" does, or begins with the year of a
    date: "in 2016 Ada Novak"."""
    start, end = argument.span.start, argument.span.end
    words = argument.text.split()
    before, after = text[max(0, start - 40) : start], text[end : end + 60]
    if _YEAR_FIRST.match(argument.text) and _DATED.search(before):
        return True
    joined = _JOINED.match(after)
    if joined and len(words) == 1 and type_of_name(joined[1].strip()) in ("Organization", "Event"):
        return True
    if before[-1:].isalnum() or before[-1:] in ("-", "’", "'", "/", "&") or after[:1] in ("-", "/", "&"):
        return True
    person = argument.entity_type == "Person" and len(words) > 1
    if (
        _NUMBERED.match(after)
        or _SUFFIX.match(after)
        or (not person and _SHARED.match(after))
        or _PARTICLE.search(before)
    ):
        return True
    if len(words) > 1:
        return _follows_name(before) or bool(_VERBAL.match(after))
    if argument.determiner:
        return False
    return before.endswith(("’s ", "'s ")) or _goes_on(before, after)


def _follows_name(before: str) -> bool:
    """Whether a capital word that is no role, title or people stands right before a name, as "Karlsen" stands before
    "Group Limited"."""
    word = before.rsplit(None, 1)[-1] if before.endswith(" ") and before.strip() else ""
    if not word[:1].isupper() or not word.isalpha() or _TITLE.fullmatch(word) or word in demonyms():
        return False
    begins = before.rstrip()[: -len(word)].rstrip()[-1:] in ("", ".", "\n", "“", '"')
    lower = word.lower()
    said = type_of_noun(lower) or wordnet.fields(lower, "n", 1)[:1] in (
        ("noun.person",),
        ("noun.group",),
        ("noun.time",),
    )
    return not begins and not said and not wordnet.known(lower, "v")


def _goes_on(before: str, after: str) -> bool:
    """Whether a word with a capital stands right beside a name of one word, and is no title, trade or people."""
    word = before.rsplit(None, 1)[-1] if before.endswith(" ") and before.strip() else ""
    is_name = word[:1].isupper() and word.isalpha() and not _TITLE.fullmatch(word) and word not in demonyms()
    begins = before.rstrip()[: -len(word)].rstrip()[-1:] in ("", ".") if word else True
    return bool(_VERBAL.match(after)) or (is_name and not begins and not type_of_noun(word))


def is_common_noun(argument: Argument, text: str) -> bool:
    """Whether a name of one word is a common noun with a capital: the text has it in small letters too, or it names a
    kind of thing after an article ("the Company")."""
    words = argument.text.split()
    if (argument.determiner in _ANY or argument.of) and not type_of_name(argument.text):
        return all(wordnet.known(word.lower(), "n") or wordnet.known(word.lower(), "a") for word in words)
    if len(words) != 1 or (len(argument.text) > 1 and argument.text.isupper()):
        return False
    lower = argument.text.lower()
    if argument.determiner in ("a", "an", "any", "no", "each", "every") or type_of_noun(lower):
        return True
    if argument.determiner in ("the", "such", "this") and (_ROLE.search(lower) or wordnet.known(lower, "n")):
        return True
    if _begins_sentence(argument, text) and is_abstract(lower) and argument.entity_type != "Person":
        return not re.search(rf"[a-z,;] (?:the )?{re.escape(argument.text)}\b", text)
    return argument.text.istitle() and bool(re.search(rf"\b{re.escape(lower)}s?\b", text))


def _begins_sentence(argument: Argument, text: str) -> bool:
    before = text[: argument.span.start].rstrip()
    return not before or before[-1] in ".!?:;\n•"
