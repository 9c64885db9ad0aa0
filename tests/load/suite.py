"""A service under load: 200 streams at once, memory that stays flat, and answers while documents are read in.

    cd tests && python -m load.suite [--apart | --url URL] [--clients 200] [--rounds 60] [--documents 3000]

Without `--url` it serves a folder of its own: by one process, or `--apart` by the services of the compose file.
`PROVGRAPH_TOKEN` is sent where it is set. Prints a table and a JSON line, and ends with status 1 where something does
not hold.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

from e2e.commands import serving
from e2e.composed import composed
from load.clients import Clients, Faulty, document

MOST_GROWTH: Final = 1.10
"""How much more memory the last rounds may take than those of the middle. The caches of the embedded store grow up to
their limits first, which takes some 36 rounds of 200."""
MOST_SLOWING: Final = 3.0
SENTENCES: Final = 20
SERVERS: Final = ("oxigraph", "nats")


@dataclass
class Found:
    """What was measured, and what does not hold."""

    figures: dict[str, float] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def hold(self, holds: bool, otherwise: str) -> None:
        if not holds:
            self.failures.append(otherwise)


async def streams(clients: Clients, taught: int, count: int, rounds: int, pids: Sequence[int]) -> Found:
    """Rounds of so many streams at once over questions to `taught` documents, and the memory of the processes."""
    found, memory, first, end = Found(), [], [], []
    for turn in range(rounds):
        told = await clients.at_once([(turn * count + number) % taught for number in range(count)])
        first += [each.first_s for each in told]
        end += [each.end_s for each in told]
        memory.append(resident_mb(pids))
        sys.stderr.write(
            f"round {turn + 1} of {rounds}: {count} streams, slowest {max(end[-count:]):.1f} s, "
            f"memory {memory[-1]:,.0f} MB\n"
        )
    found.figures |= {
        "streams": len(end),
        "first message, median s": median(first),
        "end, median s": median(end),
        "end, slowest s": max(end),
    }
    if pids and rounds >= 4:
        middle, last = median(memory[rounds // 2 : rounds * 3 // 4]), median(memory[rounds * 3 // 4 :])
        found.figures |= {"memory after one round, MB": memory[0], "middle": middle, "last": last}
        found.hold(last <= middle * MOST_GROWTH, f"memory grows: {memory}")
    return found


async def while_reading(clients: Clients, taught: int, documents: int) -> Found:
    """Questions one after another, idle and during an ingest of so many documents."""
    found = Found()
    numbers = [number % taught for number in range(2_000)]
    idle, _ = await clients.median_s(numbers[:50])
    job = await clients.submit([_long(number) for number in range(documents)])
    busy, count = await clients.median_s(numbers, while_running=job)
    await clients.finished(job)
    found.figures |= {
        "idle, median s": idle,
        "during an ingest, median s": busy,
        "questions during the ingest": count,
        "during ÷ idle": busy / idle,
    }
    found.hold(
        busy <= MOST_SLOWING * idle, f"a question takes {busy / idle:.1f} times as long during an ingest"
    )
    return found


def _long(number: int) -> dict[str, Any]:
    """A document about nothing that a question asks for."""
    made = [document(50_000 - (number * SENTENCES + at) % 40_000)["text"] for at in range(SENTENCES)]
    return {**document(50_000 - number), "id": f"urn:load:long:{number}", "text": "\n\n".join(made)}


def resident_mb(pids: Sequence[int]) -> float:
    """Memory of processes, in MB; of what they have started, none."""
    pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids)
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def served(url: str, *, apart: bool) -> Iterator[tuple[Clients, list[int]]]:
    """Clients of the service, and its processes, as far as they are our own: no store's, and no broker's."""
    if url:
        yield Clients.of(url, os.environ.get("PROVGRAPH_TOKEN", "")), []
        return
    with tempfile.TemporaryDirectory() as folder:
        if apart:
            with composed(Path(folder)) as services:
                pids = [running.pid for name, running in services.processes.items() if name not in SERVERS]
                yield Clients.of(services.url("gateway", 8888), services.token), pids
        else:
            with serving(Path(folder) / "data") as made:
                yield Clients.of(made.url), [made.process.pid]


async def measured(clients: Clients, pids: Sequence[int], options: argparse.Namespace) -> Found:
    """What was found before a fault is told, too."""
    await clients.teach(range(options.taught))
    found = Found()
    for part in (
        streams(clients, options.taught, options.clients, options.rounds, pids),
        while_reading(clients, options.taught, options.documents),
    ):
        try:
            told = await part
        except Faulty as error:
            told = Found(failures=[str(error)])
        found.figures |= told.figures
        found.failures += told.failures
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="A service under load.")
    parser.add_argument("--url", default="")
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--taught", type=int, default=400)
    parser.add_argument("--documents", type=int, default=3_000)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the services end with it
    with served(options.url, apart=options.apart) as (clients, pids):
        try:
            found = asyncio.run(measured(clients, pids, options))
        except Faulty as error:
            found = Found(failures=[str(error)])
    for figure, value in found.figures.items():
        print(f"{figure:32} {value:12,.3f}")
    print(json.dumps({"load": found.figures, "failures": found.failures}))
    return bool(found.failures)


if __name__ == "__main__":
    raise SystemExit(main())
