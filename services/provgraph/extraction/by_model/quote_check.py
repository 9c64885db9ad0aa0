"""Whether quoted words bear what a model says they do: its values, who does what to whom, and whether it is denied.

A proposal is read as a sentence is, and held against the propositions of its quote. What reading cannot tell is no
fault: a model may word a thing as the text does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from provgraph.extraction.prose import reads_as_english
from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import content_terms, terms
from provgraph.reading.propositions import Argument, Proposition
from provgraph.reading.reader import read_parsed
from provgraph.reading.relations import vocabulary
from provgraph.reading.syntax import ParsedSentence, Parser, Token
from provgraph.reading.value_reading import find_values
from provgraph.reading.values import Date, Ordinal, Quantity, Value, contains
from provgraph.verdicts.words_related import kinship

QuoteFault = Literal[
    "value not in the quote",
    "denied in the quote",
    "not denied in the quote",
    "the other way round in the quote",
    "relation not in the quote",
]
_DENIAL: Final = re.compile(
    r"\b(?:not|never|no longer|nor|neither|without|cannot|fail|refus|ceas|stopp|den(?:y|ie)|declin)(?:ed|es|s|d)?\b"
    r"|n[’']t\b",
    re.IGNORECASE,
)
_CONTENT: Final = frozenset({"VERB", "NOUN", "PROPN", "ADJ"})
_EMPTY: Final = frozenset("be have do get include involve relate refer name call use make".split())
"""Verbs that say so little that their absence proves nothing."""
_IMPLIED: Final = frozenset(
    "located-in took-place-in part-of has-part member-of works-for plays-for lived-in origin nationality near "
    "headquarters award-received release-date also-known-as participant-in sport-league educated-at position "
    "instance-of is has".split()
)
"""Relations that nouns imply without a verb: "a church in Rome", "the goalkeeper of Leeds"."""
_PREPOSITIONS: Final = frozenset("about after as at by for from in into near of on to under with".split())
_LIFE: Final = re.compile(r"\([^()\d]*\d[^()–—-]*[-–—][^()]*\)")
_STEM: Final = 4
_DIGITS: Final = re.compile(r"\d+(?:[.,]\d+)*")
_IN_NAME: Final = re.compile(r"(?P<before>[A-Z][\w.-]{0,60})[\s-]\Z")
_MONTH: Final = re.compile(r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)")


@dataclass(frozen=True)
class Claimed:
    """What a model proposes, in its words."""

    subject: str
    relation: str
    object: str


@dataclass(frozen=True)
class QuoteCheck:
    """`fault` is what the quote does not bear; `shown` is whether a clause of the quote was found to say it."""

    fault: QuoteFault | None = None
    shown: bool = False


class QuotedText:
    """A passage against whose quotes proposals are held; read once, with the first of them."""

    def __init__(self, text: str, title: str, parser: Parser) -> None:
        self._text = text
        self.title = title
        self._parser = parser

    @cached_property
    def _sentences(self) -> list[ParsedSentence]:
        return self._parser.parse(self._text, sentence_spans(self._text))

    @cached_property
    def _propositions(self) -> tuple[Proposition, ...]:
        return read_parsed(self._text, self._sentences, self.title).propositions

    def check(self, claimed: Claimed, start: int, end: int, worded: bool = True) -> QuoteCheck:
        """Of a proposal whose quote is `text[start:end]`, whole sentences. Only one that is `worded` by the model has
        to have its verb from the quote: an ontology's properties are in nobody's words."""
        quote = self._text[start:end]
        english = reads_as_english(self._text)
        if not values_stand(claimed, quote, english):
            return QuoteCheck("value not in the quote")
        if not english:
            return QuoteCheck(shown=True)
        propositions = [
            proposition for proposition in self._propositions if start <= proposition.sentence.start < end
        ]
        wording = _Wording(claimed, self._parser)
        alike = [proposition for proposition in _linked(propositions, claimed) if wording.says(proposition)]
        if fault := _polarity_fault(claimed, alike, quote) or _direction_fault(wording, alike):
            return QuoteCheck(fault)
        strange = worded and not (alike or _stands_without_verb(claimed, quote))
        strange = strange and wording.is_strange_to(self._words(start, end))
        return QuoteCheck("relation not in the quote" if strange else None, bool(alike))

    def _words(self, start: int, end: int) -> set[str]:
        tokens = [t for sentence in self._sentences if start <= sentence.start < end for t in sentence.tokens]
        return {word for token in tokens for word in (token.lemma.lower(), token.text.lower())}


class _Wording:
    """A proposal read as a sentence."""

    def __init__(self, claimed: Claimed, parser: Parser) -> None:
        self.propositions: list[Proposition] = []
        for number, words in enumerate(_sentences_of(claimed)):
            (parsed,) = parser.parse(words, [(0, len(words))])
            if number == 0:
                begin, end = len(claimed.subject) + 1, len(words) - len(claimed.object) - 2
                self._tokens = [token for token in parsed.tokens if begin <= token.start < end]
            self.propositions = list(_linked(read_parsed(words, [parsed]).propositions, claimed))
            if self.propositions:
                return

    def says(self, said: Proposition) -> bool:
        """Whether a proposition says it, as far as its predicate goes."""
        implied = vocabulary().implied(said.relation)
        if any(proposition.relation in implied for proposition in self.propositions):
            return True
        lemmas = [said.lemma or said.relation.partition(" ")[0], *said.predicate.text.split()]
        return any(_is_kin(token, other) for token in self._content for other in lemmas)

    @cached_property
    def _content(self) -> list[Token]:
        return [
            token for token in self._tokens if token.pos in _CONTENT and token.lemma.lower() not in _EMPTY
        ]

    def is_strange_to(self, words: set[str]) -> bool:
        """Whether it has a verb of which the quote's `words` (lemmas) know nothing, and which no noun implies."""
        if any(_is_kin(token, word) for token in self._content for word in words):
            return False
        verbs = [token.lemma.lower() for token in self._content if token.pos == "VERB"]
        implied = any(
            trigger.relation in _IMPLIED for verb in verbs for trigger in vocabulary().find("verb", verb)
        )
        return bool(verbs) and not implied


def _sentences_of(claimed: Claimed) -> Iterator[str]:
    """Wordings of a proposal: "founded in" needs a verb, "capital" an article."""
    subject = claimed.subject[:1].upper() + claimed.subject[1:]
    yield f"{subject} {claimed.relation} {claimed.object}."
    if claimed.relation.rpartition(" ")[2].lower() in _PREPOSITIONS:
        yield f"{subject} was {claimed.relation} {claimed.object}."
    yield f"The {claimed.relation} of {claimed.subject} is {claimed.object}."


def values_stand(claimed: Claimed, quote: str, english: bool = True) -> bool:
    """Whether each date and number that is proposed is one of the quote; those within a name ("Track 61") are none. A
    year stands in a date of it; of a quote that is not `english` only the digits are compared."""
    there = [found_value.value for found_value in find_values(quote)]
    digits = set(_DIGITS.findall(quote))

    def stands(spelled: str, value: Value) -> bool:
        if spelled in quote or (not english and set(_DIGITS.findall(spelled)) <= digits):
            return True
        return any(_stands_for(other, value) for other in there)

    proposed = [value for words in (claimed.relation, claimed.object) for value in _values_of(words)]
    return all(stands(spelled, value) for spelled, value in proposed)


def _stands_for(said: Value, value: Value) -> bool:
    """Whether what is said is what is proposed, or narrower, or a range with it: "the fifth", "1964 to 1970"."""
    if isinstance(said, Ordinal):
        return isinstance(value, Quantity) and value.amount == said.rank
    in_range = isinstance(said, Date) and said.precision == "range" and contains(said, value)
    return contains(value, said) is True or bool(in_range)


def _values_of(words: str) -> Iterator[tuple[str, Value]]:
    """Each value that is written with digits and is no part of a name, with its words."""
    for value in find_values(words):
        spelled = words[value.start : value.end]
        name = _IN_NAME.search(words[: value.start])
        is_named = name is not None and not _MONTH.match(name["before"])
        if _DIGITS.search(spelled) and not is_named and not isinstance(value.value, Ordinal):
            yield spelled, value.value


def _stands_without_verb(claimed: Claimed, quote: str) -> bool:
    """Whether the quote says the like of it with no verb: "(Vienna, 1891 – Graz, 1949)", "a novel by Ada Quist"."""
    if any(claimed.object in each for each in _LIFE.findall(quote)):
        return True
    by = claimed.relation.casefold().endswith("by") and re.escape(claimed.object)
    return bool(by) and re.search(rf"\bby\b[^.;,()]*{by}", quote) is not None


def _polarity_fault(claimed: Claimed, alike: Sequence[Proposition], quote: str) -> QuoteFault | None:
    denied = bool(_DENIAL.search(claimed.relation))
    if alike and not denied and not any(proposition.polarity for proposition in alike):
        return "denied in the quote"
    there = any(not proposition.polarity for proposition in alike) if alike else bool(_DENIAL.search(quote))
    return "not denied in the quote" if denied and not there else None


def _direction_fault(wording: _Wording, alike: Sequence[Proposition]) -> QuoteFault | None:
    """Whether the quote says the same of the two, but of each what the proposal says of the other."""
    turned = False
    for claimed in wording.propositions:
        for proposition in alike:
            if claimed.relation != proposition.relation or _is_symmetric(proposition):
                continue
            if _alike(claimed.subject, proposition.subject) and _alike(claimed.object, proposition.object):
                return None
            turned |= _alike(claimed.subject, proposition.object) and _alike(
                claimed.object, proposition.subject
            )
    return "the other way round in the quote" if turned else None


def _is_symmetric(proposition: Proposition) -> bool:
    return proposition.canonical and vocabulary()[proposition.relation].symmetric


def _linked(propositions: Sequence[Proposition], claimed: Claimed) -> Iterator[Proposition]:
    """The propositions of which both ends of a proposal are parts."""
    for proposition in propositions:
        things = [
            a for a in (proposition.subject, proposition.object, *proposition.arguments) if a is not None
        ]
        ends = [
            {i for i, a in enumerate(things) if _names(a, end)} for end in (claimed.subject, claimed.object)
        ]
        if all(ends) and len(ends[0] | ends[1]) > 1:
            yield proposition


def _names(argument: Argument, name: str) -> bool:
    """Whether a phrase means what a model calls by `name`: most of the shorter one's words are the other's."""
    wanted = set(content_terms(name) or terms(name))
    there = set(terms(f"{argument.label} {argument.text} {argument.span.text}"))
    own = set(content_terms(argument.label) or terms(argument.label))
    shared = len(wanted & there)
    return shared > 0 and (2 * shared >= len(wanted) or own <= wanted)


def _alike(one: Argument | None, other: Argument | None) -> bool:
    return one is not None and other is not None and (_names(one, other.label) or _names(other, one.label))


def _is_kin(token: Token, other: str) -> bool:
    """Whether two words have to do with each other: of one stem, as "discover" and "discoveries", or in the lists."""
    mine, theirs = token.lemma.lower(), other.lower()
    stem = max(_STEM, min(len(mine), len(theirs)) - 2)
    if mine[:stem] == theirs[:stem] or set(terms(token.text)) & set(terms(other)):
        return True
    return kinship(mine, theirs, token.pos == "VERB") in ("same", "entailed")
