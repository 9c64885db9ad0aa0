"""A label or type has the sources that a quotation of its own gave it in stores of older versions."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import NamedNode, Quad

from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.catalogue.naming import is_statement
from provgraph.catalogue.sources import Source, SourceReader
from provgraph.extraction.facts import Entity, Fact
from provgraph.ingestion.planning import PageSpan, PassageFacts, subgraph
from provgraph.provenance.source import (
    ChunkRecord,
    Component,
    DocumentRecord,
    PageRecord,
    SubgraphRecord,
    chunk_quads,
    document_quads,
    page_quads,
    subgraph_quads,
)
from provgraph.rdf.graphs import collection_graphs
from provgraph.rdf.terms import Triple

AT = datetime(2026, 1, 2, tzinfo=UTC)
GRAPHS = collection_graphs("default")
DOCUMENT = NamedNode("https://example.org/doc")
VERSION = NamedNode(f"{DOCUMENT.value}/version/1")
CHUNK = NamedNode(f"{DOCUMENT.value}/chunk/1-0")
PAGES = [
    PageRecord(NamedNode(f"{VERSION.value}/page/{number}"), DOCUMENT, VERSION, number) for number in (1, 2)
]
RULES = Component("rules", "Rules", "1")

entities = st.builds(Entity, st.sampled_from("ABCD"), type=st.sampled_from(["", "Person", "Place"]))
sentences = st.lists(st.tuples(entities, entities, st.booleans()), min_size=1, max_size=14)


def readings(said: list[tuple[Entity, Entity, bool]]) -> list[PassageFacts]:
    """Each a sentence of its own, on both pages where a page end cuts it."""
    return [
        PassageFacts(
            Fact(subject, "saw", thing, 0.8, 0, 1),
            tuple(
                PageSpan(page.iri, 20 * number, f"{subject.label} saw {thing.label}.")
                for page in PAGES[: 1 + is_cut]
            ),
        )
        for number, (subject, thing, is_cut) in enumerate(said)
    ]


def as_it_was(record: SubgraphRecord) -> SubgraphRecord:
    """What is new in the facts of a sentence quoted by it, names and all."""
    quotations, quoted = [], dict[Triple, tuple[int, str]]()
    for quotation in record.quotations:
        nodes = {node for fact in quotation.facts for node in (fact.subject, fact.predicate, fact.object)}
        place = quotation.offset, quotation.text
        names = [fact for fact in record.facts if not is_statement(fact) and fact.subject in nodes]
        own = [fact for fact in names if quoted.setdefault(fact, place) == place]
        quotations.append(replace(quotation, facts=(*quotation.facts, *own)))
    return replace(record, quotations=tuple(quotations))


async def sources(record: SubgraphRecord) -> dict[Triple, tuple[Source, ...]]:
    return await (await reader_of(record)).sources(record.facts)


async def reader_of(record: SubgraphRecord) -> SourceReader:
    graph = GRAPHS.source
    document = DocumentRecord(DOCUMENT, VERSION, "1", "Doc", "text/plain", 2)
    chunk = ChunkRecord(CHUNK, PAGES[0].iri, 0, 0, 9)
    quads: list[Quad] = [
        *document_quads(document, RULES, AT, graph),
        *(quad for page in PAGES for quad in page_quads(page, graph)),
        *chunk_quads(chunk, graph),
        *subgraph_quads(record, RULES, AT, GRAPHS),
    ]
    store = OxigraphQuadStore()
    await store.add(quads)
    return SourceReader(store, graph)


@given(sentences)
async def test_names_have_the_sources_that_a_store_of_before_gives_them(
    said: list[tuple[Entity, Entity, bool]],
) -> None:
    types = {entity.label: entity.type for pair in said for entity in pair[:2]}
    one_type = [(replace(a, type=types[a.label]), replace(b, type=types[b.label]), cut) for a, b, cut in said]
    record = subgraph(NamedNode("https://example.org/subgraph"), CHUNK, readings(one_type))
    assert all(is_statement(fact) for quotation in record.quotations for fact in quotation.facts)
    now = await sources(record)
    assert all(now.values())
    assert now == await sources(as_it_was(record))


@given(sentences, st.integers(1, 3))
async def test_of_many_sources_some_are_read_and_those_of_given_subgraphs(
    said: list[tuple[Entity, Entity, bool]], most: int
) -> None:
    record = subgraph(NamedNode("https://example.org/subgraph"), CHUNK, readings(said))
    reader = await reader_of(record)
    every = await reader.sources(record.facts)
    some = await reader.sources(record.facts, most=most)
    for fact in filter(is_statement, record.facts):
        assert set(some[fact]) <= set(every[fact])
        assert len(some[fact]) == min(most, len(every[fact]))
    assert await reader.sources(record.facts, within={record.iri}) == every
    none = await reader.sources(record.facts, within=set())
    assert not any(none[fact] for fact in filter(is_statement, record.facts))
