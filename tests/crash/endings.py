"""Questions that end badly in every way there is, one after another: what the store says of each in the end.

Chance rarely kills a process in the middle of a question, and what it leaves the next start closes. So here it is done
on purpose: when a session has begun, what it needs is killed, or the process that has it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import httpx2
from pyoxigraph import NamedNode

from crash.comparison import on_server, outcomes
from crash.deployment import Deployment
from crash.questions import SILENCE_S, STREAM
from provgraph.provenance.trace import SessionOutcome
from servers.direct import DIRECT

_SOON_S: Final = 90.0


def wrong_endings(deployment: Deployment) -> list[str]:
    """What is not as it should be, in words. All services run; of them only retrieval does not in the end."""
    ways = (_interrupted, _failed_without_a_store, _failed)
    return [wrong for way in ways for wrong in way(deployment)]


def _failed(deployment: Deployment) -> Iterator[str]:
    """When its client hears that a question failed, the store says so."""
    with _question(deployment) as question:
        deployment.parts["retrieval"].kill()
        question.hear_the_end()
        if (said := _said(deployment, question.session)) != [SessionOutcome.FAILED]:
            yield f"{question.session} was told as failed, and the store said {said}"


def _interrupted(deployment: Deployment) -> Iterator[str]:
    """A process that was killed ends, at its next start, what it had begun."""
    with _question(deployment) as question:
        deployment.parts["graph-rag"].kill()
        question.hear_the_end()
        deployment.parts["graph-rag"].start()
        if (said := _said(deployment, question.session)) != [SessionOutcome.INTERRUPTED]:
            yield f"{question.session} was cut off by a kill, and after the next start the store said {said}"


def _failed_without_a_store(deployment: Deployment) -> Iterator[str]:
    """What could not be recorded when it failed is recorded when the store is back, though nobody starts again."""
    with _question(deployment) as question:
        deployment.store.kill()
        question.hear_the_end()
    deployment.store.start()
    until = time.monotonic() + _SOON_S
    while (said := _said(deployment, question.session)) != [SessionOutcome.FAILED]:
        if time.monotonic() > until:
            yield f"{question.session} failed while the store was away, and later the store said {said}"
            return
        time.sleep(0.5)


@dataclass(frozen=True)
class _Question:
    """One that is being answered: its session, and what is still to be heard of it."""

    session: str
    messages: Iterator[dict[str, Any]]

    def hear_the_end(self) -> None:
        *_, last = self.messages
        assert last["end_of_session"], last
        assert last["error"]["message"]


@contextmanager
def _question(deployment: Deployment) -> Iterator[_Question]:
    """A question whose session has just begun: each further step of it takes the slow network to the store a second."""
    body = {"query": "Who founded Town1x1?", "engine": "model-free"}
    network = deployment.networks["network-to-store"]
    network.delay_s = 0.5
    try:
        with (
            httpx2.Client(base_url=deployment.gateway.url, timeout=SILENCE_S, **DIRECT) as client,
            client.stream("POST", "/api/v1/graph-rag", json=body, headers=STREAM) as response,
        ):
            lines = (line for line in response.iter_lines() if line.startswith("data:"))
            messages = (json.loads(line.removeprefix("data:")) for line in lines)
            yield _Question(next(messages)["explain_id"], messages)
    finally:
        network.delay_s = 0.0


def _said(deployment: Deployment, session: str) -> list[str]:
    return outcomes(on_server(deployment.store.url), NamedNode(session))
