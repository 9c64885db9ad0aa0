"""A gateway, the service that answers, and the one that finds, each on a socket of its own beside one store."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

from api.retrievers import HeldRetriever
from api.running import PROBLEM, QUESTION, STREAM, Sent, listening, messages, settings
from provgraph.assembly import assemble
from provgraph.errors import InvalidInput, Unavailable
from provgraph.gateway import forwarding
from provgraph.late_routes import add_routers
from provgraph.ports.retriever import Retriever
from provgraph.provenance.trace import SessionOutcome
from provgraph.retrieval.port_routes import retrieval_port_router
from provgraph.roles import Role
from servers.direct import DIRECT
from servers.oxigraph_server import OxigraphServer

ASK = {"query": QUESTION}
PATH = "/api/v1/graph-rag"


@dataclass(frozen=True)
class Apart:
    """Services of a store, started one by one; all of them end with `stack`."""

    folder: Path
    store: str
    stack: AsyncExitStack

    async def serve(self, role: Role, name: str = "", **changes: Any) -> str:
        """The address of another process's worth of services."""
        shared = {"store_url": self.store, "library_url": f"file://{self.folder / 'library'}", **changes}
        app = assemble(settings(**shared), self.folder / (name or role), role).app()
        return await self.stack.enter_async_context(listening(app))

    async def finding(self, retriever: Retriever) -> str:
        """A retrieval service that finds what `retriever` does."""
        app = FastAPI()
        add_routers(app, [retrieval_port_router(retriever)])
        app.add_api_route("/ready", lambda: {})
        return await self.stack.enter_async_context(listening(app))

    async def client(self, url: str, **headers: str) -> httpx2.AsyncClient:
        client = httpx2.AsyncClient(base_url=url, headers=headers, timeout=30, **DIRECT)
        return await self.stack.enter_async_context(client)

    async def gateway_before(self, retriever: Retriever, answering: int = 1) -> httpx2.AsyncClient:
        """A client of a gateway with so many services that answer, over one that finds."""
        found_at = await self.finding(retriever)
        answered_at = [
            await self.serve(Role.GRAPH_RAG, f"answering-{number}", retrieval_url=found_at)
            for number in range(answering)
        ]
        where = {"retrieval_url": found_at, "graph_rag_url": ",".join(answered_at)}
        return await self.client(await self.serve(Role.GATEWAY, **where))


@pytest.fixture
async def apart(tmp_path: Path, oxigraph: OxigraphServer) -> AsyncIterator[Apart]:
    async with AsyncExitStack() as stack:
        yield Apart(tmp_path, oxigraph.url, stack)


async def events(client: httpx2.AsyncClient, method: str, path: str, **options: Any) -> list[Sent]:
    headers = {**STREAM, **options.pop("headers", {})}
    async with client.stream(method, path, headers=headers, **options) as response:
        assert response.status_code == 200, await response.aread()
        return [message async for message in messages(response)]


async def only_session(client: httpx2.AsyncClient) -> dict[str, Any]:
    """The one session that there is, when it has ended."""
    async with asyncio.timeout(30):
        while True:
            (session,) = (await client.get("/api/v1/traces")).json()
            if session["outcome"]:
                return dict(session)
            await asyncio.sleep(0.02)


async def test_a_step_is_told_when_it_is_made_and_who_goes_away_ends_the_work_of_all_three(
    apart: Apart,
) -> None:
    held = HeldRetriever()
    client = await apart.gateway_before(held)
    async with (
        client.stream("POST", PATH, json=ASK, headers=STREAM) as response,
        aclosing(messages(response)) as coming,
    ):
        first = await anext(coming)
        assert first.data["explain_id"].startswith("urn:trustgraph:session:")
        await held.begun.wait()
        assert held.ended == 0
    ended = await only_session(client)
    assert ended["outcome"] == SessionOutcome.CUT_OFF
    assert [held.ended] == [1]


async def test_a_stream_goes_on_where_it_broke_off_whichever_replica_has_it(apart: Apart) -> None:
    held = HeldRetriever()
    client = await apart.gateway_before(held, answering=2)
    async with (
        client.stream("POST", PATH, json=ASK, headers=STREAM) as response,
        aclosing(messages(response)) as coming,
    ):
        first = await anext(coming)
        uuid = first.data["explain_id"].rpartition(":")[2]
        for _ in range(3):  # each turn begins with another replica
            session, at = f"/api/v1/sessions/{uuid}/events", {"Last-Event-ID": str(first.id)}
            async with client.stream("GET", session, headers={**STREAM, **at}) as again:
                assert (await anext(messages(again))).id == first.id + 1
        held.release.set()
        rest = [message async for message in coming]
    resumed = await events(client, "POST", PATH, json=ASK, headers={"Last-Event-ID": str(first.id)})
    assert [message.id for message in resumed] == [message.id for message in rest]
    assert resumed[-1].data["end_of_session"]
    held.release.clear()
    async with (
        client.stream("POST", PATH, json=ASK, headers=STREAM) as response,
        aclosing(messages(response)) as coming,
    ):
        uuid = (await anext(coming)).data["explain_id"].rpartition(":")[2]
        assert [(await client.post(f"/api/v1/sessions/{uuid}/stop")).status_code for _ in range(2)] == [
            204,
            204,
        ]
    assert (await client.post("/api/v1/sessions/nobody/stop")).status_code == 404


async def test_a_service_that_is_away_is_named_with_what_to_do(apart: Apart) -> None:
    dead = "http://127.0.0.1:1"
    gateway = await apart.client(await apart.serve(Role.GATEWAY, retrieval_url=dead, graph_rag_url=dead))
    for path, service in (
        ("/api/v1/graph-rag", "graph-rag"),
        ("/api/v1/extractive", "graph-rag"),
        ("/api/v1/retrieve", "retrieval"),
    ):
        refused = await gateway.post(path, json=ASK)
        assert refused.status_code == 503
        assert refused.headers["content-type"] == PROBLEM
        assert f"The {service} service at {dead}" in refused.json()["detail"]
        assert f"'provgraph serve {service}'" in refused.json()["detail"]
    ready = await gateway.get("/ready")
    assert ready.status_code == 503
    assert "graph-rag" in ready.json()["detail"]
    assert (await gateway.get("/health")).status_code == 200
    answered = {"query": QUESTION, "collection": "default"}
    sent = await gateway.post("/api/v1/flow/default/service/graph-rag", json=answered)
    assert "cannot be reached" in sent.json()["error"]["message"]


async def test_services_know_each_other_by_the_token(apart: Apart) -> None:
    retrieval = await apart.serve(Role.RETRIEVAL, token="one")
    where = {"retrieval_url": retrieval, "token": "one"}
    answering = await apart.serve(Role.GRAPH_RAG, **where)
    gateway = await apart.serve(Role.GATEWAY, graph_rag_url=answering, **where)
    client = await apart.client(gateway, Authorization="Bearer one")
    assert (await client.get("/ready")).json()["status"] == "ready"
    assert (await client.post(PATH, json=ASK)).json()["outcome"] == SessionOutcome.REFUSED
    assert (await client.post("/api/v1/retrieve", json=ASK)).json()["edges"] == []
    assert (await client.get("/api/v1/flows")).json()["flows"]
    wire = await client.post("/api/v1/flow/default/service/graph-rag", json=ASK)
    assert wire.json()["response"] == "No answer found."
    assert wire.json()["end_of_session"]
    stranger = await apart.client(gateway)
    assert (await stranger.post(PATH, json=ASK)).status_code == 401
    assert (await stranger.post(f"{retrieval}/internal/v1/retrieval/forget", json={})).status_code == 401
    assert (await client.post("/internal/v1/retrieval/forget", json={})).status_code == 404
    other = await apart.serve(
        Role.GATEWAY, "other", graph_rag_url=answering, retrieval_url=retrieval, token="two"
    )
    mistaken = await apart.client(other, Authorization="Bearer two")
    told = await mistaken.post(PATH, json=ASK)
    assert told.status_code == 503
    assert "PROVGRAPH_TOKEN" in told.json()["detail"]


async def breaking_off(_: Request) -> StreamingResponse:
    """Says one thing, half of another, and dies."""

    async def said() -> AsyncIterator[bytes]:
        yield b'event: explain\nid: 1\ndata: {"message_type": "explain"}\n\nevent: explain\nda'
        await asyncio.sleep(0.05)
        raise ConnectionResetError

    return StreamingResponse(said(), media_type="text/event-stream")


@asynccontextmanager
async def gateway_before(apart: Apart, app: Starlette) -> AsyncIterator[httpx2.AsyncClient]:
    url = await apart.stack.enter_async_context(listening(app))
    where = {"retrieval_url": url, "graph_rag_url": url}
    yield await apart.client(await apart.serve(Role.GATEWAY, max_upload_mb=1, **where))


async def test_a_stream_whose_service_dies_is_given_an_end(apart: Apart) -> None:
    app = Starlette(routes=[Route(PATH, breaking_off, methods=["POST"])])
    async with gateway_before(apart, app) as client:
        told = await events(client, "POST", PATH, json=ASK)
    assert [message.data["message_type"] for message in told] == ["explain", "chunk"]
    assert told[-1].data["end_of_session"]
    assert told[-1].data["error"]["type"] == "unavailable"


async def test_an_answer_that_breaks_off_is_told_as_a_problem(apart: Apart) -> None:
    async def half(_: Request) -> StreamingResponse:
        async def said() -> AsyncIterator[bytes]:
            yield b'{"response": "Marie Cu'
            raise ConnectionResetError

        return StreamingResponse(said(), media_type="application/json")

    async with gateway_before(apart, Starlette(routes=[Route(PATH, half, methods=["POST"])])) as client:
        told = await client.post(PATH, json=ASK)
    assert (told.status_code, told.headers["content-type"]) == (503, PROBLEM)
    assert "Start it with 'provgraph serve graph-rag'" in told.json()["detail"]


async def test_a_stream_that_falls_silent_is_given_an_end(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def falling_silent(_: Request) -> StreamingResponse:
        async def said() -> AsyncIterator[bytes]:
            yield b'event: explain\nid: 1\ndata: {"message_type": "explain"}\n\n'
            await asyncio.Event().wait()

        return StreamingResponse(said(), media_type="text/event-stream")

    monkeypatch.setattr(forwarding, "SILENCE_S", 0.2)
    app = Starlette(routes=[Route(PATH, falling_silent, methods=["POST"])])
    async with gateway_before(apart, app) as client:
        told = await events(client, "POST", PATH, json=ASK)
    assert told[-1].data["end_of_session"]
    assert "(ReadTimeout)" in told[-1].data["error"]["message"]


async def test_a_question_that_takes_too_long_is_not_asked_twice(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    async def pondering(request: Request) -> JSONResponse:
        asked.append(await request.body())
        await asyncio.sleep(60)
        return JSONResponse({})

    monkeypatch.setattr(forwarding, "WHOLE_ANSWER_S", 0.2)
    app = Starlette(routes=[Route(PATH, pondering, methods=["POST"])])
    async with gateway_before(apart, app) as client:
        refused = await client.post(PATH, json=ASK)
    assert refused.status_code == 503
    assert "(ReadTimeout)" in refused.json()["detail"]
    assert len(asked) == 1


async def test_a_request_arrives_as_it_was_sent_with_the_token_of_the_services(apart: Apart) -> None:
    async def echo(request: Request) -> JSONResponse:
        body = json.loads(await request.body() or b"null")
        return JSONResponse(
            {"path": str(request.url.path), "query": request.url.query, "body": body, **request.headers}
        )

    app = Starlette(routes=[Route("/{path:path}", echo, methods=["GET", "POST"])])
    async with gateway_before(apart, app) as client:
        sent = {"query": "Wer entdeckte Polonium — 1898?"}
        posted = (
            await client.post(f"{PATH}?x=%C3%A9&y=a+b", json=sent, headers={"Accept": "application/json"})
        ).json()
        assert posted["body"] == sent
        assert posted["query"] == "x=%C3%A9&y=a+b"
        assert posted["accept"] == "application/json"
        got = (await client.get("/api/v1/sessions/urn%3Atrustgraph%3Asession%3A1/events")).json()
        assert got["path"] == "/api/v1/sessions/urn:trustgraph:session:1/events"
        assert (await client.delete(PATH)).status_code == 405

        async def endless() -> AsyncIterator[bytes]:
            for _ in range(20):
                yield b" " * 100_000

        assert (await client.post(PATH, content=endless())).status_code == 413


def test_a_service_apart_says_which_addresses_it_lacks(tmp_path: Path) -> None:
    shared = {"store_url": "http://127.0.0.1:1", "library_url": f"file://{tmp_path}", "store_retry_s": 0}
    with pytest.raises(InvalidInput, match="PROVGRAPH_STORE_URL is not"):
        assemble(settings(), tmp_path / "a", Role.RETRIEVAL)
    with pytest.raises(InvalidInput, match="PROVGRAPH_LIBRARY_URL is not"):
        assemble(settings(store_url="http://127.0.0.1:1"), tmp_path / "b", Role.RETRIEVAL)
    with pytest.raises(InvalidInput, match="PROVGRAPH_RETRIEVAL_URL is not"):
        assemble(settings(**shared), tmp_path / "c", Role.GRAPH_RAG)
    with pytest.raises(InvalidInput, match="PROVGRAPH_GRAPH_RAG_URL is 'nowhere'"):
        assemble(
            settings(**shared, retrieval_url="http://127.0.0.1:1", graph_rag_url="nowhere"),
            tmp_path / "d",
            Role.GATEWAY,
        )
    with pytest.raises(Unavailable, match="cannot be reached"):
        assemble(settings(**shared), tmp_path / "e", Role.RETRIEVAL)
