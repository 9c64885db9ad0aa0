"""Whether nothing that a question says forbids an answer: its kind, its measure, its time, its event, its names."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from provgraph.derivation.affinity import stems, stems_of
from provgraph.derivation.answer_forms import with_unit
from provgraph.derivation.answer_kinds import is_of_other_kind
from provgraph.derivation.answer_statements import answered_statement
from provgraph.derivation.asking import OF_SAID, Asking
from provgraph.derivation.clauses_asked import narrowing
from provgraph.derivation.compositions import relative_asked
from provgraph.derivation.counts_asked import is_counted_as_asked
from provgraph.derivation.events_asked import is_of_event_asked
from provgraph.derivation.evidence import Support
from provgraph.derivation.hints import Views
from provgraph.derivation.later_dates import is_counted_from
from provgraph.derivation.name_ties import NamesAsked, untied_names
from provgraph.derivation.number_fit import is_age
from provgraph.derivation.parts_asked import is_of_part_asked
from provgraph.derivation.prices_asked import is_of_another_payer
from provgraph.derivation.result import CONNECT, Derived
from provgraph.derivation.things_asked import is_given, is_of_thing_asked, is_other_part, number_of_another
from provgraph.derivation.times_asked import is_before_a_change, is_of_time_asked, is_of_years_asked
from provgraph.derivation.unsaid import says_of_it
from provgraph.derivation.yes_no import statement_of
from provgraph.language import wordnet
from provgraph.reading.entity_types import gender_of_name, gender_of_noun, type_of_name
from provgraph.reading.syntax import ParsedSentence, Parser, Token
from provgraph.reading.value_reading import find_values
from provgraph.reading.values import Quantity
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.reservations import is_held_back, says_otherwise

_AMOUNT: Final = re.compile(r"\b(?:an? (?:average|total|sum|maximum|minimum|estimated)|some) of $")
"""What only tells how a number was come by: "an average of"."""
_HAD: Final = frozenset("has have had did was were".split())
_COLOURS: Final = frozenset(("colour", "color"))
_COUNTED_FROM: Final = re.compile(
    r"\s*(?:after|before|from|of) (?:(?:the|its|his|her|their|a|an) )?(\w+)", re.IGNORECASE
)
_RATE: Final = re.compile(r" (?:for|per|to|in) (?:each|every) \d")
_TO_BE: Final = re.compile(r"\b(?:is|are) to be \w+")
_DONE: Final = re.compile(r"\b(?:was|were|had|did|has|have)\b")
_AHEAD: Final = frozenset("will shall would planned expected going due scheduled".split())
_PARTIES: Final = frozenset(
    "owner landlord landlady tenant lessor lessee buyer seller borrower lender client customer supplier contractor "
    "employer employee".split()
)
"""Roles in an agreement, which has many words for them, and no offices."""
_TOLD_APART: Final = 0.7
"""How likely an answer is right that is taken for the one of the part of its sentence that is asked about."""
_LONGEST_STATEMENT: Final = 400
"""Characters of a question that may be one sentence with its answer."""
_KINDS: Final = {"Number": ("number", "count", "list", "span"), "Date": ("date", "number", "list", "span")}
"""The kinds of short answers that there may be to a question for a number or a date."""
_THING: Final = re.compile(
    r"^(?:what|which (?!person|man|woman|people|one|of))\b(?! (?:is|was|are|were)\b).*\b(?:did|does|do|has|had|have)\b",
    re.IGNORECASE,
)
"""A question for what somebody did something to: "What did she invent?"."""


@dataclass(frozen=True)
class AnswerConditions:
    """What a question asks for, in all that may forbid an answer."""

    text: str
    parser: Parser
    wanted: Asking
    names: NamesAsked
    views: Views

    @cached_property
    def _asks_for_somebody(self) -> bool:
        """Whether the noun that is asked for is for people, or for a name that somebody may have: "which singer"."""
        noun = self.wanted.noun
        return (
            self.wanted.kind == "Person" or wordnet.is_person(noun) or wordnet.is_kind_of(noun, "name", "n")
        )

    @cached_property
    def _parsed(self) -> Sequence[ParsedSentence]:
        return self.parser.parse(self.text, [(0, len(self.text))])

    def met_by(self, found: Derived) -> bool:
        if found.kind == "yes-no":
            return found.text != "yes" or not self._is_held_back(found)
        found = _with_all_told(found)
        return (
            _is_of(self.wanted.kind, found)
            and not is_of_other_kind(found, "", self.wanted)
            and (self._asks_for_somebody or _is_thing(found, self.text))
            and (not self.wanted.dimensions or self._is_measured(found))
            and not self._is_counted_from_it(found)
            and not (self.wanted.noun in _COLOURS and found.text[:1].isupper())
            and not any(is_counted_from(found, sentence) for sentence in self._parsed)
            and not self._is_paid_by_others(found)
            and self._is_told_of_it(found)
            and (
                _is_sure(found) or all(says_of_it(found, self.wanted, sentence) for sentence in self._parsed)
            )
            and not self._is_held_back(found)
        )

    def may_be_told_by(self, found: Derived, *, in_its_words: bool) -> bool:
        """The same of an answer that was read: that it is told of the names and times of the question, and where its
        sentence is in the question's words, of nothing else either; of other words the other conditions know little."""
        if in_its_words:
            return self._is_told_of_it(found)
        if (
            self._is_of_other_gender(found)
            or self._is_of_sibling(found)
            or untied_names(found, self.names, self.views)
        ):
            return False
        if self._says_governor(found) and not all(is_of_thing_asked(found, each) for each in self._parsed):
            return False
        is_of_its_time = is_of_years_asked(found, self.text) and is_of_time_asked(found, self.text)
        return is_of_its_time and is_before_a_change(found, self.text)

    def _says_governor(self, found: Derived) -> bool:
        """Whether its sentence has the question's verb."""
        verb = stems(self.wanted.governor) if self.wanted.governor else frozenset[str]()
        return any(not verb.isdisjoint(stems_of(support.sentence.text)) for support in found.ending)

    def _is_of_sibling(self, found: Derived) -> bool:
        """Whether its sentence has another kind of the same thing in place of a noun of the question: polonium for
        radium."""
        for support in found.ending:
            said = stems_of(f"{support.passage.title} {support.sentence.text}")
            unmet = [w.lemma for w in self.wanted.words if w.part == "n" and stems(w.text).isdisjoint(said)]
            asked = {word.lemma for word in self.wanted.words}
            nouns = [t for t in (support.parsed.tokens if support.parsed else ()) if t.pos == "NOUN"]
            others = {
                t.lemma.casefold() for t in nouns if not support.words.start <= t.start < support.words.end
            }
            if any(wordnet.siblings(one, other, "n") for one in unmet for other in others - asked):
                return True
        return False

    def _is_of_other_gender(self, found: Derived) -> bool:
        """Whether a first name is a woman's where a husband is asked for, or a man's where a mother is."""
        asked = self.wanted.noun or relative_asked(self.text)
        return len({gender_of_noun(asked), gender_of_name(found.text)} - {""}) > 1

    def _is_told_of_it(self, found: Derived) -> bool:
        """Whether an answer is not told of another part of its sentence, thing, event, time, number or name than the
        question's."""
        return (
            not is_given(found, self._parsed, self.wanted.noun)
            and is_of_years_asked(found, self.text)
            and is_of_time_asked(found, self.text)
            and is_before_a_change(found, self.text)
            and not self._is_of_another(found)
            and all(is_of_event_asked(found, sentence) for sentence in self._parsed)
            and (
                _is_of_two_things(found)
                or all(is_of_thing_asked(found, sentence) for sentence in self._parsed)
            )
            and is_of_part_asked(found, self.text)
            and all(is_counted_as_asked(found, self.wanted, sentence) for sentence in self._parsed)
            and not self._is_yet_to_be(found)
            and not untied_names(found, self.names, self.views)
        )

    def _is_of_another(self, found: Derived) -> bool:
        """Whether its sentence says it of another number, part or office than the question asks for."""
        return (
            self._is_of_other_clause(found)
            or self._is_of_other_office(found)
            or self._is_somebody(found)
            or is_other_part(found, self._parsed, self.wanted.noun)
            or self._counts_another(found)
            or self._is_of_other_number(found)
            or self._is_rate(found)
        )

    def _is_somebody(self, found: Derived) -> bool:
        """Whether a person is named where what somebody or something is like is asked for: a nationality."""
        return self.wanted.noun in OF_SAID and _type_said(found) == "Person"

    def allow(self, told: Derived) -> bool:
        """Whether the names of a question allow what a clause was read to tell."""
        return not untied_names(told, self.names, self.views)

    def _is_measured(self, found: Derived) -> bool:
        supports = found.ending
        is_aged = any(is_age(self.text, support.passage.text, support.words) for support in supports)
        return is_aged or _is_measured(with_unit(found, self.text))

    def _is_counted_from_it(self, found: Derived) -> bool:
        """Whether a time is counted from what it is asked of: "within six weeks after the end" is not when it ends."""
        supports = found.ending if self.wanted.kind == "Date" else ()
        after = (s.passage.text[s.words.end : s.sentence.end] for s in supports)
        return any(
            (m := _COUNTED_FROM.match(text)) and stems(m[1]) & stems(self.wanted.governor) for text in after
        )

    def _is_of_other_clause(self, found: Derived) -> bool:
        """Whether another part of the sentence than a number stands in has all things of the question, and a number of
        its own: of "the machine for two years; the pump for five" two years for the pump."""
        supports = found.ending if found.kind in ("number", "count", "date") else ()
        nouns = {word.lemma for word in self.wanted.words if word.part == "n"} - {
            self.wanted.noun,
            self.wanted.counted,
        }
        return bool(nouns) and any(_is_of_other_clause(support, nouns) for support in supports)

    def _counts_another(self, found: Derived) -> bool:
        """Whether another number stands between the one of an answer and what is counted: "52 members of staff, 14 of
        them doctors"."""
        supports = found.ending if found.kind in ("number", "count") else ()
        return bool(self.wanted.counted) and any(_counts_another(self.wanted.counted, s) for s in supports)

    def _is_of_other_office(self, found: Derived) -> bool:
        """Whether the noun that is asked for stands there without what narrows it, and that elsewhere: of "the director
        is Ada Lind; her deputy" Ada Lind for the deputy director."""
        nouns = [
            (parsed, token) for parsed in self._parsed for token in parsed.tokens
            if token.pos == "NOUN" and token.lemma.casefold() == self.wanted.noun
        ]  # fmt: skip
        if found.kind != "entity" or not nouns or len(found.steps) != 1:
            return False
        asked = narrowing(*nouns[0])
        return bool(asked) and all(_lacks(asked, self.wanted.noun, s.parsed) for s in found.steps[0].supports)

    def _is_yet_to_be(self, found: Derived) -> bool:
        """Whether it is asked what happened, and the sentence says what is to be done."""
        supports = found.ending
        return "conditional" not in self._granted and any(
            _TO_BE.search(support.sentence.text) and not _DONE.search(support.sentence.text)
            for support in supports
        )

    def _is_paid_by_others(self, found: Derived) -> bool:
        supports = found.ending if found.kind == "number" else ()
        return any(is_of_another_payer(self.text, s.passage, s.words.start) for s in supports)

    def _is_rate(self, found: Derived) -> bool:
        """Whether a number is told for each so much ("one day for every 200 kilograms"), and it is asked for how much
        it is for a number that the question has."""
        supports = found.ending if found.kind in ("number", "count") else ()
        is_for_each = any(_RATE.match(support.passage.text, support.words.end) for support in supports)
        return is_for_each and any(isinstance(each.value, Quantity) for each in find_values(self.text))

    def _is_of_other_number(self, found: Derived) -> bool:
        """Whether a number is said of something else than the question names, of which its sentence has another."""
        supports = found.ending if found.kind in ("number", "count") and len(found.steps) == 1 else ()
        return any(
            number_of_another(support.passage, support.parsed, support.words.start, asked) is not None
            for support in supports
            if support.parsed is not None
            for asked in self._parsed
        )

    def _is_held_back(self, found: Derived) -> bool:
        """Whether the one sentence of an answer denies it, leaves it open or says it of another: who was accused of a
        theft is no answer to who stole."""
        supports = found.steps[0].supports if len(found.steps) == 1 else ()
        if len(supports) != 1 or len(self.text) > _LONGEST_STATEMENT:
            return False
        passage, place = supports[0].passage, supports[0].words.start
        sentence = supports[0].sentence
        if found.kind == "yes-no":
            said = statement_of(self.text, self.parser)
        else:
            before = passage.text[sentence.start : place]
            said = answered_statement(self.text, found.text, before, self.parser)
        spans = [
            (parsed_sentence.start, parsed_sentence.end)
            for parsed_sentence in passage.parsed
            if parsed_sentence.end <= sentence.start
        ][-1:]
        spans.append((sentence.start, sentence.end))
        evidence = EvidenceText(passage.key, passage.text, passage.title, spans)
        match = _AMOUNT.search(passage.text[sentence.start : place])
        if match and found.kind == "number":
            before = passage.text[sentence.start : sentence.start + match.start()]
            text = f"{before}{passage.text[place : sentence.end]}"
            evidence = EvidenceText(passage.key, text, passage.title)
        if not said:
            return False
        # only of clauses with verbs of their own: of "three in Ashby and two in Orvik" two would be denied
        has_clauses = found.kind == "number" and ";" in sentence.text
        is_otherwise = has_clauses and says_otherwise(said, found.text, evidence, self.parser)
        return is_otherwise or is_held_back(
            said, evidence, self.parser, self._granted, is_told_apart=_is_sure(found)
        )

    @cached_property
    def _granted(self) -> frozenset[str]:
        """The ways in which a sentence may say what is asked: a rule that depends on something answers any question
        but one for what happened, and a plan one for what will be."""
        tokens = [token for sentence in self._parsed for token in sentence.tokens]
        is_past = any(token.tag == "VBD" or token.text.casefold() in _HAD for token in tokens)
        is_ahead = any(token.text.casefold() in _AHEAD for token in tokens)
        return frozenset((*(() if is_past else ("conditional",)), *(("planned",) if is_ahead else ())))


def _is_sure(found: Derived) -> bool:
    return found.confidence >= _TOLD_APART


def _type_said(found: Derived) -> str:
    """The type of a name, as it or its passages tell it."""
    supports = found.ending
    mentions = (each for support in supports for each in support.passage.reading.mentions)
    said = next((each.entity_type for each in mentions if each.name == found.text), "")
    return type_of_name(found.text) or said


def _counts_another(counted: str, support: Support) -> bool:
    own, tokens = support.token, support.parsed.tokens if support.parsed is not None else ()
    things = [token.index for token in tokens if token.lemma.casefold() == counted]
    if own is None or not things or own.head in things or own.index > max(things):
        return False
    if tokens[own.index + 1].text.casefold() == "of":  # "eleven of the fourteen boats"
        return False
    first = min(at for at in things if at > own.index)
    return any(token.pos == "NUM" and own.index + 1 < token.index < first for token in tokens)


def _lacks(asked: Set[str], noun: str, sentence: ParsedSentence | None) -> bool:
    """Whether a sentence has the noun only without words that it has elsewhere."""
    tokens = sentence.tokens if sentence is not None else ()
    said = [token for token in tokens if token.lemma.casefold() == noun and token.pos == "NOUN"]
    missing = [asked - narrowing(sentence, token) for token in said] if sentence is not None else []
    elsewhere = {token.lemma.casefold() for token in tokens}
    return bool(missing) and all(each and each <= elsewhere for each in missing)


def _is_of_other_clause(support: Support, nouns: Set[str]) -> bool:
    parsed = support.parsed
    if parsed is None or not any(token.text == ";" for token in parsed.tokens):
        return False
    parts: list[list[Token]] = [[]]
    for token in parsed.tokens:
        parts.append([]) if token.text == ";" else parts[-1].append(token)
    has_all = [nouns <= {token.lemma.casefold() for token in part} for part in parts]
    own = next((i for i, part in enumerate(parts) if part and support.words.start <= part[-1].start), 0)
    said = {token.lemma.casefold() for token in parts[own]}
    numbers = any(t.pos == "NUM" for part, has in zip(parts, has_all, strict=True) if has for t in part)
    return nouns.isdisjoint(said) and any(has_all) and numbers


def _with_all_told(found: Derived) -> Derived:
    """A list with the sentences of its members as those that its last step stands on."""
    last = found.steps[-1] if found.steps else None
    if found.kind != "list" or last is None or last.supports:
        return found
    supports = tuple(support for step in found.steps[:-1] for support in step.supports)
    return replace(found, steps=(*found.steps[:-1], replace(last, supports=supports)))


def _is_of_two_things(found: Derived) -> bool:
    """Whether an answer is told of something that an earlier step led to, in another document."""
    documents = {support.passage.document for step in found.steps for support in step.supports}
    if found.kind == "list" and len(documents) == 1:
        return False
    return len(found.steps) > 1 and (found.steps[0].operation != CONNECT or len(documents) > 1)


def _is_of(asked: str, answer: Derived) -> bool:
    """Whether an answer is of the kind that is asked for: no name is where a number or a date is."""
    return asked not in _KINDS or answer.kind in _KINDS[asked] or answer.text[:1].isdigit()


def _is_measured(answer: Derived) -> bool:
    """Whether a number says of what it is, as one for a length, a mass or money has to."""
    values = [v.value for v in find_values(answer.text) if isinstance(v.value, Quantity)]
    if answer.kind != "number" or len(values) != 1:
        return True
    return bool(values[0].unit) or len(answer.text) > len(values[0].text)


def _is_thing(answer: Derived, text: str) -> bool:
    """Whether an answer may be what is asked for where that is no person."""
    return not (_THING.match(text) and answer.kind == "entity" and type_of_name(answer.text) == "Person")
