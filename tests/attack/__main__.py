"""`python -m attack`: mutated and growing inputs over every door of a service, until the time is up.

    cd tests && nice python -m attack --minutes 20 --seed 1

Each input is tried larger and larger. What keeps `/health` waiting for more than a second, takes the service beyond
1 GB, is answered by a 500, or writes a traceback, is written down with what was sent; the exit status is then 1.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx2

from attack.attacked import MOST_MEMORY_MB, TEXT, TOKEN, Attacked, Beside, memory_mb, watch
from attack.attempts import Attempt, attempts
from e2e.commands import serving
from servers.direct import DIRECT
from servers.openai_server import OpenAIServer, openai_server

HEALTH_S: Final = 1.0
INPUTS: Final = 100
LEFT_MB: Final = 600
"""How many inputs a service is sent, and what they may leave in it, before another one takes its place: what all of
them leave in a library together is no fault of one."""
_OF_THE_INTERPRETER: Final = re.compile(
    r"Exception ignored in: <async_generator [^\n]*\nTraceback[^\n]*\n(?:  [^\n]*\n)*"
    r"ValueError: async generator already executing\n"
)
"""What CPython 3.11 writes where a thread's search for garbage meets a generator of httpx that the event loop runs."""
MOST_S: Final = 45.0
"""After which a client hangs up; the service has to end the work by itself."""


@dataclass
class Findings:
    """What was noticed, once for each kind of input and fault."""

    folder: Path
    seen: set[tuple[str, str]] = field(default_factory=set)
    most_memory: tuple[float, str] = (0, "")

    def note(self, attempt: Attempt, fault: str, about: str) -> None:
        if (attempt.kind, fault) not in self.seen:
            self.seen.add((attempt.kind, fault))
            print(f"FOUND  {attempt}: {fault}: {about}", flush=True)
            name = re.sub(r"\W+", "-", f"{attempt} {fault}")
            (self.folder / name).write_bytes(attempt.content)


@dataclass
class Log:
    """What a service writes on stderr, read while it runs."""

    lines: list[str] = field(default_factory=list)

    def follow(self, process_stderr: Iterator[str]) -> None:
        threading.Thread(target=lambda: self.lines.extend(process_stderr), daemon=True).start()


@contextmanager
def watched_service(data: Path, model: OpenAIServer) -> Iterator[tuple[Attacked, Log]]:
    env = {
        "PROVGRAPH_TOKEN": TOKEN,
        "PROVGRAPH_EXTRACTION_PROCESSES": "1",
        "PROVGRAPH_READING_PROCESSES": "1",
        "PROVGRAPH_LLM_MODEL": "m",
        "OPENAI_BASE_URL": model.url,
        "OPENAI_API_KEY": "key",
        "PROVGRAPH_EXTRACTORS": "propositions",
    }
    command = [sys.executable, "-m", "attack.watched", "serve", "--port", "0", "--data", str(data)]
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with (
        serving(data, env=env, command=command) as made,
        httpx2.Client(base_url=made.url, headers=headers, timeout=MOST_S, **DIRECT) as client,
    ):
        log = Log()
        assert made.process.stderr is not None
        log.follow(iter(made.process.stderr))
        client.post("/api/v1/documents", json={"text": TEXT, "name": "curie.txt"})
        yield Attacked(made, client), log


def tried(service: Attacked, log: Log, attempt: Attempt, findings: Findings) -> bool:
    """Whether a larger one is worth trying: nothing was found, and this one took no more than some seconds."""
    seen, ended, lines = Beside(), threading.Event(), len(log.lines)
    watching = threading.Thread(target=watch, args=(service, seen, ended, True))
    watching.start()
    seen.begun.wait(20)
    begun, status = time.monotonic(), 0
    try:
        status = attempt.send(service)
    except (httpx2.HTTPError, OSError) as error:
        status = 0 if isinstance(error, httpx2.TimeoutException) else status
    seconds = time.monotonic() - begun
    ended.set()
    watching.join()
    before = len(findings.seen)
    limit = HEALTH_S + 3 * max(seen.control)
    if max(seen.waits) > limit:
        told = "".join(log.lines[lines:])[-4000:]
        findings.note(
            attempt, "health", f"{max(seen.waits):.1f} s, an idle server {max(seen.control):.2f} s\n{told}"
        )
    findings.most_memory = max(findings.most_memory, (seen.memory_mb, f"{attempt}: {seen.held_by}"))
    if seen.memory_mb > MOST_MEMORY_MB:
        findings.note(attempt, "memory", f"{seen.memory_mb:.0f} MB: {seen.held_by}")
    if status == 500:
        findings.note(attempt, "500", "")
    told = _OF_THE_INTERPRETER.sub("", "".join(log.lines[lines:]))
    for word in ("Traceback", "stood still"):
        if word in told:
            findings.note(attempt, word, told[-4000:])
    if service.serving.process.poll() is not None:
        findings.note(attempt, "death", told[-2000:])
    return len(findings.seen) == before and seconds < 10


def _is_used_up(service: Attacked, count: int) -> bool:
    return count % INPUTS == 0 or memory_mb(service.process) > LEFT_MB


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m attack", description="Attack a service of this version.")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="Kinds of inputs that have this in their name.")
    parser.add_argument("--found", type=Path, default=Path(tempfile.gettempdir()) / "attack-found")
    given = parser.parse_args()
    given.found.mkdir(parents=True, exist_ok=True)
    findings, until = Findings(given.found), time.monotonic() + 60 * given.minutes
    print(f"seed {given.seed}; what is found is kept in {given.found}", flush=True)
    count = 0
    with tempfile.TemporaryDirectory() as folder, openai_server() as model:
        chosen = attempts(random.Random(given.seed), model, given.only)
        while time.monotonic() < until:
            data = Path(folder) / f"data{count}"
            with watched_service(data, model) as (service, log):
                for attempt in chosen:
                    count += 1
                    is_alive = service.serving.process.poll() is None
                    attempt.larger = is_alive and tried(service, log, attempt, findings)
                    if time.monotonic() > until or not is_alive or _is_used_up(service, count):
                        break
    memory, held_by = findings.most_memory
    print(f"{count} inputs, {len(findings.seen)} findings; at most {memory:.0f} MB, with {held_by}")
    return 1 if findings.seen else 0


if __name__ == "__main__":
    sys.exit(main())
