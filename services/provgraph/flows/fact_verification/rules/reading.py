"""A statement as the judge reads it: tokens, what it denies, whether it says "only", where its predicate begins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from provgraph.language.terms import FUNCTION_WORDS, fold, terms_of_word

_WORD: Final = re.compile(
    r"\d+(?:[.,]\d+)*(?:st|nd|rd|th)?%?|[^\W\d_]+(?:\.[^\W\d_]\.?)+|[^\W_]+(?:['’\-–][^\W_]+)*|[.;:,()]"
)
_NOISE: Final = re.compile(r"-(?:LSB|LRB|RSB|RRB|LCB|RCB)-|``|''")
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_NUMBER_WORDS: Final = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
}
_ORDINALS: Final = {
    word: str(number)
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), 1
    )
}
AUXILIARIES: Final = frozenset(
    "is are was were be been being am has have had do does did can could will would shall should may might must "
    "became become becomes remains remained".split()
)
_NEGATORS: Final = frozenset(
    "not never no cannot neither nor none nobody nothing without n't hardly non".split()
)
_NEGATING_VERBS: Final = (
    "incapable of",
    "unable to",
    "failed to",
    "fails to",
    "fail to",
    "refused to",
    "refuses to",
    "declined to",
    "has yet to",
    "have yet to",
    "had yet to",
    "yet to",
    "free of",
    "lacks",
    "lacked",
    "lack",
    "avoided",
    "avoids",
    "instead of",
    "rather than",
    "ceased to",
    "far from",
    "anything but",
    "anything except",
    "anyone but",
    "anyone except",
    "everyone but",
    "everything but",
    "everything except",
    "other than",
    "outside of",
    "outside the",
    "stopped",
    "absent from",
    "excluded from",
    "missed",
    "missing from",
    "rejected",
    "rules out",
    "ruled out",
    "barely",
    "scarcely",
    "denied",
    "denies",
    "opposed to",
)
_EXCLUSIVE: Final = (
    "only ever",
    "nothing but",
    "no one but",
    "exclusively",
    "solely",
    "entirely",
    "purely",
    "strictly",
    "only",
    "merely",
    "alone",
)
_DAY: Final = r"(?:\d{1,2} [A-Z][a-z]+|[A-Z][a-z]+ \d{1,2} ?,?) \d{4}"
_LIVED: Final = re.compile(
    rf"\((?!\s*born)(?P<before>[^()]{{0,80}}?)(?P<born>{_DAY}|(?:c\. )?\d{{4}})"
    rf"\s*(?:--|[-–−])\s*(?P<died>{_DAY}|\d{{4}})\s*\)"
)
"""The dates of a life as encyclopedias write them behind a name: "(10 February 1894 – 29 December 1986)"."""

_EARLY: Final = 10
"""Tokens within which a pronoun is taken for the subject of a sentence: "In 2013 she …"."""

_FILLER: Final = frozenset(
    "there called known named exists being one kind type form also thing something ever".split()
)


@dataclass(frozen=True)
class Token:
    """`term` is what tokens are compared by; `number` is the value of a number in digits, else empty."""

    text: str
    term: str
    index: int
    number: str = ""
    ordinal: bool = False

    @property
    def is_name(self) -> bool:
        return self.text[:1].isupper()

    @property
    def is_stop(self) -> bool:
        return not self.text[0].isalnum()

    @property
    def is_function(self) -> bool:
        return self.is_stop or (self.text.casefold() in FUNCTION_WORDS and not self.number)


@dataclass(frozen=True)
class Reading:
    """`negated` holds the indexes of the tokens that deny; `exclusive` those of "only" and the like."""

    text: str
    tokens: tuple[Token, ...]
    negated: tuple[int, ...]
    exclusive: tuple[int, ...]

    @cached_property
    def content(self) -> tuple[Token, ...]:
        """The tokens that say what it is about, without what denies or excludes."""
        marks = {*self.negated, *self.exclusive}
        return tuple(
            each
            for each in self.tokens
            if not each.is_function and each.index not in marks and each.text.casefold() not in _FILLER
        )

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(token.term for token in self.tokens)

    @cached_property
    def predicate_start(self) -> int:
        """The index of the token at which the predicate begins: the first auxiliary, else the first word in lower case
        behind the name at the start."""
        return _predicate_start(self.tokens)

    @property
    def subject(self) -> tuple[Token, ...]:
        return tuple(each for each in self.content if each.index < self.predicate_start)

    @property
    def predicate(self) -> tuple[Token, ...]:
        return tuple(each for each in self.content if each.index >= self.predicate_start)

    @property
    def denies(self) -> bool:
        """Whether an odd number of words denies it."""
        return len(self.negated) % 2 == 1


@lru_cache(maxsize=20_000)
def read(text: str) -> Reading:
    """Never fails: a text without words is a reading without tokens."""
    plain = _NOISE.sub(" ", text)
    plain = _LIVED.sub(r"( \g<before> born \g<born> ; died \g<died> )", plain)
    tokens = tuple(_tokens(plain))
    return Reading(text, tokens, _negated(tokens), _marked(tokens, _EXCLUSIVE))


def refers_back(reading: Reading) -> bool:
    """Whether a sentence begins with a word for something named before: "It", "He", "The film", "Her album"."""
    words = [token for token in reading.tokens[:3] if not token.is_stop]
    if not words:
        return True
    first = words[0].text.casefold()
    if first in ("the", "this", "its", "his", "her", "their", "these", "those"):
        return len(words) > 1 and not words[1].is_name
    early = {token.text.casefold() for token in reading.tokens[:_EARLY]}
    return bool({"it", "he", "she", "they"} & early)


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    for match in _WORD.finditer(text):
        for word in _parts(match.group()):
            found.append(_token(word, len(found)))
    return found


def _parts(word: str) -> list[str]:
    """Contractions apart: "wasn't" → "was", "n't"; a name without its possessive."""
    lower = word.casefold().replace("’", "'")
    if lower == "cannot":
        return ["can", "not"]
    if lower.endswith("n't"):
        return [word[:-3] or word, "n't"]
    word = _POSSESSIVE.sub("", word) or word
    return [part for part in re.split("[-–]", word) if part] if "-" in word or "–" in word else [word]


def _token(word: str, index: int) -> Token:
    lower = word.casefold()
    if word[0].isdigit():
        digits = re.sub(r"[^\d.]", "", word).rstrip(".")
        return Token(word, digits, index, digits, word[-2:] in ("st", "nd", "rd", "th"))
    if lower in _NUMBER_WORDS:
        return Token(word, _NUMBER_WORDS[lower], index, _NUMBER_WORDS[lower])
    if lower in _ORDINALS:
        return Token(word, _ORDINALS[lower], index, _ORDINALS[lower], True)
    return Token(word, next(iter(terms_of_word(word)), fold(word)), index)


def _negated(tokens: Sequence[Token]) -> tuple[int, ...]:
    """Negators and verbs that deny, each once; "not only" and "no. 1" deny nothing."""
    found = list(_marked(tokens, _NEGATING_VERBS, firsts=True))
    for token in tokens:
        if token.text.casefold() not in _NEGATORS or token.index in found:
            continue
        after = tokens[token.index + 1].text.casefold() if token.index + 1 < len(tokens) else ""
        if after in ("only", "just", "later", "doubt") or (token.text.casefold() == "no" and after == "."):
            continue
        found.append(token.index)
    zeros = [each.index for each in tokens if each.number == "0" and each.text.casefold() == "zero"]
    return tuple(sorted({*found, *zeros}))


def _marked(tokens: Sequence[Token], phrases: Sequence[str], firsts: bool = False) -> tuple[int, ...]:
    """The indexes of the words of the phrases that occur, or of the first word of each."""
    words = [token.text.casefold() for token in tokens]
    found: set[int] = set()
    for each in phrases:
        parts = each.split()
        for at in range(len(words) - len(parts) + 1):
            if words[at : at + len(parts)] == parts and at not in found:
                found |= {at} if firsts else set(range(at, at + len(parts)))
    return tuple(sorted(found))


def _predicate_start(tokens: Sequence[Token]) -> int:
    for token in tokens[1:]:
        if token.text.casefold() in AUXILIARIES:
            return token.index
    named = False
    for token in tokens:
        if named and token.text[0].islower() and token.text.casefold() not in FUNCTION_WORDS:
            return token.index
        named = named or token.is_name or token.index > 0
    return len(tokens)
