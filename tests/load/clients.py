"""Many clients of a service at once, each of which knows the only answer that can be its own."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

import httpx2

from servers.direct import DIRECT

STREAM: Final = {"Accept": "text/event-stream"}
STARVED_S: Final = 60.0
"""A client that hears nothing for so long was left behind: the service says every 15 s that it is alive."""
OVER: Final = ("done", "failed", "cancelled")
SYLLABLES: Final = ("ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu")


class Faulty(AssertionError):
    """A stream that was dropped, mixed up or starved."""


@dataclass(frozen=True)
class Streamed:
    """One answer: seconds to its first message and to its end, and its session."""

    first_s: float
    end_s: float
    session: str


def name(number: int, of: str) -> str:
    """A name that no other number has, and no other kind."""
    word = ""
    for _ in range(4):
        number, at = divmod(number, len(SYLLABLES))
        word += SYLLABLES[at]
    return f"{word}{of}".capitalize()


def document(number: int) -> dict[str, Any]:
    """A document that alone says who discovered one thing."""
    who, what, where = name(number, "son"), name(number, "ium"), name(number, "burg")
    text = f"{who} discovered {what} in {1800 + number % 200}. {who} was born in {where}. {where} is a city."
    return {"id": f"urn:load:{number}", "name": f"{number}.txt", "title": what, "text": text}


def question(number: int) -> str:
    return f"Who discovered {name(number, 'ium')}?"


@dataclass(frozen=True)
class Clients:
    """Clients of the service at `url`."""

    client: httpx2.AsyncClient

    @classmethod
    def of(cls, url: str, token: str = "") -> Clients:
        headers = {"Authorization": f"Bearer {token}"} if token else None
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=0)
        timeout = httpx2.Timeout(STARVED_S, pool=None)
        return cls(
            httpx2.AsyncClient(
                base_url=url,
                headers=headers,
                limits=limits,
                timeout=timeout,
                **DIRECT,
            )
        )

    async def teach(self, numbers: Sequence[int]) -> dict[str, Any]:
        """Ingest the documents of these numbers as one file of records; gives the job when it is over."""
        return await self.finished(await self.submit([document(number) for number in numbers]))

    async def submit(self, records: Sequence[Mapping[str, Any]]) -> str:
        lines = "\n".join(json.dumps(record) for record in records).encode()
        sent = await self.client.post("/api/v1/documents", files={"file": ("load.jsonl", lines)})
        sent.raise_for_status()
        return str(sent.json()["id"])

    async def job(self, job: str) -> dict[str, Any]:
        answer = await self.client.get(f"/api/v1/jobs/{job}")
        answer.raise_for_status()
        return dict(answer.json())

    async def finished(self, job: str) -> dict[str, Any]:
        while (found := await self.job(job))["state"] not in OVER:
            await asyncio.sleep(0.2)
        if found["state"] != "done":
            raise Faulty(f"the ingest is {found['state']}: {found.get('problem')}")
        return found

    async def at_once(self, numbers: Sequence[int]) -> list[Streamed]:
        """As many streams as there are numbers, all begun at once. Raises `Faulty`."""
        streams = await asyncio.gather(*map(self.stream, numbers))
        if len({each.session for each in streams}) != len(streams):
            raise Faulty("two streams told of one session")
        return streams

    async def stream(self, number: int) -> Streamed:
        begun = time.perf_counter()
        first, told, at = 0.0, [], []
        body = {"query": question(number)}
        try:
            async with self.client.stream("POST", "/api/v1/graph-rag", json=body, headers=STREAM) as response:
                if response.status_code != 200:
                    raise Faulty(f"refused: {(await response.aread()).decode()}")
                async for event in httpx2.EventSource(response, max_event_size=None):
                    first = first or time.perf_counter() - begun
                    told.append(json.loads(event.data))
                    at.append(int(event.id or -1))
        except httpx2.TransportError as error:
            raise Faulty(f"dropped or starved after {len(told)} messages: {error!r}") from error
        _check(number, told, at)
        return Streamed(first, time.perf_counter() - begun, told[0]["explain_id"])

    async def median_s(self, numbers: Sequence[int], while_running: str = "") -> tuple[float, int]:
        """The median of answers asked one after another, as long as a job runs where one is given; and how many."""
        spent: list[float] = []
        for number in numbers:
            spent.append((await self.stream(number)).end_s)
            if while_running and (await self.job(while_running))["state"] in OVER:
                break
        return median(spent), len(spent)


def _check(number: int, told: Sequence[Mapping[str, Any]], at: Sequence[int]) -> None:
    """Raises `Faulty` for a stream that is not whole, or has a word of another one."""
    if at != list(range(at[0], at[0] + len(at))):
        raise Faulty(f"messages are missing or doubled: {at}")
    if [message["end_of_session"] for message in told] != [False] * (len(told) - 1) + [True]:
        raise Faulty("a stream without one end")
    if told[-1].get("error"):
        raise Faulty(str(told[-1]["error"]))
    uuid = told[0]["explain_id"].rpartition(":")[2]
    foreign = [message["explain_id"] for message in told if uuid not in message.get("explain_id", uuid)]
    text = "".join(message.get("response") or "" for message in told)
    if foreign or name(number, "son") not in text:
        raise Faulty(f"the answer of another question: {question(number)} {text!r} {foreign}")
