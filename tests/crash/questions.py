"""Clients that ask while services die: each question must end, and what is told must be what the store holds."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import httpx2

from servers.direct import DIRECT

STREAM: Final = {"Accept": "text/event-stream"}
SILENCE_S: Final = 60.0
"""A stream says every fifteen seconds that it lives."""
ENDS: Final = ("answered", "told why not", "hung up on", "turned away at the door")
"""How a question may end."""
LONGEST_S: Final = 240.0
"""After which a question counts as one that never ends, whatever signs of life there were."""
_BREATH_S: Final = 0.3


@dataclass
class Asked:
    """How questions ended, by kind; what must not have happened, in words; sessions that were told as answered."""

    ends: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)


@dataclass
class Curious:
    """Asks `url` one question after another, until it is told to stop."""

    url: str
    question: Callable[[int], str]
    asked: Asked = field(default_factory=Asked)

    def run(self, first: int, step: int, stop: threading.Event) -> None:
        number = first
        while not stop.wait(_BREATH_S):
            begun = time.monotonic()
            try:
                end = self._ask(self.question(number), begun)
            except httpx2.ConnectError:
                end = "turned away at the door"  # there is no gateway at the moment
            except (httpx2.NetworkError, httpx2.RemoteProtocolError):
                end = "hung up on"  # by a gateway that was killed; the client knows that it is over
            except httpx2.TimeoutException:
                end = "left waiting"
            if end not in ENDS:
                self.asked.faults.append(
                    f"{end} after {time.monotonic() - begun:.0f} s: {self.question(number)}"
                )
            self.asked.ends[end] += 1
            number += step

    def _ask(self, question: str, begun: float) -> str:
        body = {"query": question, "engine": "model-free"}
        with (
            httpx2.Client(base_url=self.url, timeout=SILENCE_S, **DIRECT) as client,
            client.stream("POST", "/api/v1/graph-rag", json=body, headers=STREAM) as response,
        ):
            if response.is_error:
                return (
                    "told why not" if json.loads(response.read()).get("detail") else "refused without a word"
                )
            told: list[dict[str, Any]] = []
            for line in response.iter_lines():
                if time.monotonic() - begun > LONGEST_S:
                    return "left waiting"
                if line.startswith("data:"):
                    told.append(json.loads(line.removeprefix("data:")))
        return self._end(told)

    def _end(self, told: list[dict[str, Any]]) -> str:
        ends = [message for message in told if message.get("end_of_session")]
        if len(ends) != 1 or ends[0] is not told[-1]:
            return f"given {len(ends)} ends"
        if error := ends[0].get("error"):
            return "told why not" if error.get("message") else "failed without a word"
        self.asked.answered.add(told[0]["explain_id"])
        return "answered"


@contextmanager
def asking(curious: Curious, clients: int) -> Iterator[Asked]:
    """So many clients ask beside what is done within; each has heard its last end when it is left."""
    stop = threading.Event()
    threads = [
        threading.Thread(target=curious.run, args=(number, clients, stop), name=f"client-{number}")
        for number in range(clients)
    ]
    for thread in threads:
        thread.start()
    try:
        yield curious.asked
    finally:
        stop.set()
        for thread in threads:
            thread.join()
