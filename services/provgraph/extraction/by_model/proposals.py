"""What a model proposes → facts that the text proves. The model proposes, the program verifies.

A proposal becomes a fact only where its quote stands in the text, the sentence of the quote is the passage's own, its
names are words of the text, and the quote bears its values, its verb, who does what to whom, and that it is not denied;
with an ontology, where it conforms. All others are counted by what was wrong.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from provgraph.extraction.by_model.ontology import Ontology
from provgraph.extraction.by_model.quote_check import Claimed, QuotedText, QuoteFault
from provgraph.extraction.by_model.values import value_of
from provgraph.extraction.facts import Entity, Fact, Passage, Value
from provgraph.extraction.labels import clean_label
from provgraph.extraction.stored_values import read_value
from provgraph.language.json_items import Item
from provgraph.language.quotes import QuotableText, Span
from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import terms
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import ENTITY_CLASSES, PREFIXES, SKOS
from provgraph.reading.parser import BuiltInParser

Fault = (
    Literal[
        "incomplete", "quote not found", "of another chunk", "names not in the text", "not in the ontology"
    ]
    | QuoteFault
)

_CLASSES: Final = {
    (name := term.value.removeprefix(PREFIXES["tg"])).casefold(): name for term in ENTITY_CLASSES
}
_UNPRINTABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_LONGEST_RELATION: Final = 80
_LONGEST_DEFINITION: Final = 500
_IN_SENTENCE, _NEARBY = 0.9, 0.75
_SHARE: Final = 0.5
"""Of the words of a name, how many must be in the text: an ending or a translated title may differ, a name not."""


@dataclass(frozen=True)
class Verified:
    facts: tuple[Fact, ...]
    dropped: Mapping[str, int]


@dataclass(frozen=True)
class _Statement:
    """A proposal in good form, not yet proved."""

    subject: Entity
    relation: str
    object: Entity | Value
    relation_iri: NamedNode | None = None


def verified(passage: Passage, proposals: Iterable[Item], ontology: Ontology | None = None) -> Verified:
    """The proposals that the passage proves, each once, and how many failed by what."""
    proof = _Proof(passage)
    facts: dict[Fact, None] = {}
    dropped: Counter[str] = Counter()
    for item in proposals:
        statement = _conforming(item, ontology) if ontology else _stated(item)
        fact = (
            proof.fact(statement, item_text(item, "quote"))
            if isinstance(statement, _Statement)
            else statement
        )
        if isinstance(fact, Fact):
            facts[fact] = None
        else:
            dropped[fact] += 1
    return Verified(tuple(facts), dropped)


class _Proof:
    """A passage, against which statements are held."""

    def __init__(self, passage: Passage) -> None:
        self._passage = passage
        self._quotable = QuotableText.of(passage.text)
        self._sentences = sentence_spans(passage.text)
        self._starts = [start for start, _ in self._sentences]
        self._quoted = QuotedText(passage.text, passage.title, BuiltInParser())
        self._words = frozenset(terms(f"{passage.title}\n{passage.text}"))

    def fact(self, statement: _Statement, quote: str) -> Fact | Fault:
        if not quote:
            return "incomplete"
        found = self._quotable.find(quote)
        if found is None:
            return "quote not found"
        start, end = self._whole_sentences(found)
        if not self._passage.owns(start):
            return "of another chunk"
        names = [terms(statement.subject.label), terms(statement.object.label)]
        if any(share(name, self._words) < _SHARE for name in names):
            return "names not in the text"
        relation, iri = statement.relation, statement.relation_iri
        claimed = Claimed(statement.subject.label, relation, statement.object.label)
        check = self._quoted.check(claimed, start, end, worded=iri is None)
        if check.fault:
            return check.fault
        said = frozenset(terms(self._passage.text[start:end]))
        confidence = _IN_SENTENCE if all(share(name, said) == 1 for name in names) else _NEARBY
        return Fact(statement.subject, relation, statement.object, confidence, start, end, iri)

    def _whole_sentences(self, span: Span) -> Span:
        """From the start of the sentence in which a span begins to the end of the one in which it ends."""
        start, end = span
        first = bisect_right(self._starts, start) - 1
        last = bisect_right(self._starts, end - 1) - 1
        if first >= 0 and self._sentences[first][1] > start:
            start = self._sentences[first][0]
        return start, max(end, self._sentences[last][1]) if last >= 0 else end


def _stated(item: Item) -> _Statement | Fault:
    """A relationship, or a definition, in the model's own words."""
    if item_text(item, "definition"):
        entity = clean_label(item_text(item, "entity") or item_text(item, "subject"))
        definition = item_text(item, "definition")[:_LONGEST_DEFINITION]
        if not entity:
            return "incomplete"
        said = Value("text", definition, definition)
        return _Statement(Entity(entity, class_of(item, "type")), "definition", said, SKOS.definition)
    subject, object_ = clean_label(item_text(item, "subject")), clean_label(item_text(item, "object"))
    relation = item_text(item, "relation")
    if not (subject and object_ and relation) or subject == object_ or len(relation) > _LONGEST_RELATION:
        return "incomplete"
    value = read_value(object_)
    target = value or Entity(object_, class_of(item, "object_type"))
    return _Statement(Entity(subject, class_of(item, "subject_type")), relation, target)


def _conforming(item: Item, ontology: Ontology) -> _Statement | Fault:
    """A relationship in the ontology's words: its class and property IRIs, its domain, range and datatype."""
    label, relation = clean_label(item_text(item, "subject")), item_text(item, "relation")
    words = item_text(item, "object")
    if not (label and relation and words):
        return "incomplete"
    asked = ontology.property_called(relation)
    if asked is None:
        return "not in the ontology"
    subject = _instance(label, item_text(item, "subject_type"), ontology, asked.domains)
    object_: Entity | Value | None
    if asked.datatype:
        object_ = value_of(words, asked.datatype)
    else:
        object_ = _instance(clean_label(words), item_text(item, "object_type"), ontology, asked.ranges)
    if subject is None or object_ is None:
        return "not in the ontology"
    return _Statement(subject, asked.label or asked.iri.value, object_, asked.iri)


def _instance(
    label: str, type_: str, ontology: Ontology, unions: tuple[frozenset[NamedNode], ...]
) -> Entity | None:
    """A thing of a class that the ontology has and the property takes."""
    class_ = ontology.class_called(type_)
    if not label or (type_ and class_ is None) or (unions and class_ is None):
        return None
    if class_ is None:
        return Entity(label)
    return Entity(label, class_.iri.value) if class_.is_in(unions) else None


def class_of(item: Item, key: str) -> str:
    """The class that an item names, empty for one that there is not."""
    return _CLASSES.get(item_text(item, key).casefold(), "")


def item_text(item: Item, key: str) -> str:
    """The words of a member of an item, in one line; empty where it has none."""
    value = item.get(key)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    return " ".join(_UNPRINTABLE.sub(" ", value).split()) if isinstance(value, str) else ""


def share(words: list[str], among: frozenset[str]) -> float:
    """Of some words, the share that is among others."""
    return sum(word in among for word in words) / len(words) if words else 0.0
