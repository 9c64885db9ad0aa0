"""How far the units of a claim are met by one sentence of the evidence, and what the others have there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from provgraph.reading.syntax import Token
from provgraph.reading.values import Date, Quantity
from provgraph.verdicts.compared import words_passed_over
from provgraph.verdicts.converses import all_converses, may_be_said, roles
from provgraph.verdicts.covers import MET, Cover, Rival
from provgraph.verdicts.lexicon import phrase, places
from provgraph.verdicts.masking import bare_title
from provgraph.verdicts.matching import MORE
from provgraph.verdicts.names import name_words, part_of_name, same_name
from provgraph.verdicts.sentence_words import SentenceWords
from provgraph.verdicts.texts import TextMeaning
from provgraph.verdicts.units import Unit, excluded_value, met_value
from provgraph.verdicts.word_links import WORTH, Link, Way, name_way, word_way

_LANDS: Final = frozenset("country nation place region state area location city town".split())
_TYPES: Final = _LANDS | frozenset("person people man woman someone human individual".split())
_PART_OF_TITLE: Final = re.compile(r"[,:;|()]| [-–—] ")
"""Between the parts of a title, each of which may name what the text is about: "Lease agreement, Harbour Row 12"."""
_LEFT_OUT: Final = re.compile(
    r"\b(?:without|except(?: for)?|excluding|not)(?: (?:the|a|an|his|her|its|any))?\s*$"
)
_OF_THEM: Final = (["of", "them"], ["of", "these"], ["of", "those"], ["of", "whom"], ["of", "which"])
_SHARES: Final = frozenset("half double twice triple third quarter".split())
_NEAR: Final = 2
"""Steps of a tree between two words that belong together."""


class Covering:
    """Covers the units of a claim by sentences of one text. `topics` are the names that the claim is about."""

    def __init__(
        self, units: Sequence[Unit], text: str, topics: frozenset[str], meaning: TextMeaning
    ) -> None:
        self._units, self._text, self._topics, self._meaning = units, text, topics, meaning
        self._names = [unit for unit in units if unit.kind == "name"]
        self._below: dict[int, list[int]] = defaultdict(list)
        for number, unit in enumerate(units):
            self._below[unit.above].append(number)
        self._title = bare_title(meaning.evidence)
        self._title_parts = [part.strip() for part in _PART_OF_TITLE.split(self._title) if part.strip()]

    def cover(self, sentence: SentenceWords) -> Cover:
        options = [
            [link for link in self._options(unit, sentence) if left_out or not sentence.is_denied(link.at)]
            for unit in self._units
            for left_out in (_LEFT_OUT.search(self._text[: unit.start].lower()),)
        ]
        options = self._shared_out(options, sentence)
        passed = words_passed_over(self._units, options, sentence, self._meaning.evidence.text)
        each = zip(self._units, options, strict=True)
        options = [[link for link in some if link.at not in passed.get(unit.kind, ())] for unit, some in each]
        first = [max(some, key=lambda link: link.worth, default=None) for some in options]
        links = [
            max(some, key=lambda link: link.worth + 0.1 * self._hangs(i, link, first, sentence), default=None)
            for i, some in enumerate(options)
        ]
        return Cover(self._units, links, sentence, self._rivals(links, sentence, passed), options)

    def _shared_out(self, options: list[list[Link]], sentence: SentenceWords) -> list[list[Link]]:
        """The options without words of a longer name that the claim names as well: with the World Cup no world."""
        named = {w for u in self._units if u.kind == "name" for w in name_words(self._text[u.start : u.end])}
        inside = {
            token.index for other in sentence.units if other.kind == "name" and len(other.tokens) > 1
            for token in other.tokens if token.text.lower() in named
        }  # fmt: skip
        return [
            [link for link in some if link.at not in inside] if unit.kind in ("noun", "adjective") else some
            for unit, some in zip(self._units, options, strict=True)
        ]

    def _hangs(self, number: int, link: Link, links: Sequence[Link | None], sentence: SentenceWords) -> float:
        """How many of the units that it hangs on, or that hang on it, are met near by."""
        unit = self._units[number]
        around = [unit.above] if unit.above >= 0 else []
        near = [links[i] for i in (*around, *self._below.get(number, ()))]
        return sum(
            1.0 / max(sentence.distance(link.at, other.at), 1)
            for other in near
            if other is not None and other.at >= 0 and link.at >= 0
        )

    # what meets a unit

    def _options(self, unit: Unit, sentence: SentenceWords) -> list[Link]:
        if unit.value is not None:
            return list(self._by_value(unit, sentence))
        if unit.kind in ("name", "nation"):
            links = list(self._by_name(unit, sentence))
            met = any(link.worth >= MET for link in links)
            return links if met else [*links, *self._by_topic(unit, sentence)]
        return [*self._by_word(unit.head, sentence), *self._by_converse(unit, sentence)]

    def _by_converse(self, unit: Unit, sentence: SentenceWords) -> Iterator[Link]:
        """The event or relation told from its other side; `role_agreement` asks for exchanged roles."""
        lemma = unit.head.lemma.lower()
        if unit.kind not in ("noun", "verb") or not all_converses(lemma) or self._fills_role(unit):
            return
        way: Way = "converse" if may_be_said(lemma, self._bearer(unit)) else "wider"
        for other in sentence.words:
            if roles(lemma, other.lemma.lower()) is not None:
                yield Link(way, WORTH[way], other.index)

    def _fills_role(self, unit: Unit) -> bool:
        """Whether a noun only stands for who does something: "the landlord pays" is not told by "the tenant pays"."""
        if unit.kind == "noun" and unit.head.relation == "nmod":
            number = self._units.index(unit)
            return all(self._units[i].kind == "number" for i in self._below.get(number, ()))
        if unit.kind != "noun" or not unit.head.relation.startswith(("nsubj", "obj", "iobj", "obl")):
            return False
        above = self._units[unit.above] if unit.above >= 0 else None
        return above is not None and above.kind == "verb"

    def _bearer(self, unit: Unit) -> str:
        """The name of whom a noun is said: the subject of a copula, or what the noun is in apposition to."""
        for other in self._names:
            subject = other.head.relation.startswith("nsubj") and other.head.head == unit.head.index
            named = unit.head.relation in ("nsubj", "appos") and other.head.index == unit.head.head
            if subject or named:
                return self._text[other.start : other.end]
        return ""

    def _by_value(self, unit: Unit, sentence: SentenceWords) -> Iterator[Link]:
        assert unit.value is not None
        for other in sentence.units:
            if other.value is not None and met_value(unit, other) and self._of_all(other, sentence):
                yield Link("same", 1.0, other.head.index)
            elif unit.kind == other.kind == "date" and met_value(other, unit):
                yield Link("wider", WORTH["wider"], other.head.index)
        words = self._text[unit.start : unit.end].lower()
        if len(unit.tokens) == 1:
            for token in sentence.parsed.tokens:
                at = sentence.unit_at.get(token.index)
                whole = at is None or self._of_all(sentence.units[at], sentence)
                if token.text.lower() == words and whole and not _is_bounded_otherwise(unit, at, sentence):
                    yield Link("same", 0.95, token.index)

    def _of_all(self, number: Unit, sentence: SentenceWords) -> bool:
        """Whether it counts all, or the claim as well counts some beside others."""
        return not _is_beside_others(number, sentence) or not MORE.isdisjoint(self._text.lower().split())

    def _by_name(self, unit: Unit, sentence: SentenceWords) -> Iterator[Link]:
        name = self._text[unit.start : unit.end]
        for other in sentence.units:
            if other.kind in ("name", "nation"):
                words = self._meaning.evidence.text[other.start : other.end]
                way = name_way(name, words)
                if (
                    way == "alike"
                    and part_of_name(words, name)
                    and self._meaning.has_somebody_else(words, name)
                ):
                    continue
                if way and (way == "same" or not self._is_anothers(unit, words)):
                    yield Link(way, WORTH[way], other.head.index)
        for index, names in sentence.names.items():
            if any(self._is_anothers(unit, name) for name in names) and not same_name(name, names[0]):
                continue
            if any(same_name(name, each) or part_of_name(name, each) for each in names):
                yield Link("alike", 0.95, index)
        yield from self._by_name_words(unit, name, sentence)

    def _is_anothers(self, unit: Unit, words: str) -> bool:
        """Whether a name that is only like the unit's is that of another unit of the claim: a firm and its daughter."""
        return any(
            other is not unit and same_name(self._text[other.start : other.end], words)
            for other in self._names
        )

    def _by_name_words(self, unit: Unit, name: str, sentence: SentenceWords) -> Iterator[Link]:
        wanted = set(name_words(name)) - {"of", "the", "and"}
        known = {w: t for t in sentence.parsed.tokens for w in name_words(t.text)}
        met = sorted((known[word] for word in wanted if word in known), key=lambda token: token.index)
        at = sentence.unit_at.get(met[-1].index) if met else None
        if at is not None and self._is_anothers(unit, self._said(sentence.units[at])):
            return
        place = self._place(met, wanted, sentence) if wanted and len(met) == len(wanted) else None
        if place is not None:
            yield Link("same", 0.9, sentence.head_at(place.index))
        elif len(met) * 2 >= len(wanted) and met and len(wanted) > 1:
            yield Link("wider", 0.45, sentence.head_at(met[-1].index))
        if len(unit.tokens) == 1:
            yield from (link for link in self._by_word(unit.head, sentence) if link.worth >= 0.8)

    def _place(self, met: Sequence[Token], wanted: set[str], sentence: SentenceWords) -> Token | None:
        """Where a name stands whose words are apart; None where each is in another name: with the Rowing Club and the
        Chess Club no third one."""
        units = {sentence.unit_at[token.index] for token in met if token.index in sentence.unit_at}
        named = [sentence.units[i] for i in units if sentence.units[i].kind == "name"]
        others = [each for each in named if set(name_words(self._said(each))) - wanted]
        if len(units) < 2 or not others:
            return met[-1]
        return next((each.head for each in named if each not in others), None)

    def _by_topic(self, unit: Unit, sentence: SentenceWords) -> Iterator[Link]:
        """The title of the text, or what a subject that the text leaves open may stand for: of a text with a title only
        what that names."""
        name = self._text[unit.start : unit.end]
        of_title = self._title and (same_name(name, self._title) or part_of_name(name, self._title))
        if of_title or any(same_name(name, part) for part in self._title_parts):
            yield Link("alike", 0.9, -1)
        elif (
            sentence.open_subject
            and not self._comes_later(name, sentence)
            and (not self._title or name.casefold() in self._title.casefold())
            and any(same_name(name, t) or part_of_name(name, t) for t in self._topics)
        ):
            yield Link("near", 0.7, -1)

    def _comes_later(self, name: str, sentence: SentenceWords) -> bool:
        text, at = self._meaning.evidence.text, sentence.parsed.start
        return name in text[at:] and name not in text[:at]

    def _by_word(self, word: Token, sentence: SentenceWords) -> Iterator[Link]:
        ways = [(word_way(word, other), other) for other in sentence.words]
        opposed = any(way == "opposite" for way, _ in ways)
        for way, other in ways:
            if WORTH[way] > (0.7 if opposed else 0):
                yield Link(way, WORTH[way], other.index)
        yield from self._by_end(word, sentence)
        if word.lemma.lower() in _TYPES:
            for unit in sentence.units:
                if unit.kind == "name" and self._is_of(word.lemma.lower(), unit):
                    yield Link("alike", 0.8, unit.head.index)
        for index, names in sentence.names.items():
            if word.pos in ("NOUN", "PROPN") and any(
                part_of_name(word.text, name) or same_name(word.text, name) for name in names
            ):
                yield Link("alike", 0.8, index)

    def _by_end(self, word: Token, sentence: SentenceWords) -> Iterator[Link]:
        """The end of a year, met by a day of its last month."""
        dates = [u for u in self._units if isinstance(u.value, Date) and u.head.head == word.index]
        if word.lemma.lower() == "end" and any(self._text[u.start : u.end].isdigit() for u in dates):
            for unit in sentence.units:
                if (
                    isinstance(unit.value, Date)
                    and unit.value.last[1] == 12
                    and unit.value.precision == "day"
                ):
                    yield Link("alike", WORTH["alike"], unit.head.index)

    def _is_of(self, noun: str, other: Unit) -> bool:
        """Whether a name is of a country, or of a person."""
        place = other.head.entity[2:] == "PLACE" or phrase(self._said(other)) in places().chains
        return place if noun in _LANDS else other.head.entity[2:] == "PERSON"

    def _said(self, other: Unit) -> str:
        return self._meaning.evidence.text[other.start : other.end]

    # what stands in its place

    def _rivals(
        self, links: Sequence[Link | None], sentence: SentenceWords, passed: Mapping[str, frozenset[int]]
    ) -> dict[int, Rival]:
        taken = {link.at for link in links if link is not None and link.worth >= 0.5}
        found: dict[int, Rival] = {}
        for number, unit in enumerate(self._units):
            link = links[number]
            if link is not None and link.worth >= 0.5:
                continue
            anchors = {a.at for a in self._around(number, links) if a.at >= 0}
            rivals = list(
                self._rivals_of(unit, taken | passed.get(unit.kind, frozenset()), sentence, anchors)
            )
            if rivals:
                found[number] = max(rivals, key=lambda r: (r.near, r.kind == "opposite"))
        return found

    def _around(self, number: int, links: Sequence[Link | None]) -> Iterator[Link]:
        above = self._units[number].above
        around = [above] if above >= 0 else []
        for i in (*around, *self._below.get(number, ())):
            link = links[i]
            if link is not None and link.worth >= 0.5:
                yield link

    def _rivals_of(
        self, unit: Unit, taken: set[int], sentence: SentenceWords, anchors: set[int]
    ) -> Iterator[Rival]:
        for other in sentence.units:
            if other.head.index in taken or (other.kind == "number" and _is_beside_others(other, sentence)):
                continue
            kind = self._rivalry(unit, other)
            if kind:
                near = any(sentence.distance(other.head.index, a) <= _NEAR for a in anchors)
                yield Rival(kind, other.head, near)

    def _rivalry(self, unit: Unit, other: Unit) -> str:
        """How the two exclude each other, empty where they do not."""
        if unit.value is not None or other.value is not None:
            return unit.kind if excluded_value(unit, other) else ""
        if unit.kind in ("name", "nation") and other.kind in ("name", "nation"):
            return self._named_rivalry(unit, other)
        if unit.kind in ("name", "nation", "date", "number") or other.kind in ("name", "nation"):
            return ""
        way = word_way(unit.head, other.head)
        return way if way in ("opposite", "sibling", "wider") else ""

    def _named_rivalry(self, unit: Unit, other: Unit) -> str:
        mine = self._text[unit.start : unit.end]
        theirs = self._meaning.evidence.text[other.start : other.end]
        if name_way(mine, theirs) or set(name_words(mine)) & set(name_words(theirs)):
            return ""
        one, two = phrase(mine), phrase(theirs)
        if one in places().chains and two in places().chains:
            return "place" if places().apart(one, two) else ""
        if "nation" in (unit.kind, other.kind):
            return ""
        mine_type, their_type = unit.head.entity[2:], other.head.entity[2:]
        return "name" if mine_type == their_type or not mine_type or not their_type else "other name"


def _is_beside_others(number: Unit, sentence: SentenceWords) -> bool:
    """Whether it counts some beside others, a part or a multiple: "five other members", "160 of them", "half the fee of
    240 pounds"."""
    tokens, children, at = sentence.parsed.tokens, sentence.parsed.children, number.head.index
    counted = children[number.head.head] if number.head.head >= 0 else ()
    above = list(sentence.chain(at))[:3]
    return (
        any(token.text.lower() in MORE for token in counted)
        or (number.head.relation == "appos" and [t.text for t in tokens[at + 1 : at + 3]] in _OF_THEM)
        or any(c.text.lower() in _SHARES and c.relation != "amod" for i in above for c in children[i])
        or any(_is_of_more(tokens[i], sentence) for i in above[:2] if tokens[i].pos in ("NOUN", "NUM"))
    )


def _is_of_more(noun: Token, sentence: SentenceWords) -> bool:
    """Whether some of them are counted, or how much more it is: "three of the ten wells", "six weeks longer"."""
    above = sentence.parsed.tokens[noun.head] if noun.head >= 0 else None
    case = any(c.relation == "case" and c.text.lower() == "of" for c in sentence.parsed.children[noun.index])
    after = sentence.parsed.tokens[noun.index + 1 : noun.index + 2]
    compared = bool(after) and after[0].tag in ("JJR", "RBR") and not noun.relation.startswith("nsubj")
    return compared or (above is not None and case and above.pos == "NUM")


def _is_bounded_otherwise(unit: Unit, at: int | None, sentence: SentenceWords) -> bool:
    """Whether a number is that of the sentence but for "more than" or the like: 300 are not more than 300."""
    if at is None:
        return False
    one, other = unit.value, sentence.units[at].value
    if not isinstance(one, Quantity) or not isinstance(other, Quantity):
        return False
    is_bounded_alike = (one.strict_low, one.strict_high) == (other.strict_low, other.strict_high)
    return not is_bounded_alike and not met_value(unit, sentence.units[at])
