"""The table of a claim's elements where the verdict follows from words: what meets each, or stands in its place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from provgraph.reading.syntax import Token
from provgraph.verdicts.claim_readings import Reading
from provgraph.verdicts.decision import Weighed
from provgraph.verdicts.judgement import Element, Label, Place
from provgraph.verdicts.tree_objections import Objection
from provgraph.verdicts.word_links import Way

_WHY: Final[dict[Way, str]] = {
    "same": "the same words", "alike": "in other words", "narrower": "one kind of it", "root": "the same root",
    "near": "in other words",
}  # fmt: skip
_REASONS: Final = {
    "denial": "one of the two denies it", "only": "the text does not say that it is so alone",
    "another's": "the text says it of another", "exchanged": "the text has them the other way round",
    "rival": "the text says otherwise",
}  # fmt: skip


def table_of(label: Label, weighed: Weighed, elements: Sequence[Element]) -> list[Element]:
    """The elements as the verdict has them: for SUPPORTS all entailed, for REFUTES with what is contradicted."""
    reading = weighed.reading
    if label == "SUPPORTS":
        return [_entailed(element, reading) for element in elements]
    met = [element if _objected(element, weighed) else _met(element, reading) for element in elements]
    if label == "REFUTES":
        return _contradicted(met, weighed)
    return met if any(element.relation == "not said" for element in met) else list(elements)


def sentence_place(reading: Reading) -> Place:
    """The sentence that meets most of the claim."""
    assert reading.best.sentence is not None
    parsed, evidence = reading.best.sentence.parsed, reading.meaning.evidence
    return Place(evidence.id, parsed.start, parsed.end, evidence.text[parsed.start : parsed.end])


def _units_in(element: Element, reading: Reading) -> Iterator[int]:
    """Those that share characters with it; units are in the order of the claim, and none within another."""
    units = reading.best.units
    first = bisect_right(units, element.start, key=lambda unit: unit.end)
    for number in range(first, len(units)):
        if units[number].start >= element.end:
            return
        if not units[number].light:
            yield number


def _entailed(element: Element, reading: Reading) -> Element:
    if element.relation == "entailed":
        return element
    place, why = _meeting(element, reading)
    place = place or sentence_place(reading)
    return replace(element, relation="entailed", evidence=place, why=why or "follows from the sentence")


def _met(element: Element, reading: Reading) -> Element:
    """Entailed where every unit of it is met by the sentence."""
    numbers = list(_units_in(element, reading))
    if element.relation != "not said" or not numbers or not all(reading.best.met(i) for i in numbers):
        return element
    place, why = _meeting(element, reading)
    return replace(element, relation="entailed", evidence=place, why=why)


def _meeting(element: Element, reading: Reading) -> tuple[Place | None, str]:
    """The words from the first to the last that meet the element, and how the least literal of them does."""
    sentence = reading.best.sentence
    assert sentence is not None
    links = [link for i in _units_in(element, reading) if (link := reading.best.links[i]) is not None]
    units = [sentence.units[sentence.unit_at[link.at]] for link in links if link.at in sentence.unit_at]
    why = _WHY.get(min(links, key=lambda link: link.worth).way, "") if links else ""
    if not units:
        return None, why
    start, end = min(unit.start for unit in units), max(unit.end for unit in units)
    return _place(reading, start, end), why


def _place(reading: Reading, start: int, end: int) -> Place:
    evidence = reading.meaning.evidence
    return Place(evidence.id, start, end, evidence.text[start:end])


def _objected(element: Element, weighed: Weighed) -> bool:
    numbers = set(_units_in(element, weighed.reading))
    return any(objection.unit in numbers for objection in weighed.objections)


def _contradicted(elements: list[Element], weighed: Weighed) -> list[Element]:
    """With the elements that the text says otherwise; the predicate where the sentence as a whole does."""
    against = [objection for objection in weighed.objections if objection.against]
    if any(element.relation == "contradicted" for element in elements) or not against:
        return elements
    objection = against[0]
    at = next((i for i, each in enumerate(elements) if _concerns(objection, each, weighed.reading)), None)
    if at is None:
        at = next((i for i, each in enumerate(elements) if each.role == "predicate"), 0)
    if elements:
        place = _said_place(objection.said, weighed.reading) or sentence_place(weighed.reading)
        why = _REASONS.get(objection.kind, "")
        elements[at] = replace(elements[at], relation="contradicted", evidence=place, why=why)
    return elements


def _concerns(objection: Objection, element: Element, reading: Reading) -> bool:
    if objection.kind == "only":
        return element.role == "only"
    return objection.unit is not None and objection.unit in set(_units_in(element, reading))


def _said_place(token: Token | None, reading: Reading) -> Place | None:
    if token is None or reading.best.sentence is None:
        return None
    sentence = reading.best.sentence
    at = sentence.unit_at.get(token.index)
    start, end = (
        (token.start, token.end) if at is None else (sentence.units[at].start, sentence.units[at].end)
    )
    return _place(reading, start, end)
