"""One ingest undisturbed in one process, the same one apart while parts of it die: both must come to the same.

Where there are `clients`, they ask meanwhile: every question must end, and every session have one end in the store;
also those which are then made to end badly (`endings.py`).

What the suite shows when the code is broken on purpose stands in docs/tech-specs/queue.md.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx2
from pyoxigraph import Quad

from api.running import running
from crash.client import PatientClient
from crash.comparison import faulty_sessions, files_of, on_server, told, without_questions
from crash.corpus import Sent, corpus, question
from crash.deployment import deployed
from crash.disturbing import Disturber, Pace, disturbed
from crash.endings import wrong_endings
from crash.questions import Curious, asking
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import DEFAULT_EXPLAIN_COLLECTION
from servers.direct import DIRECT
from servers.openai_server import OpenAIServer

_OF_SESSIONS: Final = f"{DEFAULT_EXPLAIN_COLLECTION}/"
_ENDED_WITHIN_S: Final = 120.0


@dataclass(frozen=True)
class Plan:
    """How much is ingested by how many, and how often something dies meanwhile."""

    documents: int
    sentences: int
    workers: int
    kills: int
    pace: Pace
    seed: int
    patience_s: float
    clients: int = 0


@dataclass(frozen=True)
class Outcome:
    """`lost` and `extra` are quads and files that differ from those of the undisturbed run; there should be none.

    `faults` are questions that did not end as they should, and sessions without just one end.
    """

    jobs: list[dict[str, Any]]
    kills: Counter[str]
    seconds: float
    quads: int
    lost: list[str]
    extra: list[str]
    dead: list[Any]
    asked: Counter[str]
    faults: list[str]

    @property
    def sound(self) -> bool:
        states = {job["state"] for job in self.jobs}
        return states == {"done"} and not (self.lost or self.extra or self.dead or self.faults)


def crashed(plan: Plan, folder: Path, model: OpenAIServer, say: Callable[[str], None]) -> Outcome:
    files = corpus(plan.documents, plan.sentences)
    by_model = {"OPENAI_BASE_URL": model.url, "PROVGRAPH_LLM_MODEL": "tiny", "PROVGRAPH_LLM_PARALLEL": "4"}
    expected, expected_files = asyncio.run(_undisturbed(files, folder / "undisturbed", model))
    say(f"undisturbed: {expected.total():,} quads")
    settings = {"PROVGRAPH_QUEUE_PATIENCE_S": "3", "PROVGRAPH_QUEUE_ATTEMPTS": "1000", **by_model}
    with deployed(folder / "apart", plan.workers, plan.clients > 0, **settings) as deployment:
        begun = time.monotonic()
        client = PatientClient(deployment.gateway.url, begun + plan.patience_s)
        disturber = Disturber(deployment, plan.kills, plan.pace, plan.seed, say)
        curious = Curious(deployment.gateway.url, question)
        with asking(curious, plan.clients) as asked:
            with disturbed(disturber):
                jobs = client.send(files)
            ended = [client.ended(job) for job in jobs]
        seconds = time.monotonic() - begun
        endings = wrong_endings(deployment) if plan.clients else []
        dead = httpx2.get(f"{deployment.gateway.url}/api/v1/queue/dead", timeout=60, **DIRECT).json()
        quads = at_rest(deployment.store.url)
        found = told(without_questions(quads))
        found_files = {
            key: content
            for key, content in files_of(deployment.library).items()
            if not key.startswith((".waiting", _OF_SESSIONS)) or any(job in key for job in jobs)
        }  # what waits for a job that no client heard of is cleared away later
    return Outcome(
        jobs=ended,
        kills=disturber.done,
        seconds=seconds,
        quads=found.total(),
        lost=[*(expected - found), *(expected_files.keys() - found_files.keys())],
        extra=[*(found - expected), *(found_files.keys() - expected_files.keys())],
        dead=dead,
        asked=asked.ends,
        faults=[*asked.faults, *endings, *faulty_sessions(quads, asked.answered)],
    )


def at_rest(store: str) -> list[Quad]:
    """All quads, when sessions of processes that were killed have been ended by others; or after two minutes."""
    until = time.monotonic() + _ENDED_WITHIN_S
    while faulty_sessions(quads := on_server(store), set()) and time.monotonic() < until:
        time.sleep(1)
    return quads


async def _undisturbed(
    files: list[Sent], data: Path, model: OpenAIServer
) -> tuple[Counter[str], dict[str, bytes]]:
    async with running(data, llm_model="tiny", OPENAI_BASE_URL=model.url, llm_parallel=4) as service:
        for file in files:
            sent = await service.client.post("/api/v1/documents", files={"file": (file.name, file.content)})
            await service.finished(sent.json()["id"])
        (quads,) = await service.assembly.store.match([QuadPattern()])
    return told(quads), files_of(data / "library")
