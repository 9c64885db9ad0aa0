"""What the sentences of a piece state, by rules: whole clauses in the text's words, with conditions and numbers.

A clause of a sentence is one statement, its object with all that belongs to it: "the Goods within 30 days". Its subject
is what the model-free extractor resolves it to, where it is a pronoun. A condition is never left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.extraction.facts import Entity, Fact, Passage, Value
from provgraph.extraction.model_free.extractor import ModelFreeExtractor
from provgraph.extraction.model_free.labels import clean_label
from provgraph.extraction.model_free.values import value_atoms
from provgraph.language.terms import FUNCTION_WORDS, content_terms

MOST_WORDS: Final = 1_000
"""Characters of a sentence above which no statement is sought in it: no sentence is as long."""

LEAST_MISSING: Final = 0.2
"""The share of a sentence's content words that its statements may leave out."""

_CONDITION: Final = re.compile(
    r"(?:(?:if|unless|where|when|until|provided that|except|subject to|in the event|in case|to the extent)\b)",
    re.I,
)
_PRONOUN: Final = re.compile(
    r"(?:it|he|she|they|this|that|these|those|which|who|there|we|you|i|one|such|each|both)\Z", re.I
)
_COUNTED: Final = re.compile(r"\s([a-z]{3,}s?)\b")
_WITHIN_A_NAME: Final = re.compile(r"[\w–—/-]\Z")
_GOES_ON: Final = re.compile(r"[–—/-]?\w")
_BARE: Final = re.compile(r"[\d.,]+\Z")
_NUMBERS_A_NAME: Final = re.compile(r"[A-Z]\w+\s\Z")
_GERUND: Final = re.compile(r"\w+ing\Z")
_POINTING: Final = frozenset("this that these those its their his her".split())
_STOP: Final = ".;:!? \t"


@dataclass(frozen=True)
class PairStatement:
    """Subject, relation and all of the object; `parts` are smaller facts, `numbers` those that the sentence names.

    `whole` is the sentence, where the statement leaves out too much of it.
    """

    subject: Entity
    relation: str
    object: str
    confidence: float
    parts: tuple[Fact, ...] = ()
    numbers: tuple[str, ...] = ()
    whole: str = ""


class StatementReader:
    """Reads the sentences of one passage, which is read for small facts as a whole, so that pronouns are resolved."""

    def __init__(self, passage: Passage) -> None:
        self.title = passage.title
        self._whole = ModelFreeExtractor(verbatim=True)
        self._atomic = ModelFreeExtractor()
        self._atoms = self._atomic.extract(passage)

    def read(self, words: str, span: tuple[int, int], least: float = LEAST_MISSING) -> list[PairStatement]:
        """The statements of the sentence that stands at `span` of the passage; none where the rules see none. Where
        they leave out more than the share `least` of its words, one statement has the sentence whole."""
        start, end = span
        return self._read(words, [atom for atom in self._atoms if start <= atom.start < end], least)

    def read_alone(self, words: str, least: float = LEAST_MISSING) -> list[PairStatement]:
        """The same of a sentence that does not stand so in the passage."""
        said = _sentence(words)
        return self._read(words, self._atomic.extract(Passage(said)) if said else (), least)

    def _read(self, words: str, atoms: Sequence[Fact], least: float) -> list[PairStatement]:
        said = _sentence(words)
        if not said:
            return []
        whole = [each for each in self._whole.extract(Passage(said)) if isinstance(each.object, Entity)]
        found = [stated for fact in whole if (stated := self._statement(said, fact, atoms))]
        found = found or [_of_atom(atom, atoms) for atom in atoms[:1]]
        return _completed(found, said, least)

    def _statement(self, sentence: str, fact: Fact, atoms: Sequence[Fact]) -> PairStatement | None:
        subject = self._subject(fact, atoms)
        if subject is None or _is_within_another(sentence, fact) or _GERUND.match(fact.relation):
            return None
        object_ = _with_conditions(sentence, fact)
        parts = tuple(atom for atom in atoms if atom.subject.label == subject.label)
        numbers = tuple(dict.fromkeys(numbers_in(sentence)))
        return PairStatement(subject, fact.relation, object_, fact.confidence, parts, numbers)

    def _subject(self, fact: Fact, atoms: Sequence[Fact]) -> Entity | None:
        """The subject under its clean name, or what the resolved fact of the same verb has in its place."""
        label = clean_label(fact.subject.label)
        verb = fact.relation.split()[0] if fact.relation else ""
        named = next((atom.subject for atom in atoms if atom.subject.label == label), None)
        if named or not label:
            return named
        first = fact.subject.label.split()[0].casefold()
        if _PRONOUN.match(label) or first in _POINTING:
            same = [atom.subject for atom in atoms if verb in atom.relation.split()]
            return same[0] if same else None if _PRONOUN.match(label) else Entity(label)
        return Entity(label)


def _sentence(words: str) -> str:
    """The words as one sentence; empty where there are none, or too many for one."""
    said = " ".join(words.split()).rstrip(_STOP)
    return f"{said[0].upper()}{said[1:]}." if said and len(said) <= MOST_WORDS else ""


def _of_atom(atom: Fact, atoms: Sequence[Fact]) -> PairStatement:
    parts = tuple(each for each in atoms if each.subject.label == atom.subject.label)
    numbers = tuple(each.object.label for each in parts if is_number(each.object))
    return PairStatement(atom.subject, atom.relation, atom.object.label, atom.confidence, parts, numbers)


def _completed(found: list[PairStatement], sentence: str, least: float) -> list[PairStatement]:
    """The statements, the first with the whole sentence where together they say too little of it."""
    said = {
        term
        for each in found
        for term in content_terms(f"{each.subject.label} {each.relation} {each.object}")
    }
    wanted = content_terms(sentence)
    missing = [term for term in wanted if term not in said]
    if not found or len(missing) <= least * len(wanted):
        return found
    first, *_ = found
    return [replace(first, whole=sentence, parts=(*first.parts, *_facts(found)))]


def _facts(statements: Sequence[PairStatement]) -> Iterator[Fact]:
    for each in statements:
        label = clean_label(each.object)
        if label:
            yield Fact(each.subject, each.relation, Entity(label), each.confidence, 0, 0)


def is_number(thing: Entity | Value) -> bool:
    return isinstance(thing, Value) and thing.kind != "text"


def numbers_in(sentence: str) -> Iterator[str]:
    """Numbers, quantities and dates, as the sentence spells them, each with the word that is counted; what only numbers
    a name ("Schedule 1") is none."""
    for atom in value_atoms(sentence, 0, len(sentence)):
        said = " ".join(sentence[atom.start : atom.end].split())
        if said.isdigit() and _NUMBERS_A_NAME.search(sentence[: atom.start]):
            continue
        if _WITHIN_A_NAME.search(sentence[: atom.start]) or _GOES_ON.match(sentence[atom.end :]):
            continue
        counted = _COUNTED.match(sentence[atom.end :]) if _BARE.match(said) else None
        yield f"{said} {counted[1]}" if counted and counted[1] not in FUNCTION_WORDS else said


def _is_within_another(sentence: str, fact: Fact) -> bool:
    """Whether a clause only describes a noun of another: "the fittings listed in Schedule 1"."""
    whole = f"{fact.subject.label} {fact.relation} {fact.object.label}"
    return (
        fact.subject.label in sentence
        and whole in sentence
        and not sentence.startswith(whole)
        and (f" means {whole}" in sentence or f" is {whole}" in sentence)
    )


def _with_conditions(sentence: str, fact: Fact) -> str:
    """The object with the condition that opens the sentence, or that follows the object, said after it."""
    said = fact.object.label
    at = sentence.find(said)
    after = sentence[at + len(said) :] if at >= 0 else ""
    following = after.lstrip(", ")
    if _CONDITION.match(following):
        said = f"{said} {following.rstrip(_STOP)}"
    opening = _opening_condition(sentence)
    if opening and opening not in said and fact.subject.label in sentence[len(opening) :]:
        said = f"{said}, {opening[0].lower()}{opening[1:]}"
    return said


def _opening_condition(sentence: str) -> str:
    if not _CONDITION.match(sentence):
        return ""
    opening, comma, _ = sentence.partition(", ")
    return opening if comma else ""
