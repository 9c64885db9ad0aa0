"""An answer whose client goes away and comes back, over a socket; and one whose retrieval fails."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from api.retrievers import FailingRetriever, HeldRetriever
from api.running import PROBLEM, QUESTION, STREAM, Running, Sent, messages, running, served
from provgraph.errors import Unavailable
from provgraph.provenance.trace import SessionOutcome

PATH = "/api/v1/graph-rag"
ASK = {"query": QUESTION}


async def first_messages(service: Running, count: int) -> list[Sent]:
    """The first messages of a stream that is then broken off."""
    taken: list[Sent] = []
    async with (
        service.client.stream("POST", PATH, json=ASK, headers=STREAM) as response,
        aclosing(messages(response)) as coming,
    ):
        async for message in coming:
            taken.append(message)
            if len(taken) == count:
                break
    return taken


async def ended_session(service: Running) -> dict[str, Any]:
    """The only session, once it has ended."""
    async with asyncio.timeout(30):
        while not (session := await service.trace_of_only_session())["outcome"]:
            await asyncio.sleep(0.01)
    return session


async def test_the_session_is_told_and_stored_before_retrieval_ends(tmp_path: Path) -> None:
    retriever = HeldRetriever()
    async with (
        served(tmp_path / "data", retriever) as service,
        service.client.stream("POST", PATH, json=ASK, headers=STREAM) as response,
        aclosing(messages(response)) as coming,
    ):
        session = await anext(coming)
        grounding = await anext(coming)
        assert session.data["explain_id"].startswith("urn:trustgraph:session:")
        assert grounding.data["explain_id"].startswith("urn:trustgraph:prov:grounding:")
        running_session = await service.trace_of_only_session()
        assert running_session["session"] == session.data["explain_id"]
        assert running_session["outcome"] is None
        retriever.release.set()
        assert [message.data["end_of_session"] async for message in coming][-1] is True


async def test_a_client_that_goes_away_cuts_its_session_off(tmp_path: Path) -> None:
    retriever = HeldRetriever()
    async with served(tmp_path / "data", retriever) as service:
        await first_messages(service, 2)
        session = await ended_session(service)
        assert session["outcome"] == SessionOutcome.CUT_OFF
        assert retriever.ended == 1


async def test_a_client_that_waits_for_one_json_and_goes_away_cuts_its_session_off(tmp_path: Path) -> None:
    retriever = HeldRetriever()
    async with served(tmp_path / "data", retriever) as service:
        asking = asyncio.create_task(service.ask())
        await retriever.begun.wait()
        asking.cancel()
        assert (await ended_session(service))["outcome"] == SessionOutcome.CUT_OFF
        assert retriever.ended == 1


@pytest.mark.parametrize("method", ["POST", "GET"])
async def test_a_stream_that_broke_is_continued_and_never_asked_again(tmp_path: Path, method: str) -> None:
    retriever = HeldRetriever()
    async with served(tmp_path / "data", retriever, resume_grace_s=30) as service:
        seen = await first_messages(service, 2)
        retriever.release.set()
        path, body = (PATH, ASK) if method == "POST" else (f"{PATH}?query=Who", None)
        rest = await service.events(method, path, body, after=seen[-1].id)
        assert [message.id for message in rest] == list(range(seen[-1].id + 1, rest[-1].id + 1))
        assert rest[0].data["explain_id"].startswith("urn:trustgraph:prov:retrieval:")
        assert rest[-1].data["end_of_session"] is True
        assert retriever.asked[0] == QUESTION
        assert (await service.trace_of_only_session())["outcome"] == SessionOutcome.REFUSED


async def test_a_stream_that_was_read_to_its_end_has_nothing_more(informed: Running) -> None:
    last = (await informed.stream())[-1].id
    again = await informed.client.post(PATH, json=ASK, headers={**STREAM, "Last-Event-ID": str(last)})
    assert again.status_code == 204
    assert len(await informed.get("/api/v1/traces")) == 1


@pytest.mark.parametrize("id", ["5", "9" * 20, "1.5", "next", "9" * 5000, "-1", "٣"])
async def test_an_id_that_was_never_sent_is_refused_and_asks_nothing(service: Running, id: str) -> None:
    headers = {**STREAM, "Last-Event-ID": id.encode()}
    answer = await service.client.post(PATH, json=ASK, headers=headers)  # type: ignore[arg-type]
    assert answer.status_code in (400, 404)
    assert answer.headers["content-type"] == PROBLEM
    assert "ask" in answer.json()["detail"]
    assert await service.get("/api/v1/traces") == []


async def test_an_id_beyond_the_messages_of_a_session_is_refused(informed: Running) -> None:
    last = (await informed.stream())[-1].id
    answer = await informed.client.post(PATH, json=ASK, headers={**STREAM, "Last-Event-ID": str(last + 1)})
    assert answer.status_code == 404


@pytest.mark.parametrize(
    ("error", "type"),
    [
        (Unavailable("The index is away. Wait for it."), "unavailable"),
        (ZeroDivisionError(), "prov-graph-error"),
    ],
)
async def test_a_session_that_fails_says_so_once_and_is_recorded(
    tmp_path: Path, error: Exception, type: str
) -> None:
    async with running(tmp_path / "data", FailingRetriever(error)) as service:
        sent = await service.stream()
        assert [message.data["end_of_session"] for message in sent] == [False, False, True]
        told = sent[-1].data["error"]
        assert told["type"] == type
        session = await service.trace_of_only_session()
        assert session["outcome"] == SessionOutcome.FAILED
        assert session["failure"] == told["message"]
        assert len(told["message"].split(". ")) >= 2


async def test_a_failure_is_a_problem_for_a_client_that_does_not_stream(tmp_path: Path) -> None:
    retriever = FailingRetriever(Unavailable("The index is away. Wait for it."))
    async with running(tmp_path / "data", retriever) as service:
        answer = await service.client.post(PATH, json=ASK)
        assert answer.status_code == 503
        assert answer.headers["content-type"] == PROBLEM
        assert answer.json()["detail"] == "The index is away. Wait for it."


async def test_a_service_that_stops_cuts_off_what_is_running(tmp_path: Path) -> None:
    retriever = HeldRetriever()
    async with running(tmp_path / "data", retriever) as service:
        asking = asyncio.create_task(service.client.post(PATH, json=ASK))
        await retriever.begun.wait()
    assert (await asking).status_code == 503
    async with running(tmp_path / "data") as again:
        assert (await again.trace_of_only_session())["outcome"] == SessionOutcome.CUT_OFF
