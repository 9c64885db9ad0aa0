"""A claim or a sentence as units: names, dates, numbers and single content words, each with what governs it.

Units are what words are compared by where the statements of claim and evidence are put differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Final, Literal

from provgraph.language import wordnet
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.value_reading import FoundValue, find_values
from provgraph.reading.values import Date, Ordinal, Quantity, Value, contains, excludes
from provgraph.verdicts.lexicon import phrasal_verbs, phrase, places
from provgraph.verdicts.things import demonym_place, is_deciding

Kind = Literal["name", "nation", "date", "number", "ordinal", "noun", "verb", "adjective", "adverb"]
KIND_WEIGHTS: Final[dict[str, float]] = {
    "name": 1.5, "nation": 1.2, "date": 1.5, "number": 1.4, "ordinal": 1.2, "noun": 1.0, "verb": 0.8,
    "adjective": 0.8, "adverb": 0.4,
}  # fmt: skip
"""How much of a claim a unit is; names and values tell most."""

_KINDS: Final[dict[str, Kind]] = {
    "NOUN": "noun", "VERB": "verb", "ADJ": "adjective", "ADV": "adverb", "PROPN": "name", "NUM": "noun",
    "X": "noun", "INTJ": "noun",
}  # fmt: skip
_LIGHT_VERBS: Final = frozenset("be have do make take get give go come become include use".split())
_EMPTY: Final = frozenset(
    "there also too then very so well thus however therefore additionally furthermore moreover such just here how when "
    "where why who which that only solely exclusively merely not n't never no none other another own same".split()
)
_QUANTIFIERS: Final = frozenset("all every each both most half entire".split())
_TIMES: Final = {"once": 1, "twice": 2, "thrice": 3}
_TIME_WORDS: Final = frozenset("first second third fourth fifth last separate different several".split())
_BOUNDS: Final = [
    each.split() for each in ("more than", "fewer than", "less than", "at least", "at most", "greater than")
]
_PARTICLES: Final = frozenset(
    "up down on off out over away back in forward forth through around about along apart aside together by".split()
)
_INSIDE_NAMES: Final = frozenset("of de la du von van der &".split())


@dataclass(frozen=True)
class Unit:
    """A unit of a sentence. `head` is the token that the rest of the sentence hangs it on, `value` what it is worth.

    `light` says that it adds next to nothing ("have", "make"), `above` the index of the unit governing it, -1 for none.
    """

    kind: Kind
    tokens: tuple[Token, ...]
    head: Token
    value: Value | None = None
    above: int = -1
    light: bool = False

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end

    @property
    def deciding(self) -> bool:
        """Whether it changes what the claim says, as "first", "vice" and "most" do."""
        return self.kind in ("adjective", "adverb") and is_deciding(self.head.text.lower())

    @property
    def weight(self) -> float:
        return 0.2 if self.light else KIND_WEIGHTS[self.kind]


def units_of(sentence: ParsedSentence, text: str) -> list[Unit]:
    """The units of a parsed sentence of `text`, in its order."""
    values = _values(sentence, text)
    units: list[Unit] = []
    owner: dict[int, int] = {}
    particles = _particles(sentence)
    for group, value in _groups(sentence, values):
        kind = _kind(group, value)
        told = group[0].index in particles.values() or _no_longer(group[0], sentence)
        if kind is None or told or _bounds_number(group[0], sentence):
            continue
        head = _head_of(group)
        if kind == "verb" and head.index in particles:
            particle = sentence.tokens[particles[head.index]].text.lower()
            head = replace(head, lemma=f"{head.lemma.lower()} {particle}")
        light = (kind == "verb" and head.lemma.lower() in _LIGHT_VERBS) or _is_occasion(head, sentence)
        owner.update((token.index, len(units)) for token in group)
        units.append(Unit(kind, tuple(group), head, value, light=light))
    return [replace(unit, above=_above(unit, sentence, owner)) for unit in units]


def _is_occasion(noun: Token, sentence: ParsedSentence) -> bool:
    """Whether a word for times is counted ("on two occasions", "the first time") or leads a clause ("by the time")."""
    counted = ("nummod", "amod", "case")
    return noun.lemma.lower() in ("time", "occasion") and any(
        c.relation in counted and (c.pos == "NUM" or c.text.lower() in (*_TIME_WORDS, "by"))
        for c in sentence.children[noun.index]
    )


def _no_longer(token: Token, sentence: ParsedSentence) -> bool:
    before = sentence.tokens[token.index - 1] if token.index else token
    return token.text.lower() in ("longer", "more") and token.pos == "ADV" and before.text.lower() == "no"


def _bounds_number(token: Token, sentence: ParsedSentence) -> bool:
    """Whether it is a word of "more than 300" or "at least 300", which the number has read already."""
    ahead = [each.text.lower() for each in sentence.tokens[token.index : token.index + 2]]
    number = next((t for t in sentence.tokens[token.index + 2 : token.index + 3]), None)
    return ahead in _BOUNDS and number is not None and number.pos == "NUM"


def _particles(sentence: ParsedSentence) -> dict[int, int]:
    """Of verbs the particle that makes another verb of them: of "turned it down" 0 and 2."""
    particles: dict[int, int] = {}
    for token in sentence.tokens:
        if token.head < 0 or token.text.lower() not in _PARTICLES or sentence.children[token.index]:
            continue
        verb = sentence.tokens[token.head]
        together = (
            token.relation in ("compound:prt", "advmod") and verb.pos == "VERB" and verb.index < token.index
        )
        if not together and _stands_before_preposition(token, sentence):  # "went up from 45 to 52"
            verb, together = sentence.tokens[token.index - 1], True
        pair = f"{verb.lemma.lower()} {token.text.lower()}"
        if together and (pair in phrasal_verbs() or wordnet.known(pair, "v")):
            particles.setdefault(verb.index, token.index)
    return particles


def _stands_before_preposition(particle: Token, sentence: ParsedSentence) -> bool:
    """Whether it is between a verb and another preposition, on whose noun a parser may have hung it."""
    around = sentence.tokens[max(particle.index - 1, 0) : particle.index + 2]
    return len(around) == 3 and around[0].pos == "VERB" and around[2].tag in ("IN", "TO")


def _values(sentence: ParsedSentence, text: str) -> list[FoundValue]:
    values = find_values(text, sentence.start, sentence.end)
    for token in sentence.tokens:
        if token.text.lower() in _TIMES:
            amount = Decimal(_TIMES[token.text.lower()])
            value = Quantity(amount, token.text, noun="time", low=amount, high=amount)
            values.append(FoundValue(token.start, token.end, value))
    for first, second in pairwise(sentence.tokens):
        if first.text.lower() in ("number", "no.", "nr.") and second.text.isdigit():  # "pick number 20"
            values.insert(0, FoundValue(first.start, second.end, Ordinal(int(second.text), second.text)))
    return values


def _groups(
    sentence: ParsedSentence, values: Sequence[FoundValue]
) -> Iterator[tuple[list[Token], Value | None]]:
    """Tokens that belong together: those of a value, those of a name, and each other token alone."""
    tokens, at = sentence.tokens, 0
    while at < len(tokens):
        value = next((v for v in values if v.start <= tokens[at].start < v.end), None)
        if _may_begin_name(tokens[at], value) and _begins_name(tokens, at):
            end = _name_end(tokens, at + 1, values)
            yield list(tokens[at:end]), None
        elif value is not None:
            end = at + 1
            while end < len(tokens) and tokens[end].start < value.end:
                end += 1
            yield list(tokens[at:end]), value.value
        elif tokens[at].pos == "PROPN" and not demonym_place(tokens[at].text):
            end = _name_end(tokens, at, values)
            yield list(tokens[at:end]), None
        else:
            end = at + 1
            yield [tokens[at]], None
        at = end


def _name_end(tokens: Sequence[Token], at: int, values: Sequence[FoundValue]) -> int:
    """Where a name that begins at `at` ends: hyphens, numbers after hyphens and "of the" may stand inside it."""
    end = at + 1
    while end < len(tokens):
        token = tokens[end]
        if token.text == "-" and token.start == tokens[end - 1].end and end + 1 < len(tokens):
            if tokens[end + 1].start != token.end:
                break
            end += 2
        elif value := next((v for v in values if v.start <= token.start < v.end), None):
            return end + 1 if _numbers_name(token, value, range(at, end)) else end
        elif token.pos == "PROPN":
            end += 1
        elif token.text.lower() in _INSIDE_NAMES and (length := _bridge(tokens, end)):
            end += length
        else:
            break
    return end


def _numbers_name(token: Token, value: FoundValue, name: range) -> bool:
    """Whether a plain number behind a name belongs to it: "Harbour Row 12", "Unit 4"."""
    is_plain = isinstance(value.value, Quantity) and (value.start, value.end) == (token.start, token.end)
    return is_plain and token.head in name and len(token.text) < 4


def _may_begin_name(token: Token, value: FoundValue | None) -> bool:
    """A demonym, an ordinal or an adjective may be the first word of a name."""
    if value is not None:
        return isinstance(value.value, Ordinal)
    return token.pos == "ADJ" or (token.pos == "PROPN" and bool(demonym_place(token.text)))


def _bridge(tokens: Sequence[Token], at: int) -> int:
    """How many small words stand between two parts of a name: 1 for "of", 2 for "of the", 0 for none."""
    for length in (1, 2):
        beyond = at + length
        if beyond < len(tokens) and tokens[beyond].pos == "PROPN":
            return length if length == 1 or tokens[at + 1].text.lower() == "the" else 0
    return 0


def _begins_name(tokens: Sequence[Token], at: int) -> bool:
    """Whether a capitalised word before a name is a part of it: "Indian Army", "First Motion Picture Unit"."""
    follows = at + 1 < len(tokens) and tokens[at + 1].pos == "PROPN" and tokens[at + 1].text[:1].isupper()
    return follows and tokens[at].text[:1].isupper() and not demonym_place(tokens[at + 1].text)


def _kind(group: Sequence[Token], value: Value | None) -> Kind | None:
    if isinstance(value, Date):
        return "date"
    if isinstance(value, Quantity):
        return "number"
    if isinstance(value, Ordinal):
        return "ordinal"
    token = group[0]
    if len(group) == 1 and (token.text.lower() in _EMPTY or token.relation in ("aux", "aux:pass", "cop")):
        return None
    if len(group) > 1:
        return "name"
    if demonym_place(token.text) and token.pos in ("ADJ", "PROPN", "NOUN"):
        return "nation"
    if not any(c.isalnum() for c in token.text):
        return None
    if token.text.lower() in _QUANTIFIERS:
        return "adjective"
    if token.pos == "PROPN" and token.text.islower():
        return "noun"
    return _KINDS.get(token.pos)


def _head_of(group: Sequence[Token]) -> Token:
    """The token that hangs on one outside the group."""
    inside = {token.index for token in group}
    return next((t for t in group if t.head not in inside), group[-1])


def _above(unit: Unit, sentence: ParsedSentence, owner: dict[int, int]) -> int:
    inside = {token.index for token in unit.tokens}
    head = unit.head.head
    while head >= 0:
        if head in owner and head not in inside:
            return owner[head]
        head = sentence.tokens[head].head
    return -1


def is_place(unit: Unit, text: str) -> bool:
    return phrase(text[unit.start : unit.end]) in places().chains


def met_value(unit: Unit, other: Unit) -> bool:
    """Whether the evidence's value is the claim's, or within it; what is counted has units of its own."""
    one, two = unit.value, other.value
    if one is None or two is None:
        return False
    if isinstance(one, Quantity) and isinstance(two, Quantity):
        one, two = replace(one, noun=""), replace(two, noun="")
    return bool(contains(one, two))


def excluded_value(unit: Unit, other: Unit) -> bool:
    one, two = unit.value, other.value
    if one is None or two is None:
        return False
    if isinstance(one, Quantity) and isinstance(two, Quantity):
        one, two = replace(one, noun=""), replace(two, noun="")
    if isinstance(one, Date) and isinstance(two, Date) and one.has_year != two.has_year:
        return False
    return bool(excludes(one, two))
