"""Facts that cannot both be true: the same subject, an attribute with one value at most, and another value.

Contradictions are found when somebody looks, from what the graph says now; none is ever stored, and none resolved.
An *attribute* is what a functional relation tells of its subject: a date of birth, a mother. Several relations tell one
attribute ("was born on", "has date of birth"), and one relation tells several, by the kind of its value ("was born in"
a year, or a place). Which there are, why no more, and what makes two values exclude each other:
docs/tech-specs/contradictions.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Final

from provgraph.catalogue.naming import is_statement, labels
from provgraph.catalogue.sources import MOST_SOURCES, Source, SourceReader
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import local_name
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple
from provgraph.rdf.vocabulary import OWL, RDF, TG, XSD


class AttributeKind(StrEnum):
    """What kind of value a term is; values of two kinds are never compared."""

    DATE = "date"
    THING = "thing"
    NUMBER = "number"
    QUANTITY = "quantity"
    TEXT = "text"


@dataclass(frozen=True)
class Attribute:
    """What has one value of a kind at most, and the relations, in words, that tell it."""

    name: str
    kind: AttributeKind
    relations: frozenset[str]


def _attribute(name: str, kind: AttributeKind, relations: str) -> Attribute:
    return Attribute(name, kind, frozenset(relation.strip() for relation in relations.split("·")))


ATTRIBUTES: Final = (
    _attribute(
        "date of birth",
        AttributeKind.DATE,
        "born · born on · born on date · born in · date of birth · birth date · birthdate",
    ),
    _attribute(
        "place of birth",
        AttributeKind.THING,
        "born in · born in place · born at · birthplace · birth place · place of birth · birth city",
    ),
    _attribute(
        "date of death",
        AttributeKind.DATE,
        "died · died on · died on date · died in · date of death · death date",
    ),
    _attribute(
        "place of death",
        AttributeKind.THING,
        "died in · died in place · died at · place of death · death place · deathplace",
    ),
    _attribute(
        "date of founding",
        AttributeKind.DATE,
        "founded in · founded on · founded on date · established in · established on · founding date · "
        "date of founding · inception",
    ),
    _attribute("mother", AttributeKind.THING, "mother"),
    _attribute("father", AttributeKind.THING, "father"),
)

_AUXILIARIES: Final = frozenset("a an the is are was were be been has had have".split())
_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_DATES: Final = (XSD.date, XSD.date_time, XSD.g_year, XSD.g_year_month)
_NUMBERS: Final = (XSD.integer, XSD.decimal)


def attributes(relation: NamedNode, kind: AttributeKind) -> list[Attribute]:
    """The attributes that a relation tells with a value of this kind, by the words of its name."""
    words = relation_words(local_name(relation.value))
    return [attribute for attribute in ATTRIBUTES if attribute.kind is kind and words in attribute.relations]


def relation_words(name: str) -> str:
    """A relation's name as plain words: `birthDate`, "has birth date" and `birth_date` are one."""
    words = [word.casefold() for word in _WORD.findall(_HUMP.sub(" ", name))]
    return " ".join(word for word in words if word not in _AUXILIARIES)


def kind_of(value: Term) -> AttributeKind | None:
    """The kind of a value; None for what is none, such as a triple term."""
    if isinstance(value, NamedNode):
        return AttributeKind.THING
    if not isinstance(value, Literal):
        return None
    if value.datatype in _DATES:
        return AttributeKind.DATE
    if value.datatype in _NUMBERS:
        return AttributeKind.NUMBER
    return AttributeKind.QUANTITY if value.datatype == TG.quantity else AttributeKind.TEXT


def excludes(one: Literal, other: Literal) -> bool:
    """Whether two literals of one kind cannot both be true; what cannot be compared excludes nothing."""
    match kind_of(one):
        case AttributeKind.DATE:
            return not _one_begins_the_other(_moment(one), _moment(other))
        case AttributeKind.NUMBER:
            return _differ(one.value, other.value)
        case AttributeKind.QUANTITY:
            (amount, _, unit), (other_amount, _, other_unit) = (v.value.partition(" ") for v in (one, other))
            return unit == other_unit and _differ(amount, other_amount)
        case _:
            return one.language == other.language and _plain(one.value) != _plain(other.value)


def same_name(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether one of two names only says more than the other ("Warsaw" and "Warsaw, Poland")."""
    words = [
        {word.casefold() for label in labels for word in _WORD.findall(label)} for labels in (one, other)
    ]
    return words[0] <= words[1] or words[1] <= words[0]


def _moment(date: Literal) -> str:
    """A date as digits, as precise as it is: "1867", "1867-11", "1867-11-07"."""
    return date.value.partition("T")[0].removesuffix("Z")


def _one_begins_the_other(one: str, other: str) -> bool:
    """A coarser date that holds a finer one does not contradict it: 1867 and 7 November 1867."""
    return f"{one}-".startswith(f"{other}-") or f"{other}-".startswith(f"{one}-")


def _differ(one: str, other: str) -> bool:
    try:
        return Decimal(one) != Decimal(other)
    except InvalidOperation:
        return False


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


AROUND: Final = 500
"""So many facts of a value are looked at for the other value's name."""


@dataclass(frozen=True)
class Contradiction:
    """Another fact with another value of `attribute`, and every sentence that says it."""

    fact: Triple
    attribute: str
    sources: tuple[Source, ...]


async def declared_functional(
    store: QuadStore, graphs: CollectionGraphs, relations: Iterable[NamedNode]
) -> set[NamedNode]:
    """Those of the relations that the collection's own knowledge calls an `owl:FunctionalProperty`."""
    asked = list(dict.fromkeys(relations))
    quads = [Quad(named_node, RDF.type, OWL.FunctionalProperty, graphs.knowledge) for named_node in asked]
    known = await store.contains(quads)
    return {relation for relation, is_known in zip(asked, known, strict=True) if is_known}


async def contradictable(store: QuadStore, graphs: CollectionGraphs, facts: Sequence[Triple]) -> list[Triple]:
    """The facts that tell an attribute with one value at most; no other can be contradicted."""
    declared = await declared_functional(store, graphs, (fact.predicate for fact in facts))
    return [
        fact
        for fact in facts
        if fact.predicate in declared
        or ((kind := kind_of(fact.object)) is not None and attributes(fact.predicate, kind))
    ]


@dataclass(frozen=True)
class Contradictions:
    """Looks for contradictions in the facts of one collection, by bound patterns only."""

    store: QuadStore
    graphs: CollectionGraphs
    reader: SourceReader

    async def of(
        self, sources: Mapping[Triple, tuple[Source, ...]]
    ) -> dict[Triple, tuple[Contradiction, ...]]:
        """The contradictions of each fact, given with its own sources; in the order of the attribute and the value."""
        statements = [fact for fact in sources if is_statement(fact)]
        declared = await declared_functional(self.store, self.graphs, (fact.predicate for fact in statements))
        rivals = {fact: await self._rivals(fact, declared=fact.predicate in declared) for fact in statements}
        others = list(dict.fromkeys(other for rival in rivals.values() for other in rival))
        said = await self.reader.sources(others, most=MOST_SOURCES)
        return {
            fact: tuple(
                Contradiction(other, attribute, said[other])
                for other, attribute in sorted(
                    rivals.get(fact, {}).items(), key=lambda item: (item[1], str(item[0]))
                )
                if said[other] and not _same_sentence(own, said[other])
            )
            for fact, own in sources.items()
        }

    async def _rivals(self, fact: Triple, *, declared: bool) -> dict[Triple, str]:
        """Facts of the subject with an excluded value, each with the attribute that both tell."""
        kind = kind_of(fact.object)
        if kind is None or not isinstance(fact.subject, NamedNode):
            return {}
        told = attributes(fact.predicate, kind)
        if not told and not declared:
            return {}
        pattern = QuadPattern(fact.subject, None if told else fact.predicate, None, self.graphs.knowledge)
        (quads,) = await self.store.match([pattern])
        shared = {
            quad.triple: name
            for quad in quads
            if quad.object != fact.object and kind_of(quad.object) is kind
            if (name := _shared(fact.predicate, quad, kind, declared=declared))
        }
        return {
            other: name for other, name in shared.items() if await self._excluded(fact.object, other.object)
        }

    async def _excluded(self, one: Term, other: Term) -> bool:
        if isinstance(one, Literal) and isinstance(other, Literal):
            return excludes(one, other)
        if isinstance(one, NamedNode) and isinstance(other, NamedNode):
            return not await self._are_tied(one, other)
        return False

    async def _are_tied(self, one: NamedNode, other: NamedNode) -> bool:
        """Whether two things may be one, or one a part of the other: by name, or by a fact that has both."""
        named = await labels(self.store, self.graphs.knowledge, [one, other])
        if same_name([named[one]], [named[other]]):
            return True
        return await self._leads_to(one, named[other], other) or await self._leads_to(other, named[one], one)

    async def _leads_to(self, node: NamedNode, name: str, other: NamedNode) -> bool:
        """Whether a fact around `node` has the other, or a thing that is named for it ("capital of Poland")."""
        graph = self.graphs.knowledge
        quads = await self.store.match(
            [QuadPattern(node, None, other, graph), QuadPattern(other, None, node, graph)]
        )
        if any(quads):
            return True
        around = await self.store.match(
            [QuadPattern(node, None, None, graph), QuadPattern(None, None, node, graph)], limit=AROUND
        )
        ends = {quad.object for quad in around[0]} | {quad.subject for quad in around[1]}
        wanted = set(relation_words(name).split())
        near = (
            set(relation_words(local_name(end.value)).split()) for end in ends if isinstance(end, NamedNode)
        )
        return any(wanted and wanted < words for words in near)


def _shared(relation: NamedNode, other: Quad, kind: AttributeKind, *, declared: bool) -> str:
    """The attribute that two facts both tell, or nothing."""
    if declared and other.predicate == relation:
        return local_name(relation.value)
    told = {attribute.name for attribute in attributes(relation, kind)}
    return next(
        (attribute.name for attribute in attributes(other.predicate, kind) if attribute.name in told), ""
    )


def _same_sentence(own: Sequence[Source], others: Sequence[Source]) -> bool:
    """One sentence that says both values means both: "born in Warsaw, Poland", "in 1867 or 1868"."""
    spans = {(source.page, source.start) for source in own}
    return any((source.page, source.start) in spans for source in others)
