"""A whole service over a real folder, spoken to by HTTP: in this process, or on a socket where the wire matters."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import httpx2
import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp

from provgraph.adapters.arxiv import ArxivSearch, Waiting
from provgraph.assembly import Assembly, assemble
from provgraph.ports.retriever import Retriever
from provgraph.settings import Settings
from servers.direct import DIRECT

STREAM: Final = {"Accept": "text/event-stream"}
PROBLEM: Final = "application/problem+json"

CURIE: Final = (
    "Marie Curie discovered polonium in 1898. She was born in Warsaw. "
    "Pierre Curie discovered polonium with Marie Curie.\n\n"
    "Ernest Rutherford discovered the proton in 1917. Frederick Soddy studied isotopes in Glasgow.\n"
)
QUESTION: Final = "Who discovered polonium?"


@dataclass(frozen=True)
class Sent:
    """One message of a stream, as it came over the wire."""

    id: int
    event: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Running:
    """A service with a client of it."""

    assembly: Assembly
    app: FastAPI
    client: httpx2.AsyncClient

    async def ingest(self, text: str = CURIE, **fields: Any) -> dict[str, Any]:
        """Send a text document and wait for the end of its job, which is given back."""
        sent = await self.client.post("/api/v1/documents", json={"text": text, "name": "curie.txt", **fields})
        assert sent.status_code == 202, sent.text
        return await self.finished(sent.json()["id"])

    async def finished(self, job: str) -> dict[str, Any]:
        last = (await self.events("GET", f"/api/v1/jobs/{job}"))[-1]
        assert last.event == "job"
        return last.data

    async def ask(self, query: str = QUESTION, **fields: Any) -> dict[str, Any]:
        answer = await self.client.post("/api/v1/graph-rag", json={"query": query, **fields})
        assert answer.status_code == 200, answer.text
        answered: dict[str, Any] = answer.json()
        return answered

    async def stream(self, query: str = QUESTION, **fields: Any) -> list[Sent]:
        """All messages of an answer."""
        return await self.events("POST", "/api/v1/graph-rag", {"query": query, **fields})

    async def events(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, after: int | None = None
    ) -> list[Sent]:
        """All messages of a stream, or those after one that was seen."""
        headers = STREAM if after is None else {**STREAM, "Last-Event-ID": str(after)}
        async with self.client.stream(method, path, json=body, headers=headers) as response:
            assert response.status_code == 200, await response.aread()
            return [sent async for sent in messages(response)]

    async def get(self, path: str, **query: str) -> Any:
        answer = await self.client.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def trace_of_only_session(self) -> dict[str, Any]:
        (session,) = await self.get("/api/v1/traces")
        trace: dict[str, Any] = session
        return trace


async def messages(response: httpx2.Response) -> AsyncGenerator[Sent]:
    """The messages of a stream as they come."""
    async for event in httpx2.EventSource(response, max_event_size=None):
        yield Sent(int(event.id or -1), event.event, json.loads(event.data))


def settings(**changes: Any) -> Settings:
    """Settings of a test: no extraction processes, a short grace; nothing from the environment stands against it."""
    return Settings(**{"extraction_processes": 0, "reading_processes": 0, "resume_grace_s": 0.05, **changes})


def assembled(data: Path, retriever: Retriever | None = None, **changes: Any) -> Assembly:
    """All services over the folder, with another retriever where one is given."""
    made = assemble(settings(**changes), data)
    if retriever is None:
        return made
    services = replace(made.flows.graph_rag.services, retriever=retriever)
    graph_rag = replace(made.flows.graph_rag, services=services)
    made.flows = replace(made.flows, graph_rag=graph_rag)
    return made


@asynccontextmanager
async def reading_papers(data: Path, arxiv: str, **changes: Any) -> AsyncIterator[Running]:
    """The service in this process, which searches for papers at `arxiv` and waits for nothing there."""
    async with running_as(searching(data, arxiv, **changes)) as made:
        yield made


def searching(data: Path, arxiv: str, **changes: Any) -> Assembly:
    async def at_once(_: float) -> None:
        return None

    made = assembled(data, **changes)
    made.search = ArxivSearch(arxiv, 10_000_000, Waiting(at_once))
    return made


@asynccontextmanager
async def running(
    data: Path, retriever: Retriever | None = None, headers: Mapping[str, str] | None = None, **changes: Any
) -> AsyncIterator[Running]:
    """The service in this process, without a socket."""
    async with running_as(assembled(data, retriever, **changes), headers) as made:
        yield made


@asynccontextmanager
async def running_as(assembly: Assembly, headers: Mapping[str, str] | None = None) -> AsyncIterator[Running]:
    """These services in this process, without a socket."""
    app = assembly.app()
    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://localhost", headers=headers) as client,
    ):
        yield Running(assembly, app, client)


@asynccontextmanager
async def served(data: Path, retriever: Retriever | None = None, **changes: Any) -> AsyncIterator[Running]:
    """The service on a loopback socket."""
    assembly = assembled(data, retriever, **changes)
    app = assembly.app()
    async with (
        listening(app) as url,
        httpx2.AsyncClient(base_url=url, **DIRECT) as client,
    ):
        yield Running(assembly, app, client)


@asynccontextmanager
async def listening(app: ASGIApp, port: int = 0) -> AsyncIterator[str]:
    """The address of an app on a loopback socket."""
    with socket.create_server(("127.0.0.1", port)) as listening:
        server = uvicorn.Server(
            uvicorn.Config(app, log_level="critical", ws="websockets-sansio", timeout_graceful_shutdown=1)
        )
        serving = asyncio.create_task(server.serve([listening]))
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            await serving
