"""Which words of a sentence belong to one phrase: its head's modifiers, a name's parts, what is coordinated with it.

Knows trees and values, neither arguments nor relations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, Final

from provgraph.language import wordnet
from provgraph.reading.entity_types import demonyms
from provgraph.reading.propositions import Span
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.title_runs import WordRuns, names_with_ampersand, quoted_titles, runs_of
from provgraph.reading.value_reading import FoundValue, counted
from provgraph.reading.values import Date, Ordinal, Quantity, Value

_INSIDE: Final = frozenset(
    "compound flat flat:name fixed goeswith amod nummod nmod:poss det det:predet advmod nmod:npmod obl:npmod".split()
)
_ALL_OR_NONE: Final = frozenset(
    "all every each any no none everyone everybody everything anyone anybody anything nobody nothing".split()
)
_NO_NAME_ENDS: Final = frozenset({"ADP", "CCONJ", "DET", "PART", "PUNCT"})
_QUESTION_WORDS: Final = frozenset("who whom whose what which when where how why whoever".split())
_NAME_LINKS: Final = frozenset("of for de du von van la the and del di da des".split())
_PRIZES: Final = frozenset(
    "prize award medal bachelor master doctor institute museum church school order minister".split()
)
_NOT_IN_NAMES: Final = frozenset(
    "former late then future current young old american-born new-born first second only same own other such".split()
)


def is_set_against(token: Token, sentence: ParsedSentence) -> bool:
    """Whether a "not" before it denies it alone: "open to cyclists but not to cars"."""
    if token.pos in ("VERB", "AUX") or any(c.relation == "cop" for c in sentence.children[token.index]):
        return False
    nots = (c for c in sentence.children[token.index] if c.text.lower() == "not" and c.index < token.index)
    return any(sentence.tokens[c.index + 1].text.lower() not in ("only", "just", "merely") for c in nots)


def is_excepted(token: Token, sentence: ParsedSentence) -> bool:
    """Whether it is what is left out of all that it is joined with: "all states but Denmark"."""
    if token.relation != "conj" or token.head < 0:
        return False
    if is_set_against(token, sentence):
        return True
    first = token.index
    while (
        first
        and sentence.tokens[first - 1].head == token.index
        and sentence.tokens[first - 1].relation != "cc"
    ):
        first -= 1
    by = first > 0 and sentence.tokens[first - 1].text.lower() == "but"
    above = sentence.tokens[token.head]
    words = {
        above.text.lower(),
        *(c.text.lower() for c in sentence.children[above.index] if c.relation == "det"),
    }
    return by and bool(words & _ALL_OR_NONE)


@dataclass(frozen=True)
class PhraseWords:
    """The noun phrases of one sentence. `text` is the text that was parsed, `values` those found in the sentence. Only
    one that is `asking` has open phrases. Where the document's `title` stands, its words are one name."""

    sentence: ParsedSentence
    text: str
    values: Sequence[FoundValue]
    asking: bool = False
    title: str = ""

    def span(self, first: Token, last: Token) -> Span:
        return Span(first.start, last.end, self.text[first.start : last.end])

    @cached_property
    def _cache(self) -> dict[tuple[object, ...], Any]:
        """What was worked out of a word already: the rules ask for the same again and again."""
        return {}

    def attachment(self, one: Span, other: Span) -> float:
        """How probable the parser holds the way through the tree from the word `one` to the word `other`: the product
        of its steps. 1 where they are no words of the sentence."""
        if one.start not in self._words or other.start not in self._words:
            return 1.0
        up, down = self._way_up(self._words[one.start]), self._way_up(self._words[other.start])
        return round(
            prod(up[index] for index in up.keys() - down) * prod(down[index] for index in down.keys() - up), 3
        )

    @cached_property
    def _words(self) -> dict[int, Token]:
        return {token.start: token for token in self.sentence.tokens}

    def _way_up(self, token: Token) -> dict[int, float]:
        """The words from the token to the root, each with the certainty of the step above it."""
        way = {token.index: token.certainty}
        while token.head >= 0:
            token = self.sentence.tokens[token.head]
            way[token.index] = token.certainty
        return way

    def children(self, token: Token) -> tuple[Token, ...]:
        return self.sentence.children[token.index]

    def case(self, token: Token) -> str:
        """The preposition before a phrase, lower-case: "in", "because of"; empty where there is none."""
        return self._cases.get(token.index, "")

    @cached_property
    def _cases(self) -> dict[int, str]:
        cases: dict[int, str] = {}
        for token in self.sentence.tokens:
            if token.relation == "case" and token.text not in ("'s", "’s", "'", "’"):
                cases[token.head] = f"{cases.get(token.head, '')} {token.text.lower()}".strip()
        return cases

    def conjuncts(self, token: Token) -> list[Token]:
        """The token and those coordinated with it that are nominal: "A, B and C"."""
        group = self._all_named(token) or [token]
        for child in self.children(token):
            if (
                self._coordinated(child)
                and not self._strayed(token, child)
                and not is_excepted(child, self.sentence)
            ):
                group += self.conjuncts(child)
        if token.relation == "nmod" and token.head >= 0:
            above = self.sentence.tokens[token.head]
            group += [
                c for c in self.children(above) if self._coordinated(c) and self._strayed(above, c) is token
            ]
        return group

    def _all_named(self, token: Token) -> list[Token]:
        """The names right behind a plural that is not counted: "the engineers Lars Vik and Turid Moe"."""
        if not is_plural(token) or self.is_name(token) or token.pos != "NOUN":
            return []
        name = self.named(token)
        beside = name is not token and self.sentence.edges(name)[0] == token.index + 1
        counted = any(child.relation == "nummod" for child in self.children(token))
        return self.conjuncts(name) if beside and not counted else []

    def _coordinated(self, child: Token) -> bool:
        if self.runs.get(child.index, 0) == self.runs.get(child.head, 1):
            return False
        nominal = child.relation == "conj" and child.pos in ("NOUN", "PROPN", "NUM", "PRON", "X")
        return (
            nominal
            and any(map(str.isalnum, child.text))
            and not any(c.relation.startswith("nsubj") for c in self.children(child))
        )

    def _strayed(self, token: Token, child: Token) -> Token | None:
        """Of "the son of John Reed and Mary Bell" with Bell hung on "son": Reed, to whom it belongs."""
        if self.is_name(token) or not self.is_name(child):
            return None
        below = [
            c for c in self.children(token) if c.relation == "nmod" and token.index < c.index < child.index
        ]
        return below[-1] if below and self.is_name(below[-1]) else None

    @cached_property
    def quoted(self) -> WordRuns:
        """Of each word inside the quotation marks of a title ("We Bought a Zoo") the first and last word of it."""
        return quoted_titles(self.sentence.tokens)

    @cached_property
    def runs(self) -> WordRuns:
        """As `quoted`, with the words of the title wherever it stands, also without the place behind its comma, and
        with names that an ampersand joins: "Ernst & Young LLP"."""
        runs = {**names_with_ampersand(self.sentence.tokens), **self.quoted}
        for title in dict.fromkeys((self.title, self.title.partition(",")[0])):
            if " " in title and (title == self.title or " and " not in title):
                found = runs_of(title, self.text, self.sentence)
                runs |= {index: run for index, run in found.items() if index not in runs}
        return runs

    def is_name(self, token: Token) -> bool:
        """Whether the phrase's head is a proper name, also one whose last word the parser took for a noun."""
        return token.index in self._names

    @cached_property
    def _names(self) -> frozenset[int]:
        return frozenset(token.index for token in self.sentence.tokens if self._looks_named(token))

    def _looks_named(self, token: Token) -> bool:
        if token.index in self.runs:
            return True
        if token.pos == "PROPN":
            return token.text[:1].isupper() or token.text[:1].isdigit() or token.entity == "I-ORGANIZATION"
        if not token.text[:1].isupper() or token.pos not in ("NOUN", "ADJ", "X", "VERB"):
            return False
        if token.start == self.sentence.start and self._is_capital_elsewhere(token):
            return True
        before = [
            c
            for c in self.children(token)
            if c.relation in ("compound", "flat", "amod") and c.text[:1].isupper()
        ]
        return bool(before) and before[-1].index == token.index - 1

    def _is_capital_elsewhere(self, token: Token) -> bool:
        """Whether a first word that is no known noun has its capital inside other sentences too."""
        if token.pos != "NOUN" or wordnet.known(token.lemma.lower(), "n"):
            return False
        return re.search(rf"[a-z,] {re.escape(token.text)}\b", self.text) is not None

    def named(self, token: Token) -> Token:
        """The name in apposition to a phrase of common nouns: "his brother, the chemist Tom Reed" → Reed."""
        key = ("named", token.index)
        if key not in self._cache:
            self._cache[key] = self._named(token)
        found: Token = self._cache[key]
        return found

    def _named(self, token: Token) -> Token:
        if self.is_name(token) or token.pos == "PRON":
            return token
        for child in self.children(token):
            if child.index > token.index and not self.case(child) and self._is_apposed(token, child):
                name = self.named(child)
                if self.is_name(name) and not self.value_at(name) and self._one_of(token, name):
                    return name
        return token

    def _is_apposed(self, token: Token, child: Token) -> bool:
        if child.relation in ("appos", "flat"):
            return True
        if child.relation not in ("nmod", "nmod:npmod", "obl:npmod", "dep"):
            return False
        return self.sentence.edges(child)[0] == token.index + 1

    def _one_of(self, token: Token, name: Token) -> bool:
        """A plural is not one of its names: "two sons, Adam and Karl"."""
        return not is_plural(token) or len(self.conjuncts(name)) > 1

    def value_at(self, token: Token) -> Value | None:
        """The date or quantity of which the token is a part, or that counts it."""
        for value in self.values:
            if value.start <= token.start < value.end and not isinstance(value.value, Ordinal):
                return value.value
        return self._count(token)

    def _count(self, token: Token) -> Value | None:
        if token.pos not in ("NOUN", "PROPN", "SYM"):
            return None
        for child in self.children(token):
            if child.relation == "nummod" and child.index < token.index:
                for value in self.values:
                    if value.start <= child.start < value.end and isinstance(value.value, Quantity):
                        return counted(value.value, token.lemma.lower())
        return None

    def extent(self, token: Token) -> tuple[Token, Token]:
        """The first and the last word of the phrase: its left modifiers, and what its name or sense needs after it."""
        key = ("extent", token.index)
        if key not in self._cache:
            self._cache[key] = self._extent(token)
        found: tuple[Token, Token] = self._cache[key]
        return found

    def _extent(self, token: Token) -> tuple[Token, Token]:
        if token.index in self.runs:
            first, last = self.runs[token.index]
            return self.sentence.tokens[first], self.sentence.tokens[last]
        left, right = self._left(token), self._right(token)
        if self.is_name(token):
            first, last = self._entity_run(token)
            left, right = min(left, first), max(right, last)
        return self.sentence.tokens[left], self.sentence.tokens[right]

    def _entity_run(self, token: Token) -> tuple[int, int]:
        """The words that the parser's entity label joins to the token: "San Pedro de Macorís" whatever the tree."""
        first = last = token.index
        label, tokens = token.entity[2:], self.sentence.tokens
        if label in ("", "DATE", "NUMBER", "GROUP", "OTHER"):
            return first, last
        start = first
        while first > 0 and tokens[first].entity[:1] == "I" and tokens[first - 1].entity[2:] == label:
            first -= 1
        while last + 1 < len(tokens) and tokens[last + 1].entity == f"I-{label}":
            last += 1
        while first < token.index and (tokens[first].pos == "DET" or not tokens[first].text[:1].isupper()):
            first += 1
        while last > token.index and (
            tokens[last].pos in _NO_NAME_ENDS or not tokens[last].text[:1].isalnum()
        ):
            last -= 1
        joined = label in ("PERSON", "PLACE") and any(
            t.pos in ("CCONJ", "PUNCT") for t in tokens[first : last + 1]
        )
        return (first, last) if last - first < 8 and not joined else (start, start)

    def _left(self, token: Token) -> int:
        left, tokens = token.index, self.sentence.tokens
        name = self.is_name(token)
        for child in sorted(self.children(token), key=lambda token: -token.index):
            if child.index < left and (child.relation in ("case", "mark", "cop", "cc") or child.pos == "ADP"):
                break
            if child.index < left and child.relation in _INSIDE:
                if name and not self._is_name_part(child):
                    break
                first = self.sentence.edges(child)[0]
                if any(tokens[at].text in ",;()" for at in range(first, left)) and name:
                    break
                left = first
        return left

    def _is_name_part(self, child: Token) -> bool:
        if child.relation in ("det", "det:predet", "nmod:poss", "advmod"):
            return False
        if child.text.lower() in _NOT_IN_NAMES:
            return False
        demonym = child.relation == "amod" and child.text in demonyms()
        return not demonym and (
            child.text[:1].isupper() or child.text[:1].isdigit() or child.relation == "flat"
        )

    def _right(self, token: Token) -> int:
        right, name = token.index, self.is_name(token)
        for child in self.children(token):
            if child.index == right + 1 and child.relation in (
                "flat",
                "flat:name",
                "fixed",
                "goeswith",
                "nummod",
            ):
                right = self.sentence.edges(child)[1]
            elif child.index > right and child.relation == "nmod" and self._belongs(token, child, name):
                first = self.sentence.edges(child)[0]
                right = self._right(child) if first <= right + 1 else right
        return right

    def _belongs(self, token: Token, child: Token, name: bool) -> bool:
        case = self.case(child)
        if self.value_at(child) and isinstance(self.value_at(child), Date):
            return False
        if name:
            return child.text[:1].isupper() and (
                case in _NAME_LINKS or (case == "in" and token.lemma.lower() in _PRIZES)
            )
        return case in ("of", "between", "against") and token.pos != "PRON"

    def text_of(self, token: Token) -> Span:
        """The phrase without article and possessive pronoun."""
        key = ("text", token.index)
        if key not in self._cache:
            self._cache[key] = self._text_of(token)
        span: Span = self._cache[key]
        return span

    def _text_of(self, token: Token) -> Span:
        first, last = self.extent(token)
        if token.index in self.runs:
            return self.span(first, last)
        index = first.index
        while index < token.index and self._is_article(self.sentence.tokens[index]):
            index += 1
        return self.span(self.sentence.tokens[index], last)

    def _is_article(self, token: Token) -> bool:
        if token.text.lower() in _QUESTION_WORDS or token.pos == "PUNCT" or token.text == "The":
            return True
        determiner = token.pos == "DET" or token.relation == "det"
        pronoun = token.pos == "PRON" and token.relation == "nmod:poss"
        return determiner or pronoun


def is_plural(token: Token) -> bool:
    if token.tag:
        return token.tag in ("NNS", "NNPS") or token.text.lower() in (
            "they",
            "them",
            "their",
            "we",
            "us",
            "these",
            "those",
        )
    return token.pos == "NOUN" and token.text.lower() != token.lemma.lower() and token.text.endswith("s")
