"""Every shipped query over real documents and sessions, with a result that was worked out by hand."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from api.running import PROBLEM, Running, running
from provgraph.provenance.change import ChangeRecord, deletion_quads
from provgraph.rdf.graphs import knowledge_graph, retrieval_graph, source_graph
from provgraph.rdf.iris import collection_iri
from provgraph.rdf.vocabulary import PROV, RDF, RDFS, TG
from provgraph.sparql.saved_queries import saved_queries
from servers.virtuoso_server import PATHS

CURIE, SODDY, HAHN = (f"https://example.org/{name}" for name in ("curie", "soddy", "hahn"))
POLONIUM = "Who discovered polonium?"
E = "http://trustgraph.ai/e/"


class Audited:
    """Three documents; polonium is asked of twice, the second time without a document, and penguins once."""

    def __init__(self, service: Running, sessions: dict[str, str]) -> None:
        self.service = service
        self.sessions = sessions

    async def rows(self, name: str, **parameters: str) -> list[dict[str, str]]:
        answer = await self.service.client.get(
            f"/api/v1/queries/{name}", params=parameters, headers={"Accept": "text/csv"}
        )
        assert answer.status_code == 200, answer.text
        return list(csv.DictReader(io.StringIO(answer.text)))


def storing(kind: str, request: pytest.FixtureRequest) -> dict[str, Any]:
    """The settings of an empty place for the graph."""
    if kind == "in a folder":
        return {}
    if kind == "in RDF 1.1":
        oxigraph = request.getfixturevalue("_running_oxigraph")
        oxigraph.update("DROP ALL")
        return {"store_url": oxigraph.url, "store_rdf": "1.1", "store_paths": "query update"}
    virtuoso = request.getfixturevalue("_running_virtuoso")
    virtuoso.empty()
    return {"store_url": virtuoso.url, "store_rdf": "1.1", "store_paths": PATHS}


@pytest_asyncio.fixture(
    scope="module",
    loop_scope="module",
    params=["in a folder", "in RDF 1.1", pytest.param("on Virtuoso", marks=pytest.mark.slow)],
)
async def audited(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Audited]:
    folder: Path = tmp_path_factory.mktemp("audited")
    async with running(folder / "data", **storing(request.param, request)) as service:
        yield await audited_documents(service)


async def audited_documents(service: Running) -> Audited:
    await service.ingest("Marie Curie discovered polonium.", title="Curie", id=CURIE)
    await service.ingest(
        "Marie Curie discovered polonium. Frederick Soddy studied isotopes.", title="Soddy", id=SODDY
    )
    await service.ingest("Otto Hahn studied uranium.", title="Hahn", id=HAHN)
    both = (await service.ask(POLONIUM))["session"]
    without = (await service.ask("", again=both, without={"documents": [SODDY]}))["session"]
    refused = (await service.ask("What do penguins read?"))["session"]
    return Audited(service, {"both": both, "without": without, "refused": refused})


pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_every_shipped_query_is_listed_over_http(audited: Audited) -> None:
    listed = await audited.service.get("/api/v1/queries")
    assert [query["name"] for query in listed] == list(saved_queries())
    assert len(listed) >= 5


async def test_answers_from_a_document(audited: Audited) -> None:
    sessions = audited.sessions
    of_curie = await audited.rows("answers-from-document", document=CURIE)
    assert {row["session"] for row in of_curie} == {sessions["both"], sessions["without"]}
    assert {(row["question"], row["outcome"], row["edges"]) for row in of_curie} == {
        (POLONIUM, "answered", "1")
    }
    of_soddy = await audited.rows("answers-from-document", document=SODDY)
    assert [row["session"] for row in of_soddy] == [sessions["both"]]
    assert await audited.rows("answers-from-document", document=HAHN) == []


async def test_facts_from_one_source(audited: Audited) -> None:
    rows = await audited.rows("facts-from-one-source")
    assert {(row["subject"], row["object"], row["document"]) for row in rows} == {
        (f"{E}frederick%20soddy", f"{E}isotopes", SODDY),
        (f"{E}otto%20hahn", f"{E}uranium", HAHN),
    }


async def test_facts_by_model_and_version(audited: Audited) -> None:
    (row,) = await audited.rows("facts-by-model-and-version")
    assert (row["extractor"], row["model"]) == ("ProvGraph propositions extractor", "")
    exported = parse((await audited.service.client.get("/api/v1/export")).content, format=RdfFormat.N_QUADS)
    facts = {quad.triple for quad in exported if quad.graph_name == knowledge_graph()}
    assert row["facts"] == str(len(facts))
    statements = [fact for fact in facts if fact.predicate not in (RDF.type, RDFS.label)]
    assert (len(statements), row["subgraphs"]) == (3, "3")


async def test_sessions_without_answer(audited: Audited) -> None:
    (row,) = await audited.rows("sessions-without-answer")
    assert (row["session"], row["outcome"]) == (audited.sessions["refused"], "refused")


async def test_documents_never_used(audited: Audited) -> None:
    assert [row["document"] for row in await audited.rows("documents-never-used")] == [HAHN]


async def test_answers_from_an_extractor(audited: Audited) -> None:
    rows = await audited.rows("answers-from-extractor", extractor="propositions")
    assert {row["session"] for row in rows} == {audited.sessions["both"], audited.sessions["without"]}
    assert await audited.rows("answers-from-extractor", extractor="agent") == []


async def test_answers_from_weak_evidence(audited: Audited) -> None:
    edges = await audited.rows("edges-of-answer", session=audited.sessions["both"])
    assert await audited.rows("answers-from-weak-evidence", below="0.1") == []
    rows = await audited.rows("answers-from-weak-evidence", below="1")
    assert len(rows) == 2
    assert {row["object"] for row in rows} == {row["object"] for row in edges} == {f"{E}marie%20curie"}


async def test_edges_of_an_answer(audited: Audited) -> None:
    rows = await audited.rows("edges-of-answer", session=audited.sessions["both"])
    assert [(row["subject"], row["title"]) for row in rows] == [
        (f"{E}polonium", "Curie"),
        (f"{E}polonium", "Soddy"),
    ]
    assert all(row["reason"] for row in rows)


async def test_passed_over_edges(audited: Audited) -> None:
    session = audited.sessions["both"]
    trace = await audited.service.get(f"/api/v1/traces/{session}")
    rows = await audited.rows("passed-over-edges", session=session)
    assert sorted(row["reason"] for row in rows) == sorted(edge["reasoning"] for edge in trace["passed_over"])
    assert [float(row["score"]) for row in rows] == sorted(
        (float(row["score"]) for row in rows), reverse=True
    )


async def test_questions_asked_again(audited: Audited) -> None:
    (row,) = await audited.rows("questions-asked-again")
    assert (row["before"], row["after"]) == (audited.sessions["both"], audited.sessions["without"])
    assert (row["without_document"], row["without_edge"]) == (SODDY, "")


async def test_most_used_facts(audited: Audited) -> None:
    (row,) = await audited.rows("most-used-facts")
    assert (row["object"], row["answers"]) == (f"{E}marie%20curie", "2")
    assert await audited.rows("most-used-facts", limit="0") == []


async def test_unsupported_sentences_stale_answers_and_what_models_did(audited: Audited) -> None:
    """Nothing of these comes about here without a model; each is made by hand, and found."""
    names = ("unsupported-sentences", "stale-answers", "model-use", "changes")
    assert [await audited.rows(name) for name in names] == [[], [], [], []]
    graph, session = retrieval_graph(), NamedNode(audited.sessions["both"])
    answer = NamedNode(session.value.replace(":session:", ":prov:answer:"))
    sentence, change = NamedNode("urn:test:sentence"), NamedNode("urn:trustgraph:change:1")
    at = datetime(2026, 1, 2, tzinfo=UTC)
    record = ChangeRecord(change, NamedNode(HAHN), collection_iri("default"), "ada", at)
    made = [
        Quad(sentence, RDF.type, TG.AnswerSentence, graph),
        *(
            Quad(node, term, value, graph)
            for node, term, value in (
                (sentence, TG.sentence_of, answer),
                (sentence, TG.supported, Literal(False)),
                (sentence, TG.char_offset, Literal(40)),
                (sentence, TG.char_length, Literal(9)),
                (answer, TG.stale_because, Literal("Its document was deleted.")),
                (answer, PROV.invalidated_at_time, Literal("2026-01-02T00:00:00Z")),
                (answer, TG.llm_model, Literal("tiny")),
                (answer, TG.in_token, Literal(900)),
                (answer, TG.llm_duration_ms, Literal(12)),
            )
        ),
        *deletion_quads(record, {TG.removed_facts: 4, TG.stale_answers: 1}, source_graph()),
    ]
    await audited.service.assembly.store.add(made)
    try:
        (unsupported,) = await audited.rows("unsupported-sentences")
        assert (unsupported["session"], unsupported["start"], unsupported["length"]) == (
            session.value,
            "40",
            "9",
        )
        (stale,) = await audited.rows("stale-answers")
        assert (stale["session"], stale["reason"]) == (session.value, "Its document was deleted.")
        (use,) = await audited.rows("model-use")
        assert (use["model"], use["calls"], use["in_tokens"], use["out_tokens"]) == ("tiny", "1", "900", "0")
        assert use["milliseconds"] == "12"
        (changed,) = await audited.rows("changes")
        assert (changed["what"], changed["document"], changed["by"]) == ("Delete document", HAHN, "ada")
        assert (changed["removed"], changed["stale"]) == ("4", "1")
    finally:
        await audited.service.assembly.store.remove(made)


@pytest.mark.parametrize(
    ("path", "query", "status"),
    [
        ("everything", {}, 404),
        ("answers-from-document", {}, 400),
        ("answers-from-document", {"paper": "x"}, 400),
        ("most-used-facts", {"limit": "all"}, 400),
        ("changes", {"collection": "nowhere"}, 404),
        ("changes", {"format": "poem"}, 400),
    ],
)
async def test_what_cannot_be_run_is_a_problem(
    audited: Audited, path: str, query: dict[str, Any], status: int
) -> None:
    answer = await audited.service.client.get(f"/api/v1/queries/{path}", params=query)
    assert (answer.status_code, answer.headers["content-type"]) == (status, PROBLEM)
