"""Which propositions become facts, and in what words.

A fact has a name, a defined term or a value at both ends and a real predicate. What is denied, planned, alleged or
conditional is no fact, nor is what speaks of "it" or "the company" where the text does not tell which.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from provgraph.extraction.facts import Entity, Fact
from provgraph.extraction.facts import Value as StoredValue
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import ENTITY_CLASSES
from provgraph.reading.propositions import Argument, Proposition
from provgraph.reading.relations import vocabulary
from provgraph.reading.values import Date, Quantity, Value

_LEAST: Final = 0.6
_KINDS: Final = frozenset({"instance-of", "occupation", "position", "is"})
_NOT_STORED: Final = frozenset({"has-property", "has", "uses", "gender"})
_POINTING: Final = frozenset(
    "its his her their our my your this that these those such another other each both".split()
)
_LONGEST_NAME: Final = 9
_LONGEST_TERM: Final = 5
_LONGEST_KIND: Final = 10
_TYPES: Final = {each.value.rpartition("/")[2].rpartition("#")[2] for each in ENTITY_CLASSES}
_NAME: Final = re.compile(r"[^\W\d_]")
_NOISE: Final = re.compile(r"[|\t\n{}<>=\\]|\.{3}|\s[-–—]\s")
_PART: Final = re.compile(
    r"(?:Table|Figure|Fig|Section|Chapter|Appendix|Equation|Step|Example|Note|Item)\b", re.I
)
_QUOTES: Final = "\"“”'‘’`"


def fact_of(proposition: Proposition, text: str) -> Fact | None:
    """The fact that a proposition of `text` is stored as; None where it is not worth storing."""
    target = proposition.object
    if target is None or not _is_said(proposition) or not _is_subject(proposition):
        return None
    stored = _object(proposition, target, text)
    subject = Entity(_clean(proposition.subject.label), _type(proposition.subject))
    if stored is None or stored.label.casefold() == subject.label.casefold():
        return None
    confidence = round(round(min(max(proposition.certainty, 0.05), 0.95) * 20) / 20, 2)
    label, iri = _relation(proposition)
    return Fact(subject, label, stored, confidence, proposition.sentence.start, proposition.sentence.end, iri)


def _is_said(each: Proposition) -> bool:
    asserted = each.polarity and each.modality == "asserted"
    return asserted and each.stands_alone and each.certainty >= _LEAST and each.relation not in _NOT_STORED


def _is_subject(each: Proposition) -> bool:
    """Whether it is of a name, or defines a term."""
    subject = each.subject
    if subject.is_named:
        return _is_name(subject.label) and not _PART.match(subject.label)
    defines = each.relation in _KINDS and subject.kind == "concept" and subject.determiner in ("", "a", "an")
    return defines and len(subject.text.split()) <= _LONGEST_TERM and not _NOISE.search(subject.text)


def _is_name(label: str) -> bool:
    return bool(_NAME.search(label)) and len(label.split()) <= _LONGEST_NAME and not _NOISE.search(label)


def _object(each: Proposition, target: Argument, text: str) -> Entity | StoredValue | None:
    if target.kind == "value" and target.value is not None:
        if each.relation in _KINDS:
            return None
        return _value(target.value, target.text)
    if target.is_named:
        kind = _type(each.subject if each.relation == "also-known-as" else target)
        return Entity(_clean(target.label), kind) if _is_name(target.label) else None
    if target.kind != "concept" or target.determiner in _POINTING or _NOISE.search(target.text):
        return None
    if each.relation in _KINDS:
        label = _with_place(each, target, text)
        return Entity(label, "Concept") if len(label.split()) <= _LONGEST_KIND else None
    words = len(target.text.split())
    if words > _LONGEST_TERM or (target.determiner == "the" and not target.of):
        return None
    if words == 1 and not each.canonical:
        return None
    return Entity(_clean(target.text), "")


def _with_place(each: Proposition, target: Argument, text: str) -> str:
    """ "Largest city" with the "in Austria" that follows it."""
    place = each.argument("place") or each.argument("organisation")
    if (
        each.relation != "is"
        or place is None
        or not target.head.end <= place.span.start <= target.span.end + 30
    ):
        return _clean(target.text)
    start = (
        target.span.end - len(target.text)
        if text[: target.span.end].endswith(target.text)
        else target.span.start
    )
    return _clean(" ".join(text[start : place.span.end].split()))


def _value(value: Value, label: str) -> StoredValue | None:
    if isinstance(value, Date):
        return (
            StoredValue("date", value.lexical, label) if value.lexical else StoredValue("text", label, label)
        )
    if isinstance(value, Quantity) and value.exact:
        unit = value.unit or value.noun
        amount = f"{value.amount.normalize():f}" if value.amount != Decimal(0) else "0"
        return (
            StoredValue("quantity", f"{amount} {unit}", label)
            if unit
            else StoredValue("number", amount, label)
        )
    return StoredValue("text", label, label)


def _type(argument: Argument) -> str:
    kind = {"Award": "Concept"}.get(argument.entity_type, argument.entity_type)
    return kind if kind in _TYPES and argument.kind != "value" else ""


def _relation(each: Proposition) -> tuple[str, NamedNode | None]:
    if each.canonical:
        relation = vocabulary()[each.relation]
        return relation.label, NamedNode(relation.iri)
    if each.agentless:
        verb, _, preposition = each.relation.partition(" ")
        participle = each.predicate.text.split()[-1].lower()
        return f"be {participle} {preposition}".strip() if verb else each.relation, None
    return each.relation, None


def _clean(label: str) -> str:
    return " ".join(label.split()).strip(_QUOTES + " ,;:.-–").removesuffix("'s").removesuffix("’s") or label
