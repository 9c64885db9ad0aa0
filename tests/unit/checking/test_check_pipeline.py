"""A check finds nothing in what ProvGraph writes, and finds each thing that can be wrong with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
import pytest_asyncio
from pyoxigraph import NamedNode, Quad, Triple

from provgraph.checking.pipeline import TOLD_PER_RULE
from provgraph.checking.rules import Rule
from provgraph.provenance.source import Component, SubgraphRecord, subgraph_quads
from provgraph.provenance.trace import SessionOutcome
from provgraph.rdf import literals
from provgraph.rdf.iris import entity_iri
from provgraph.rdf.vocabulary import PROV, RDF, RDFS, TG
from provgraph.wire.service import CheckProgress, CheckSummary
from unit.checking.stored_collection import (
    AT,
    CHUNK,
    DOCUMENT,
    FACT,
    PAGE,
    PAPERS,
    QUOTATION,
    SENTENCE,
    SESSION,
    SUBGRAPH,
    TEXT,
    StoredCollection,
    document_quads,
    stated,
    stored_collection,
    trace_quads,
)

MADE_UP = Triple(entity_iri("Curie"), entity_iri("discovered"), entity_iri("Curie"))


@pytest_asyncio.fixture
async def stored(tmp_path: Path) -> AsyncIterator[StoredCollection]:
    made = await stored_collection(tmp_path)
    yield made
    await made.store.close()


async def test_nothing_is_found_in_what_provgraph_writes(stored: StoredCollection) -> None:
    findings, summary = await stored.check()
    assert findings == []
    assert summary.passed
    assert (summary.units, summary.unchanged) == (3, 0)


async def test_progress_ends_at_its_total(stored: StoredCollection) -> None:
    told = [event async for event in stored.checker.check("papers") if isinstance(event, CheckProgress)]
    assert [event.done for event in told] == list(range(1, told[0].total + 1))


async def test_an_empty_collection_passes(stored: StoredCollection) -> None:
    events = [event async for event in stored.checker.check("empty")]
    assert events[-1] == CheckSummary(
        collection="empty", passed=True, units=0, unchanged=0, findings=0, truncated=[]
    )


async def test_what_passed_is_not_checked_again_unless_everything_is(stored: StoredCollection) -> None:
    await stored.check()
    assert (await stored.check())[1].units == 0
    assert (await stored.check(everything=True))[1].units == 3


async def test_what_is_made_again_is_new(stored: StoredCollection) -> None:
    await stored.check()
    await stored.replace(document_quads(), document_quads(AT + timedelta(hours=1)))
    assert (await stored.check())[1].units == 2


async def test_a_running_session_is_checked_again_when_it_has_ended(stored: StoredCollection) -> None:
    await stored.replace(trace_quads(), trace_quads(outcome=None))
    await stored.check()
    assert (await stored.check())[1].units == 1
    await stored.store.add(trace_quads(SessionOutcome.CUT_OFF))
    await stored.check()
    assert (await stored.check())[1].units == 0


async def test_what_is_wrong_is_told_until_it_is_mended(stored: StoredCollection) -> None:
    wrong = Quad(PAGE.iri, RDFS.label, literals.text("a page has no label"), PAPERS.source)
    await stored.store.add([wrong])
    assert await stored.rules() == [Rule.SHAPE]
    assert await stored.rules() == [Rule.SHAPE]
    await stored.store.remove([wrong])
    assert await stored.rules() == []


async def test_a_finding_names_the_shape_and_the_node(stored: StoredCollection) -> None:
    await stored.store.add([Quad(SESSION.session, TG.outcome, literals.text("gave up"), PAPERS.retrieval)])
    findings, _ = await stored.check()
    assert {finding.subject for finding in findings} == {SESSION.session.value}
    assert any("session-outcome" in finding.sentence for finding in findings)


async def test_words_that_moved_are_found_in_chunk_and_quotation(stored: StoredCollection) -> None:
    await stored.library.keep("papers", PAGE.iri, f" {TEXT}".encode())
    findings, _ = await stored.check()
    assert {(finding.rule, finding.subject) for finding in findings} == {
        (Rule.SPAN, CHUNK.value),
        (Rule.SPAN, QUOTATION.value),
    }


async def test_a_span_beyond_its_page_is_found(stored: StoredCollection) -> None:
    await stored.library.keep("papers", PAGE.iri, SENTENCE[:-1].encode())
    findings, _ = await stored.check()
    assert all("not inside the text" in finding.sentence for finding in findings)
    assert len(findings) == 2


async def test_a_page_whose_text_is_lost_is_found(stored: StoredCollection) -> None:
    await stored.library.forget("papers")
    assert await stored.rules() == [Rule.TEXT]


async def test_a_page_whose_text_is_damaged_is_found(stored: StoredCollection) -> None:
    await stored.library.keep("papers", PAGE.iri, b"\xff" * 5_000)
    assert await stored.rules() == [Rule.SPAN]


async def test_an_answer_whose_text_is_lost_is_found(stored: StoredCollection) -> None:
    await stored.library.forget("explainability")
    findings, _ = await stored.check()
    assert [(finding.rule, finding.subject) for finding in findings] == [
        (Rule.TEXT, SESSION.answer_text.value)
    ]


async def test_a_session_that_was_cut_off_needs_no_text(stored: StoredCollection) -> None:
    await stored.library.forget("explainability")
    await stored.replace(trace_quads(), trace_quads(SessionOutcome.CUT_OFF))
    assert await stored.rules() == []


async def test_a_triple_in_two_graphs_is_found(stored: StoredCollection) -> None:
    await stored.store.add([stated(FACT, PAPERS.retrieval)])
    findings, _ = await stored.check()
    assert Rule.DISJOINT in {finding.rule for finding in findings}
    assert f"{FACT.subject}" in next(f.subject for f in findings if f.rule == Rule.DISJOINT)


async def test_a_contained_fact_that_is_not_asserted_is_found(stored: StoredCollection) -> None:
    await stored.store.remove([stated(FACT, PAPERS.knowledge)])
    assert await stored.rules() == [Rule.ASSERTED]


async def test_an_asserted_fact_that_no_subgraph_contains_is_found(stored: StoredCollection) -> None:
    await stored.store.add([stated(MADE_UP, PAPERS.knowledge)])
    assert await stored.rules() == [Rule.CONTAINED]


async def test_a_fact_without_a_quotation_is_found(stored: StoredCollection) -> None:
    added = [stated(MADE_UP, PAPERS.knowledge), Quad(SUBGRAPH, TG.contains, MADE_UP, PAPERS.source)]
    await stored.store.add(added)
    findings, _ = await stored.check()
    assert [finding.rule for finding in findings] == [Rule.QUOTED]
    assert SUBGRAPH.value in findings[0].sentence


async def test_a_quotation_of_a_fact_that_its_subgraph_does_not_contain_is_found(
    stored: StoredCollection,
) -> None:
    await stored.store.add([Quad(QUOTATION, RDF.reifies, MADE_UP, PAPERS.source)])
    assert await stored.rules() == [Rule.QUOTED]


async def test_a_fact_imported_as_rdf_needs_no_quotation(stored: StoredCollection) -> None:
    imported = SubgraphRecord(NamedNode("https://trustgraph.ai/subgraph/imported"), DOCUMENT, (FACT,), ())
    await stored.store.add(subgraph_quads(imported, Component("importer", "RDF importer", "1"), AT, PAPERS))
    assert await stored.rules() == []


async def test_an_entity_without_a_label_is_found(stored: StoredCollection) -> None:
    fact = Triple(entity_iri("Curie"), entity_iri("discovered"), entity_iri("radium"))
    await stored.store.add(
        [
            stated(fact, PAPERS.knowledge),
            Quad(SUBGRAPH, TG.contains, fact, PAPERS.source),
            Quad(QUOTATION, RDF.reifies, fact, PAPERS.source),
        ]
    )
    findings, _ = await stored.check()
    assert [(f.rule, f.subject) for f in findings] == [(Rule.LABELLED, entity_iri("radium").value)]


@pytest.mark.parametrize(
    "lost", [DOCUMENT, PAGE.iri, CHUNK, SUBGRAPH], ids=["document", "page", "chunk", "subgraph"]
)
async def test_a_lost_step_of_the_source_chain_is_found(stored: StoredCollection, lost: NamedNode) -> None:
    await stored.store.remove([quad for quad in document_quads() if quad.subject == lost])
    assert Rule.LINEAGE in await stored.rules()


async def test_a_step_that_comes_from_nothing_is_found(stored: StoredCollection) -> None:
    await stored.store.remove([Quad(CHUNK, PROV.was_derived_from, PAGE.iri, PAPERS.source)])
    findings, _ = await stored.check()
    assert (Rule.LINEAGE, CHUNK.value) in {(finding.rule, finding.subject) for finding in findings}


async def test_a_node_of_no_type_is_found(stored: StoredCollection) -> None:
    stray = NamedNode("urn:example:stray")
    await stored.store.add([Quad(stray, RDFS.label, literals.text("stray"), PAPERS.source)])
    findings, _ = await stored.check()
    assert [(finding.rule, finding.subject) for finding in findings] == [(Rule.LINEAGE, stray.value)]


async def test_no_more_than_a_hundred_findings_of_a_rule_are_told(stored: StoredCollection) -> None:
    facts = [Triple(entity_iri("Curie"), entity_iri("discovered"), literals.integer(n)) for n in range(150)]
    await stored.store.add([stated(fact, PAPERS.knowledge) for fact in facts])
    findings, summary = await stored.check()
    assert len(findings) == summary.findings == TOLD_PER_RULE
    assert summary.truncated == [Rule.CONTAINED]


async def test_a_check_changes_nothing_in_the_store(stored: StoredCollection) -> None:
    before = stored.store.revision
    await stored.check()
    assert stored.store.revision == before
