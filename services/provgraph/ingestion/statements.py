"""Facts of a passage → the triples of its subgraph, and the quotations that they were read from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from provgraph.extraction.facts import Entity, Fact, Value
from provgraph.provenance.pairs import Pair
from provgraph.provenance.source import QuotationRecord, SubgraphRecord
from provgraph.rdf import literals
from provgraph.rdf.iris import digest, document_of, entity_iri, quotation_iri
from provgraph.rdf.terms import Literal, NamedNode, Triple
from provgraph.rdf.vocabulary import PREFIXES, RDF, RDFS


@dataclass(frozen=True)
class PageSpan:
    """Words of one page, which stand at `start` in its text."""

    page: NamedNode
    start: int
    text: str


@dataclass(frozen=True)
class Reading:
    """A fact, and the words it was read from: two spans where a page end cuts its sentence."""

    fact: Fact
    spans: tuple[PageSpan, ...]


def subgraph(iri: NamedNode, chunk: NamedNode, readings: Iterable[Reading]) -> SubgraphRecord:
    """The subgraph of a chunk: statements, labels and types, each quoted from the sentence that says it.

    A label or type that several sentences say is quoted from the first of them. Facts that were drawn from a pair are
    quoted by that pair.
    """
    quoted: dict[tuple[tuple[PageSpan, ...], float, Pair | None], list[Triple]] = {}
    named: set[Triple] = set()
    document = document_of(chunk)
    for reading in readings:
        facts = quoted.setdefault((reading.spans, reading.fact.confidence, reading.fact.pair), [])
        statement = _statement(reading.fact, document)
        facts.append(statement)
        names = [triple for triple in _names(reading.fact, statement) if triple not in named]
        facts.extend(names)
        named.update(names)
    quotations = [
        (span, confidence, tuple(dict.fromkeys(facts)), pair)
        for (spans, confidence, pair), facts in quoted.items()
        for span in spans
    ]
    return SubgraphRecord(
        iri=iri,
        chunk=chunk,
        facts=tuple(dict.fromkeys(fact for _, _, facts, _ in quotations for fact in facts)),
        quotations=tuple(_quotations(iri, quotations)),
    )


def _quotations(
    iri: NamedNode, quotations: Sequence[tuple[PageSpan, float, tuple[Triple, ...], Pair | None]]
) -> Iterator[QuotationRecord]:
    for index, (span, confidence, facts, pair) in enumerate(quotations):
        node = quotation_iri(iri, index)
        yield QuotationRecord(node, span.page, span.start, span.text, confidence, facts, pair)


def _statement(fact: Fact, document: str) -> Triple:
    relation = fact.relation_iri or entity_iri(fact.relation)
    return Triple(_node(fact.subject, document), relation, _object(fact.object, document))


def _node(entity: Entity, document: str) -> NamedNode:
    """What is local to a document has the document in its name."""
    return entity_iri(entity.label, digest(document.encode())[:16] if entity.local else "")


def _object(thing: Entity | Value, document: str) -> NamedNode | Literal:
    if isinstance(thing, Entity):
        return _node(thing, document)
    if thing.datatype:
        return literals.typed(thing.lexical, thing.datatype)
    match thing.kind:
        case "date":
            return literals.date(thing.lexical)
        case "number":
            return literals.number(thing.lexical)
        case "quantity":
            return literals.quantity(thing.lexical)
        case "text":
            return literals.text(thing.lexical)
        case _:
            assert_never(thing.kind)


def _names(fact: Fact, statement: Triple) -> Iterator[Triple]:
    yield Triple(statement.predicate, RDFS.label, literals.text(fact.relation))
    for thing, node in ((fact.subject, statement.subject), (fact.object, statement.object)):
        if isinstance(thing, Entity) and isinstance(node, NamedNode):
            yield Triple(node, RDFS.label, literals.text(thing.label))
            if thing.type:
                yield Triple(node, RDF.type, _class(thing.type))


def _class(type_: str) -> NamedNode:
    return NamedNode(type_ if ":" in type_ else PREFIXES["tg"] + type_)
