"""The parentheses after a name: dates of life, a birth name, another name, an abbreviation, an office."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.language import wordnet
from provgraph.reading.entity_types import is_office_noun, type_of_noun
from provgraph.reading.phrases import Phrases
from provgraph.reading.syntax import Token
from provgraph.reading.value_reading import FoundValue
from provgraph.reading.values import Date, Value

_BORN: Final = re.compile(r"\b(?:born|b\.)(?!\w)", re.IGNORECASE)
_DIED: Final = re.compile(r"\b(?:died|d\.)(?!\w)|†", re.IGNORECASE)
_OTHER_NAME: Final = re.compile(r"\b(?:née|nee|né|born)\s+((?:[A-ZÀ-Þ][\w'’-]+\s?){1,4})")
_ABBREVIATION: Final = re.compile(r"\s?\(([A-Z][A-Za-z]?[A-Z&.]{1,8})\)")
_ROLE: Final = re.compile(
    r"\s?\((?P<role>(?:[A-Z]?[a-z]+[ -]){0,3}[A-Z]?[a-z]+(?: (?:of|for) [A-Z]\w+(?: [A-Z]\w+)?)?)"
    r"(?:(?:,| at| of) (?P<body>(?:[A-Z][\w&.’'-]*+\s?){1,5}))?\)"
)
_OF: Final = re.compile(" (?:of|for) ")
_NOT_NOW: Final = frozenset("the a an his her later then former future formerly".split())
_DASH: Final = re.compile(r"[-–—]|\bto\b")
_FAR: Final = 90
_SHORTEST_LIFE: Final = 10
"""Years: what is shorter is a term, a season or a stay."""


@dataclass(frozen=True)
class LifeDate:
    """What a parenthesis says of the name before it: `relation` to `text[start:end]`."""

    name: Token
    relation: str
    start: int
    end: int
    value: Value | None = None


def life_dates(phrases: Phrases) -> Iterator[LifeDate]:
    """Of each name of the sentence that has a parenthesis right after it."""
    for token in phrases.sentence.tokens:
        if not phrases.is_name(token) or token.relation in ("compound", "flat"):
            continue
        after = phrases.extent(token)[1].end
        if token.index in phrases.quoted:
            after += 1
        if phrases.text[after : after + 2].strip()[:1] == "(":
            yield from _of_parenthesis(phrases, token, after)
        elif phrases.text[after : after + 6].strip(" ,").startswith(("née", "nee", "né")):
            yield from _birth_name(phrases, token, after, after + 60)


def _of_parenthesis(phrases: Phrases, token: Token, after: int) -> Iterator[LifeDate]:
    close = phrases.text.find(")", after, phrases.sentence.end)
    if close < 0 or close - after > _FAR * 2:
        return
    short = _ABBREVIATION.match(phrases.text, after)
    if short and _initials(phrases.text_of(token).text, short[1]):
        yield LifeDate(token, "also-known-as", short.start(1), short.end(1))
        return
    yield from _birth_name(phrases, token, after, close)
    dates = [v for v in phrases.values if after <= v.start < close and isinstance(v.value, Date)]
    kind = _kind(phrases, token)
    if kind in ("Person", ""):
        yield from _office(phrases, token, after)
    if kind == "Person":
        yield from _life(phrases, token, dates, after)
    elif kind in _OPENING and len(dates) == 1:
        value = dates[0]
        yield LifeDate(token, _OPENING[kind], value.start, value.end, value.value)


def _office(phrases: Phrases, token: Token, after: int) -> Iterator[LifeDate]:
    """Of "A. Smith (Chair)" the office, of "Ada Novak (chief economist, Zenith Bank)" the body too."""
    match = _ROLE.match(phrases.text, after)
    if match is None or not _is_office(match["role"]) or _is_person(phrases, *match.span("role")):
        return
    yield LifeDate(token, "occupation" if match["role"].islower() else "position", *match.span("role"))
    if match["body"]:
        yield LifeDate(token, "works-for", *match.span("body"))


def _is_person(phrases: Phrases, start: int, end: int) -> bool:
    """Whether the parser takes several words for a person: "Katarina Chapman (Pia Miller)", a role and its actress."""
    words = [token for token in phrases.sentence.tokens if start <= token.start < end]
    return len(words) > 1 and all(token.entity[2:] == "PERSON" for token in words)


def names_an_office(words: str) -> bool:
    """Whether one has an office in brackets behind a name, as in the list of those present at a meeting."""
    return any(_is_office(match["role"]) for match in _ROLE.finditer(words))


def _is_office(role: str) -> bool:
    """Whether it is an office or a trade of today: "Treasurer", "Director of Finance"."""
    words = _OF.split(role)[0].lower().replace("-", " ").split()
    if words[0] in _NOT_NOW or not all(wordnet.known(w, "n") or wordnet.known(w, "a") for w in words):
        return False
    return is_office_noun(words[-1])


_OPENING: Final = {"Work": "release-date", "Event": "point-in-time"}


def _life(phrases: Phrases, token: Token, dates: Sequence[FoundValue], after: int) -> Iterator[LifeDate]:
    if len(dates) == 1 and isinstance(dates[0].value, Date) and dates[0].value.precision == "range":
        first, last = _ends(dates[0].value)
        start, end = dates[0].start, dates[0].end
        dash = _DASH.search(phrases.text, start, end)
        if dash is None or last.first[0] - first.first[0] < _SHORTEST_LIFE:
            return
        yield LifeDate(token, "born-on-date", start, dash.start(), first)
        yield LifeDate(token, "died-on-date", dash.end(), end, last)
    elif len(dates) == 1:
        value = dates[0]
        before = phrases.text[after : value.start]
        ends = _DIED.search(before) or (_DASH.search(before[-4:]) and not _BORN.search(before))
        if ends or _BORN.search(before) or _DASH.match(phrases.text[value.end : value.end + 3].strip()):
            yield LifeDate(
                token, "died-on-date" if ends else "born-on-date", value.start, value.end, value.value
            )
    elif len(dates) == 2 and _DASH.search(phrases.text[dates[0].end : dates[1].start]):
        if _years_between(dates[0].value, dates[1].value) < _SHORTEST_LIFE:
            return
        for relation, value in zip(("born-on-date", "died-on-date"), dates, strict=True):
            yield LifeDate(token, relation, value.start, value.end, value.value)


def _years_between(one: Value, other: Value) -> int:
    if isinstance(one, Date) and isinstance(other, Date):
        return other.first[0] - one.first[0]
    return 0


def _ends(date: Date) -> tuple[Date, Date]:
    """The two years of a range."""
    first, last = date.first[0], date.last[0]
    one = replace(date, last=(first, 12, 31), precision="year", text=str(first))
    return one, replace(date, first=(last, 1, 1), precision="year", text=str(last))


def _birth_name(phrases: Phrases, token: Token, after: int, close: int) -> Iterator[LifeDate]:
    match = _OTHER_NAME.search(phrases.text, after, close)
    if match and not any(v.start < match.end(1) and match.start(1) < v.end for v in phrases.values):
        yield LifeDate(token, "also-known-as", match.start(1), match.start(1) + len(match[1].rstrip()))


def _initials(name: str, short: str) -> bool:
    letters = "".join(word[0] for word in re.split(r"[\s-]+", name) if word and word[0].isupper())
    return letters.replace(".", "").upper().startswith(short.replace(".", "").upper()[:2])


def _kind(phrases: Phrases, token: Token) -> str:
    """The type of the name, from itself or from the noun that the sentence says of it."""
    kind = phrases.type_of(token)
    if token.head >= 0 and token.relation == "nsubj":
        above = phrases.sentence.tokens[token.head]
        if above.pos == "NOUN":
            return type_of_noun(above.lemma) or kind
    return kind
