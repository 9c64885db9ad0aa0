"""What a sentence names that may be an answer: every name, date and quantity, with its type and its place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from provgraph.derivation.asking import distance
from provgraph.derivation.evidence import ReadPassage
from provgraph.derivation.names import likeness, words_of
from provgraph.reading.entity_types import gender_of_name
from provgraph.reading.propositions import Argument, Proposition, Span
from provgraph.reading.syntax import ParsedSentence
from provgraph.reading.values import Date, Quantity, Value


@dataclass(frozen=True)
class AnswerCandidate:
    """`label` is the name it goes by in full; `head` the token that stands for it in its sentence."""

    passage: ReadPassage
    sentence: ParsedSentence
    span: Span
    label: str
    entity_type: str
    head: int
    value: Value | None = None
    resolved: bool = False

    def argument(self) -> Argument:
        kind = "value" if self.value is not None else "entity"
        return Argument("object", self.label, self.span, self.span, kind, "", self.entity_type, self.value)  # type: ignore[arg-type]


class SentenceView:
    """One sentence of a passage: its lemmas, what it names, and what its pronouns and descriptions stand for."""

    def __init__(self, passage: ReadPassage, sentence: ParsedSentence) -> None:
        self.passage = passage
        self.sentence = sentence
        self.text = passage.text[sentence.start : sentence.end]

    @cached_property
    def lemmas(self) -> frozenset[str]:
        """Its words, as they are written and as dictionaries have them."""
        tokens = self.sentence.tokens
        return frozenset(t.lemma.casefold() for t in tokens) | frozenset(t.text.casefold() for t in tokens)

    @cached_property
    def propositions(self) -> tuple[Proposition, ...]:
        said = self.passage.reading.propositions
        return tuple(p for p in said if p.sentence.start == self.sentence.start)

    @cached_property
    def candidates(self) -> tuple[AnswerCandidate, ...]:
        """What it names; most sentences are passed over without being asked for it."""
        return tuple(_unique(self._candidates()))

    @cached_property
    def resolved(self) -> frozenset[str]:
        """The names that pronouns and descriptions of the sentence stand for."""
        meant = (a for p in self.propositions for a in (p.subject, p.object, *p.arguments) if a is not None)
        return frozenset(
            (
                *(a.resolution.stands_for for a in meant if a.resolution is not None),
                *self._possessors.values(),
            )
        )

    @cached_property
    def _possessors(self) -> dict[int, str]:
        """By the place of "his", "her" and "its": whom they stand for, as the nearest subject before tells."""
        tokens = [t for t in self.sentence.tokens if t.text.casefold() in _POSSESSIVES]
        if not tokens:
            return {}
        mentions = [(m.name, m.entity_type, s.start) for m in self.passage.reading.mentions for s in m.spans]
        possessors: dict[int, str] = {}
        for token in tokens:
            people = token.text.casefold() in ("his", "her")
            before = [
                (start, name)
                for name, kind, start in mentions
                if start < token.start
                and (not people or (kind in ("Person", "") and _may_be(token.text, name)))
            ]
            said = [name for start, name in before if self._is_subject(start)]
            if said or before:
                possessors[token.index] = said[-1] if said else max(before)[1]
        return possessors

    def _is_subject(self, start: int) -> bool:
        ends = (p.subject for p in self.passage.reading.propositions if not p.derived)
        return any(end.span.start == start for end in ends)

    def _candidates(self) -> Iterator[AnswerCandidate]:
        yield from self._of_propositions()
        yield from self._of_entities()
        for value in self.passage.values:
            if self.sentence.start <= value.start < self.sentence.end:
                span = Span(value.start, value.end, self.passage.text[value.start : value.end])
                kind = (
                    "Date"
                    if isinstance(value.value, Date)
                    else "Number"
                    if isinstance(value.value, Quantity)
                    else ""
                )
                if kind:
                    yield self._candidate(span, span.text.strip(), kind, value.value)

    def _of_propositions(self) -> Iterator[AnswerCandidate]:
        for proposition in self.propositions:
            for argument in (proposition.subject, proposition.object, *proposition.arguments):
                if argument is None or not argument.is_named or argument.value is not None:
                    continue
                kind = argument.entity_type or self.passage.reading.type_of(argument.label)
                yield self._candidate(
                    argument.span, argument.label, kind, None, resolved=argument.resolution is not None
                )

    def _of_entities(self) -> Iterator[AnswerCandidate]:
        tokens, start = self.sentence.tokens, 0
        while start < len(tokens):
            if not tokens[start].entity.startswith("B-"):
                start += 1
                continue
            end = start + 1
            while end < len(tokens) and tokens[end].entity.startswith("I-"):
                end += 1
            kind = _TYPES.get(tokens[start].entity[2:], "")
            if kind:
                words = Span(
                    tokens[start].start,
                    tokens[end - 1].end,
                    self.passage.text[tokens[start].start : tokens[end - 1].end],
                )
                label = (
                    words.text.removeprefix("the ").removeprefix("The ").removesuffix("'s").removesuffix("’s")
                )
                yield self._candidate(words, label, kind, None)
            start = end

    def of_span(self, span: Span, kind: str) -> AnswerCandidate:
        """Any words of the sentence as a candidate."""
        return self._candidate(span, span.text, kind, None)

    def _candidate(
        self, span: Span, label: str, kind: str, value: Value | None, *, resolved: bool = False
    ) -> AnswerCandidate:
        return AnswerCandidate(
            self.passage,
            self.sentence,
            span,
            " ".join(label.split()),
            kind,
            self._head(span),
            value,
            resolved,
        )

    def _head(self, span: Span) -> int:
        """The token of the span whose head is outside it."""
        first, end = bisect_left(self._starts, span.start), bisect_left(self._starts, span.end)
        inside = self.sentence.tokens[first:end]
        if not inside:
            return 0
        return next((t.index for t in inside if not first <= t.head < end), inside[-1].index)

    @cached_property
    def _starts(self) -> list[int]:
        return [token.start for token in self.sentence.tokens]

    def told_together(self, candidate: AnswerCandidate) -> str:
        """The words of a name or phrase with all that it is coordinated with ("Ada Novak, Ben Hall and Cy Reed"); empty
        where it stands alone."""
        tokens, first = self.sentence.tokens, self.sentence.tokens[candidate.head]
        while first.relation == "conj" and tokens[first.head].pos in _NOMINAL:
            first = tokens[first.head]
        others = [
            c for c in self.sentence.children[first.index] if c.relation == "conj" and c.pos in _NOMINAL
        ]
        if candidate.value is not None or candidate.resolved or not others:
            return ""
        inner = [
            c
            for c in self.sentence.children[first.index]
            if c.relation in _BEFORE_HEAD and c.index < first.index
        ]
        last = others[-1]
        ends = [last, *(c for c in self.sentence.children[last.index] if c.relation in ("flat", "compound"))]
        start, end = min(t.start for t in (first, *inner)), max(t.end for t in ends)
        words = " ".join(self.passage.text[start:end].split())
        return "" if ";" in words else words

    def heads_of(self, name: str) -> list[int]:
        """The tokens that stand for what is named, by its own words or by what they stand for."""
        own = [c.head for c in self.candidates if likeness(c.label, name) >= 0.8]
        return own + [index for index, label in self._possessors.items() if likeness(label, name) >= 0.8]

    def distance(self, one: int, other: int) -> int:
        """Steps between two words of the tree."""
        if (one, other) not in self._distances:
            self._distances[one, other] = distance(self.sentence, one, other)
        return self._distances[one, other]

    @cached_property
    def _distances(self) -> dict[tuple[int, int], int]:
        return {}


_NOMINAL = ("NOUN", "PROPN")
_BEFORE_HEAD = ("compound", "flat", "amod", "nummod")
_POSSESSIVES = frozenset({"his", "her", "its"})


def _may_be(pronoun: str, name: str) -> bool:
    gender = gender_of_name(name)
    return not gender or (gender == "male") == (pronoun.casefold() == "his")


_TYPES = {
    "PERSON": "Person",
    "ORGANIZATION": "Organization",
    "PLACE": "Place",
    "WORK": "Work",
    "EVENT": "Event",
    "GROUP": "Group",
    "OTHER": "Concept",
}


def _unique(candidates: Iterator[AnswerCandidate]) -> Iterator[AnswerCandidate]:
    """Each place once; the one with a type is kept."""
    best: dict[tuple[int, tuple[str, ...]], AnswerCandidate] = {}
    for candidate in candidates:
        key = (candidate.span.start, words_of(candidate.label))
        if candidate.label and (key not in best or (not best[key].entity_type and candidate.entity_type)):
            best[key] = candidate
    taken: list[AnswerCandidate] = []
    for candidate in sorted(best.values(), key=lambda c: (c.value is None, -(c.span.end - c.span.start))):
        inside = any(
            t.span.start <= candidate.span.start and candidate.span.end <= t.span.end and t.value is not None
            for t in taken
        )
        if not inside:
            taken.append(candidate)
    yield from taken
