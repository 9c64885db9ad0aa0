"""Answers from the graph of pairs over HTTP: built, asked, refused, traced, checked, taken back, and carried along."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio

from api.archives import archive_of, take_in
from api.running import PROBLEM, Running, running, served
from provgraph.checking.pipeline import Checker
from provgraph.wire.service import CheckFinding

ROUTE: Final = "/api/v1/kgqa"
DOC: Final = "https://example.org/contract"
CONTRACT: Final = """# Supply Agreement

## 3. Delivery

3.1 The Supplier shall:

(a) deliver the Goods within 30 days of the Order Date;

(b) insure the Goods for at least EUR 50,000 until delivery.

3.2 Risk in the Goods passes to the Buyer on delivery.

## 4. Payment

4.1 The Buyer shall pay each invoice within 14 days of receipt.
"""
QUESTION: Final = "Within how many days must the Supplier deliver the Goods?"
SAID: Final = "Clause 3.1(a): Supplier shall deliver the Goods within 30 days of the Order Date."


@pytest.fixture(scope="module")
def built_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the contract and its pairs in it; copied, never opened."""
    data = tmp_path_factory.mktemp("built") / "data"

    async def build() -> None:
        async with running(data) as service:
            await service.ingest(CONTRACT, id=DOC, title="Supply Agreement", name="contract.md")
            job = await service.client.post(f"{ROUTE}/build", json={})
            assert (await service.finished(job.json()["id"]))["state"] == "done"

    asyncio.run(build())
    return data


@pytest_asyncio.fixture
async def contract(tmp_path: Path, built_folder: Path) -> AsyncIterator[Running]:
    shutil.copytree(built_folder, tmp_path / "data")
    async with running(tmp_path / "data") as made:
        yield made


async def ask(service: Running, query: str = QUESTION, **fields: Any) -> dict[str, Any]:
    answer = await service.client.post(ROUTE, json={"query": query, **fields})
    assert answer.status_code == 200, answer.text
    said: dict[str, Any] = answer.json()
    return said


async def sound(service: Running) -> None:
    checker = Checker(service.assembly.store, service.assembly.library, "explainability")
    assert [event async for event in checker.check("default") if isinstance(event, CheckFinding)] == []


async def pairs(service: Running, **query: str) -> dict[str, Any]:
    found: dict[str, Any] = await service.get(f"{ROUTE}/pairs", **query)
    return found


async def test_an_answer_names_its_clause_and_cites_the_exact_characters(contract: Running) -> None:
    answer = await ask(contract)
    assert answer["outcome"] == "answered"
    assert answer["response"].startswith(SAID)
    assert all(each["supported"] and each["edges"] for each in answer["citations"])
    for source in (source for each in answer["citations"] for source in each["sources"]):
        page = await contract.client.get("/api/v1/documents/content", params={"id": source["page"]})
        assert page.text[source["start"] : source["end"]] == source["text"]
    first, numbering = answer["citations"][0]["sources"]
    assert first["text"] == "(a) deliver the Goods within 30 days of the Order Date;"
    assert numbering["text"] == "3.1 The Supplier shall:"
    trace = await contract.get(f"/api/v1/traces/{answer['session']}")
    assert trace["flow"] == "kgqa"
    assert trace["selected"][0]["reasoning"].startswith("Answer 1: its wording meets 4 of 4 terms")
    assert {each["agent"] for each in trace["selected"]} == {"wording-ranker"}
    assert trace["passed_over"]
    picture = await contract.client.get(f"/api/v1/traces/{answer['session']}/picture")
    assert picture.status_code == 200, picture.text
    await sound(contract)


async def test_a_stream_over_a_socket_tells_every_step_and_ends_once(
    tmp_path: Path, built_folder: Path
) -> None:
    shutil.copytree(built_folder, tmp_path / "data")
    async with served(tmp_path / "data") as service:
        sent = await service.events("POST", ROUTE, {"query": QUESTION})
        steps = [message.data["explain_id"].split(":")[-2] for message in sent if message.event == "explain"]
        assert steps == ["session", "grounding", "retrieval", "selection", "answer", "answer"]
        assert [message.data["end_of_session"] for message in sent if message.data["end_of_session"]] == [
            True
        ]
        assert "".join(message.data.get("response") or "" for message in sent).startswith(SAID)
        assert (await service.get(ROUTE, query="What does clause 3.1(b) say?"))["response"] == (
            "Clause 3.1(b): Supplier shall insure the Goods for at least EUR 50,000 until delivery."
        )
        (flow,) = (each for each in (await service.get("/api/v1/flows"))["flows"] if each["name"] == "kgqa")
        assert (flow["address"], flow["engines"]) == (ROUTE, ["model-free"])


@pytest.mark.parametrize("question", ["What is the capital of France?", "What does clause 9.9 say?"])
async def test_what_the_graph_does_not_say_is_refused_and_recorded(contract: Running, question: str) -> None:
    answer = await ask(contract, question)
    assert (answer["response"], answer["outcome"], answer["citations"]) == ("No answer found.", "refused", [])
    assert (await contract.get(f"/api/v1/traces/{answer['session']}"))["outcome"] == "refused"
    await sound(contract)


async def test_a_collection_without_pairs_is_told_how_to_build_them(informed: Running) -> None:
    answer = await informed.client.post(ROUTE, json={"query": QUESTION})
    assert (answer.status_code, answer.headers["content-type"]) == (404, PROBLEM)
    assert "provgraph kgqa build -C default" in answer.json()["detail"]
    assert await informed.get("/api/v1/traces") == []


@pytest.mark.parametrize("wrong", [{"engine": "model"}, {"rerank": "model"}, {"limit": 3}])
async def test_a_wrong_choice_is_a_problem_before_there_is_a_session(
    contract: Running, wrong: dict[str, Any]
) -> None:
    answer = await contract.client.post(ROUTE, json={"query": QUESTION, **wrong})
    assert answer.status_code in (400, 422)
    assert answer.headers["content-type"] == PROBLEM


async def test_pairs_are_given_as_json_each_at_its_place_with_its_facts(contract: Running) -> None:
    found = await pairs(contract)
    assert found["total"] == len(found["pairs"])
    (pair,) = (each for each in found["pairs"] if each["question"] == "What shall Supplier deliver?")
    assert (pair["question"], pair["answer"]) == (
        "What shall Supplier deliver?",
        "the Goods within 30 days of the Order Date",
    )
    assert {"subject": "Clause 3.1(a)", "relation": "gives the number", "object": "30 days"} in pair["facts"]
    for each in found["pairs"]:
        assert CONTRACT[each["start"] : each["end"]] == each["text"]
    page = await pairs(contract, limit="2", offset="1")
    assert (page["pairs"], page["next"]) == (found["pairs"][1:3], 3)
    assert (await pairs(contract, document="https://example.org/other"))["total"] == 0


async def test_a_question_is_answered_from_the_documents_that_it_names(contract: Running) -> None:
    other = "https://example.org/other"
    text = CONTRACT.replace("30 days", "45 days").replace("Supply Agreement", "Second Agreement")
    body = {"text": text, "id": other, "name": "second.md", "metadata": {"party": "Second"}}
    sent = await contract.client.post("/api/v1/documents", json=body)
    assert (await contract.finished(sent.json()["id"]))["state"] == "done"
    job = await contract.client.post(f"{ROUTE}/build", json={})
    assert (await contract.finished(job.json()["id"]))["state"] == "done"

    narrowings: list[tuple[dict[str, Any], str, str]] = [
        ({"documents": ["contract.md"]}, DOC, "30 days"),
        ({"documents": ["second.md"]}, other, "45 days"),
        ({"where": ["party=second"]}, other, "45 days"),
        ({"titles": ["Supply"]}, DOC, "30 days"),
    ]
    for narrowing, document, days in narrowings:
        answer = await ask(contract, **narrowing)
        cited = {source["document"] for each in answer["citations"] for source in each["sources"]}
        assert (cited, days in answer["response"]) == ({document}, True), narrowing
    unknown = await contract.client.post(ROUTE, json={"query": QUESTION, "documents": ["third.md"]})
    assert unknown.status_code == 404
    await sound(contract)


async def test_building_again_changes_nothing(contract: Running) -> None:
    before = await pairs(contract)
    job = await contract.client.post(f"{ROUTE}/build", json={"documents": [DOC]})
    done = await contract.finished(job.json()["id"])
    assert (done["state"], done["documents"][0]["new_chunks"]) == ("done", 0)
    assert await pairs(contract) == before
    unknown = await contract.client.post(f"{ROUTE}/build", json={"documents": ["https://example.org/other"]})
    assert unknown.status_code == 404


async def test_a_deleted_document_takes_its_pairs_along_and_its_answers_say_so(contract: Running) -> None:
    session = (await ask(contract))["session"]
    gone = await contract.client.delete("/api/v1/documents", params={"id": DOC})
    assert gone.status_code == 200, gone.text
    assert (await pairs(contract))["total"] == 0
    assert (await contract.client.post(ROUTE, json={"query": QUESTION})).status_code == 404
    assert (await contract.get(f"/api/v1/traces/{session}"))["stale"]
    await sound(contract)


async def test_a_revised_clause_is_answered_anew_after_it_is_built_again(contract: Running) -> None:
    session = (await ask(contract))["session"]
    await contract.ingest(
        CONTRACT.replace("30 days", "45 days"), id=DOC, title="Supply Agreement", name="contract.md"
    )
    job = await contract.client.post(f"{ROUTE}/build", json={})
    assert (await contract.finished(job.json()["id"]))["state"] == "done"
    assert "within 45 days" in (await ask(contract))["response"]
    assert (await contract.get(f"/api/v1/traces/{session}"))["stale"]
    await sound(contract)


async def test_pairs_go_out_and_in_with_their_collection(contract: Running, tmp_path: Path) -> None:
    archive = await archive_of(contract)
    before = await pairs(contract)
    async with running(tmp_path / "other") as other:
        await take_in(other, archive)
        assert await pairs(other) == before
        assert (await ask(other))["response"].startswith(SAID)
        await sound(other)
