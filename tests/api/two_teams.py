"""Two teams that share one service: a document of each says something else of one person, and one is for both."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx2

from api.running import Running, running

ADMIN: Final = "a-secret-of-the-service-itself"
RED: Final = "Marta Lind leads Project Heron. Marta Lind lives in Oslo. Heron costs 40 million euros.\n"
BLUE: Final = "Marta Lind leads Project Kestrel. Marta Lind lives in Lima. Kestrel costs 70 million euros.\n"
BOTH: Final = "Marta Lind joined the company in 2011. Marta Lind studied in Delft.\n"
QUESTION: Final = "Which project does Marta Lind lead?"


@dataclass(frozen=True)
class Team:
    """A client with a token of its own."""

    client: httpx2.AsyncClient
    token: str

    async def get(self, path: str, **query: str) -> Any:
        answer = await self.client.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:
        answer = await self.client.post(path, json=body)
        assert answer.status_code in (200, 201, 202), answer.text
        return answer.json()

    async def ask(self, query: str = QUESTION, **fields: Any) -> dict[str, Any]:
        answered: dict[str, Any] = await self.post("/api/v1/graph-rag", {"query": query, **fields})
        return answered


@dataclass(frozen=True)
class SharedService:
    """The service, its admin, and whoever gets a token."""

    running: Running
    admin: Team

    async def team(self, name: str, role: str = "reader", **grant: Any) -> Team:
        made = await self.admin.post("/api/v1/tokens", {"name": name, "role": role, **grant})
        return self.with_token(made["token"])

    def with_token(self, token: str) -> Team:
        transport = httpx2.ASGITransport(self.running.app, raise_app_exceptions=False)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return Team(
            httpx2.AsyncClient(transport=transport, base_url="http://localhost", headers=headers), token
        )

    async def ingest(self, text: str, name: str, *readers: str, **fields: str) -> str:
        """The id of the document."""
        body = {"text": text, "name": name, "metadata": {"readers": list(readers)}, **fields}
        sent = await self.admin.post("/api/v1/documents", body)
        job = await self.running.finished(sent["id"])
        assert job["state"] == "done", job
        return str(job["documents"][0]["id"])


@asynccontextmanager
async def opened_service(data: Path) -> AsyncIterator[SharedService]:
    """Over what is in the folder."""
    async with running(data, headers={"Authorization": f"Bearer {ADMIN}"}, token=ADMIN) as service:
        yield SharedService(service, Team(service.client, ADMIN))


@asynccontextmanager
async def shared_service(data: Path) -> AsyncIterator[SharedService]:
    """With the documents of both teams, and one for both."""
    async with opened_service(data) as shared:
        await shared.ingest(RED, "red.txt", "red")
        await shared.ingest(BLUE, "blue.txt", "blue")
        await shared.ingest(BOTH, "both.txt")
        yield shared
