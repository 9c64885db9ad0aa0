"""Reading a trace: TrustGraph's `tg-show-explain-trace` beside `provgraph trace`, on one service and one session.

    python benchmarks/trustgraph_trace.py --client ENVIRONMENT [--data FILES] [--pairs 7]

ENVIRONMENT is a virtual environment with `trustgraph-cli`. The files are ingested into a fresh folder; without any,
those that the package ships. Both programs are run as processes, one after the other, in pairs; a program that only
starts and prints its help is timed beside each, so that what is left is the reading. Prints a table and a JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import provgraph

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from e2e.commands import serving

PROGRAMS: Final = Path(sys.executable).parent
SHIPPED: Final = Path(provgraph.__file__).parent / "demo" / "documents"
QUESTION: Final = "Who discovered polonium?"


def seconds(command: Sequence[str | Path], url: str) -> float:
    begun = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "TRUSTGRAPH_URL": url})
    return time.perf_counter() - begun


def output(command: Sequence[str | Path], url: str = "") -> str:
    env = {**os.environ, "TRUSTGRAPH_URL": url}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=env).stdout


def measured(client: Path, url: str, pairs: int) -> dict[str, list[float]]:
    """Seconds of each program, in the order of the runs."""
    session = json.loads(output([PROGRAMS / "provgraph", "ask", "-u", url, "--format", "json", QUESTION]))[
        "session"
    ]
    question = session.replace(":session:", ":question:")
    theirs, ours = client / "bin" / "tg-show-explain-trace", PROGRAMS / "provgraph"
    commands: dict[str, list[str | Path]] = {
        "tg-show-explain-trace": [theirs, question],
        "tg-show-explain-trace --show-provenance": [theirs, "--show-provenance", question],
        "tg-show-explain-trace --help": [theirs, "--help"],
        "provgraph trace": [ours, "trace", "-u", url, session],
        "provgraph trace --help": [ours, "trace", "--help"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(pairs):
        for name, command in commands.items():
            times[name].append(seconds(command, url))
    return times


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--client", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=SHIPPED)
    parser.add_argument("--pairs", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        subprocess.run([PROGRAMS / "provgraph", "ingest", "--data", data, given.data], check=True)
        with serving(data) as service:
            times = measured(given.client, service.url, given.pairs)
    for name, runs in times.items():
        spread = f"{min(runs):.2f}–{max(runs):.2f}"
        print(f"{name:42} {statistics.median(runs):6.2f} s   ({spread}, {len(runs)} runs)")
    print(json.dumps({"pairs": given.pairs, "seconds": times}))


if __name__ == "__main__":
    main()
