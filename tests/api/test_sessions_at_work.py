"""A session at work is watched and stopped by others than the one who asked; and the ways of asking are told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from api.model_service import MODEL, SAID, by_model, good
from api.running import QUESTION, STREAM, Running, running
from servers.openai_server import Answer, OpenAIServer

BODY = {"query": QUESTION}


@pytest_asyncio.fixture
async def writing(data: Path, server: OpenAIServer) -> AsyncIterator[Running]:
    """A service whose model says a few words of an answer, and the rest when the test lets it."""
    server.answer(good(answer=Answer(SAID, holds_after=3)))
    async with running(data, **by_model(server)) as made:
        yield made
    server.go_on.set()


async def begun(service: Running) -> tuple[str, asyncio.Task[None]]:
    """A question that is being answered: its session, and the task that reads the answer."""

    async def ask() -> None:
        await service.client.post("/api/v1/graph-rag", json=BODY)

    reading = asyncio.create_task(ask())
    while not (found := await service.get("/api/v1/traces")):
        await asyncio.sleep(0.01)
    return found[0]["session"], reading


async def test_who_comes_later_gets_the_answer_from_its_first_word(
    writing: Running, server: OpenAIServer
) -> None:
    session, reading = await begun(writing)
    server.go_on.set()
    sent = await writing.events("GET", f"/api/v1/sessions/{session}/events")
    assert sent[0].data["explain_id"] == session
    assert "".join(each.data.get("response") or "" for each in sent).endswith("Whales sing.")
    assert sent[-1].data["end_of_session"]
    await reading


async def test_a_session_that_has_ended_is_told_whole_by_its_uuid(informed: Running) -> None:
    asked = await informed.client.post("/api/v1/graph-rag", json=BODY)
    session = asked.json()["session"]
    sent = await informed.events("GET", f"/api/v1/sessions/{session.rpartition(':')[2]}/events")
    assert "".join(each.data.get("response") or "" for each in sent) == asked.json()["response"]
    headers = {**STREAM, "Last-Event-ID": str(sent[-1].id)}
    again = await informed.client.get(f"/api/v1/sessions/{session}/events", headers=headers)
    assert again.status_code == 204


async def test_anyone_may_stop_a_session_and_it_is_recorded_as_cut_off(writing: Running) -> None:
    session, reading = await begun(writing)
    stopped = await writing.client.post(f"/api/v1/sessions/{session}/stop")
    assert (stopped.status_code, stopped.content) == (204, b"")
    assert (await writing.get(f"/api/v1/traces/{session}"))["outcome"] == "cut off"
    await reading


async def test_to_stop_what_has_ended_changes_nothing(informed: Running) -> None:
    asked = await informed.client.post("/api/v1/graph-rag", json=BODY)
    session = asked.json()["session"]
    assert (await informed.client.post(f"/api/v1/sessions/{session}/stop")).status_code == 204
    assert (await informed.get(f"/api/v1/traces/{session}"))["outcome"] == "answered"


@pytest.mark.parametrize("what", ["events", "stop"])
async def test_a_session_that_is_not_here_is_not_found(service: Running, what: str) -> None:
    method = "GET" if what == "events" else "POST"
    answer = await service.client.request(method, f"/api/v1/sessions/nobody/{what}")
    assert answer.status_code == 404
    assert "GET /api/v1/traces/nobody" in answer.json()["detail"]


async def test_the_ways_of_asking_are_those_that_answer(informed: Running) -> None:
    built = await informed.client.post("/api/v1/kgqa/build", json={})
    await informed.finished(built.json()["id"])
    told = await informed.get("/api/v1/flows")
    assert told["model"] is None
    flows = {flow["name"]: flow for flow in told["flows"]}
    assert {"graph-rag", "document-rag"} <= set(flows)
    assert "retrieve" not in flows
    for flow in flows.values():
        assert flow["engines"] in ([], ["model-free"])
        answer = await informed.client.post(flow["address"], json=BODY)
        assert answer.json().get("outcome") in ("answered", "refused"), answer.text


async def test_with_a_model_it_is_offered(data: Path, server: OpenAIServer) -> None:
    async with running(data, **by_model(server)) as service:
        told = await service.get("/api/v1/flows")
    assert told["model"] == MODEL
    assert told["flows"][0]["engines"] == ["model-free", "model"]
