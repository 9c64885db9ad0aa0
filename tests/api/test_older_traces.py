"""Traces of folders of older versions, in which an edge that was passed over has its score and reason as its own."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from pyoxigraph import Quad, Triple

from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.checking.shapes import shape_violations
from provgraph.documents.library import Library
from provgraph.ports.quad_store import StoreChange, StoreReader
from provgraph.provenance.candidates import RejectedEdge, noted_edge_quads, rejected_edge_quads
from provgraph.provenance.change import ChangeRecord
from provgraph.provenance.trace import TraceScope, grounding_quads, retrieval_quads, session_quads
from provgraph.rdf.graphs import retrieval_graph
from provgraph.rdf.iris import SessionNames, collection_iri, entity_iri
from provgraph.rdf.terms import Literal, NamedNode
from provgraph.rdf.vocabulary import TG
from provgraph.traces.reader import Traces
from provgraph.traces.removal import Redaction, TraceChanges

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SCOPE = TraceScope(SessionNames("00000000-0000-4000-8000-000000000001"), retrieval_graph("explainability"))
EDGES = [
    RejectedEdge(
        Triple(entity_iri("Curie"), entity_iri("met"), entity_iri(name)), 0.5 - number / 10, f"Names {name}."
    )
    for number, name in enumerate(("Hahn", "Meitner", "Villard"))
]
FORMS = ("now", "older")


def passed_over(form: str) -> list[Quad]:
    quads = list(rejected_edge_quads(SCOPE, EDGES))
    if form == "now":
        return quads
    properties = [
        quad
        for index, each in enumerate(EDGES)
        for quad in noted_edge_quads(
            SCOPE.names.candidate(index),
            (str(index), str(each.score), each.reasoning, "", "", ""),
            SCOPE.graph,
        )
    ]
    notes = {quad.subject for quad in quads if quad.predicate == TG.candidate_notes}
    return [*(quad for quad in quads if quad.subject not in notes), *properties]


async def folder_of(form: str, folder: Path) -> OxigraphQuadStore:
    store = OxigraphQuadStore(folder / "store")
    begun = session_quads(SCOPE, "Whom did Curie meet?", "default", AT)
    steps = [*grounding_quads(SCOPE, ["curie"]), *retrieval_quads(SCOPE, 3, [])]
    await store.add([*begun, *steps, *passed_over(form)])
    await store.close()
    return OxigraphQuadStore(folder / "store")


@pytest.mark.parametrize("form", FORMS)
async def test_it_is_opened_and_conforms_as_one_of_this_version(form: str, tmp_path: Path) -> None:
    store = await folder_of(form, tmp_path)
    traces = Traces(store, Library(FolderContentStore(tmp_path / "library")), "explainability")
    quads = await traces.quads(SCOPE.names)
    assert set(passed_over("older")) <= set(quads)
    assert shape_violations(quads) == []
    first = SCOPE.names.candidate(0)
    assert set(await traces.entity(first)) == {q for q in passed_over("older") if q.subject == first}
    opened = await traces.open(SCOPE.names.uuid)
    assert [(each.edge, each.score, each.reasoning) for each in opened.trace.passed_over] == [
        (each.edge, each.score, each.reasoning) for each in EDGES
    ]
    await store.close()


@pytest.mark.parametrize("form", FORMS)
async def test_a_redaction_leaves_no_word_of_an_edge_that_was_taken_back(form: str, tmp_path: Path) -> None:
    store = await folder_of(form, tmp_path)
    change = NamedNode("urn:trustgraph:change:1")
    record = ChangeRecord(change, NamedNode("urn:doc"), collection_iri("default"), "ada", AT)

    def redacted(reader: StoreReader) -> StoreChange[None]:
        trace_changes = TraceChanges()
        redaction = Redaction(reader, record, SCOPE.graph, trace_changes)
        redaction.take_candidates([EDGES[0].edge])
        redaction.take_candidates([EDGES[1].edge])
        return StoreChange(None, list(dict.fromkeys(trace_changes.removed)), trace_changes.added)

    await store.transact(redacted)
    traces = Traces(store, Library(FolderContentStore(tmp_path / "library")), "explainability")
    quads = await traces.quads(SCOPE.names)
    texts = " ".join(quad.object.value for quad in quads if isinstance(quad.object, Literal))
    assert "Hahn" not in texts
    assert "Meitner" not in texts
    assert "Villard" in texts
    assert shape_violations(quads) == []
    await store.close()
