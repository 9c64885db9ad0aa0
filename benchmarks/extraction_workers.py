"""Extraction apart: chunks a second with 1, 2 and 4 workers, against a model that answers in 500 ms.

    python benchmarks/extraction_workers.py

For each number of workers a gateway, so many `provgraph serve extraction`, an Oxigraph server and a NATS server start
afresh; 240 passages are sent as one file, and the time runs until their job is done. Each worker has 4 calls in flight,
so the ideal is 8 chunks a second for each. `--parallel`, `--passages` and `--workers` change that; the model is a
process of its own.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from crash.client import PatientClient
from crash.corpus import Sent, townsfolk
from crash.deployment import deployed
from servers.openai_server import openai_server

DELAY_S = 0.5
PATIENCE_S = 900


def passages(count: int) -> Sent:
    lines = [
        json.dumps(
            {"id": f"urn:p:{number}", "text": f"Person{number} founded Town{number} in 1900. It grew."}
        )
        for number in range(count)
    ]
    return Sent("passages.jsonl", "\n".join(lines).encode())


def model(told: Connection) -> None:
    with openai_server() as server:
        server.answer(townsfolk(DELAY_S))
        told.send(server.url)
        told.recv()


def measured(workers: int, given: argparse.Namespace, url: str) -> dict[str, Any]:
    settings = {
        "OPENAI_BASE_URL": url,
        "PROVGRAPH_LLM_MODEL": "tiny",
        "PROVGRAPH_LLM_PARALLEL": str(given.parallel),
    }
    with tempfile.TemporaryDirectory() as folder, deployed(Path(folder), workers, **settings) as deployment:
        client = PatientClient(deployment.gateway.url, time.monotonic() + PATIENCE_S)
        begun = time.monotonic()
        (job,) = client.send([passages(given.passages)])
        state = client.ended(job)
        seconds = time.monotonic() - begun
    assert state["state"] == "done", state
    calls = state["model"]["calls"]
    return {
        "workers": workers,
        "calls": calls,
        "seconds": round(seconds, 1),
        "a_second": round(calls / seconds, 1),
        "ideal": workers * given.parallel / DELAY_S,
        "facts": sum(document["facts"] for document in state["documents"]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, default=240)
    parser.add_argument("--parallel", type=int, default=4)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    given = parser.parse_args()
    here, there = multiprocessing.Pipe()
    serving = multiprocessing.get_context("spawn").Process(target=model, args=(there,), daemon=True)
    serving.start()
    url = here.recv()
    rows = [measured(workers, given, url) for workers in given.workers]
    serving.kill()
    print(f"{'workers':>8}{'calls':>8}{'seconds':>9}{'a second':>10}{'ideal':>8}{'share':>8}")
    for row in rows:
        share = row["a_second"] / row["ideal"]
        print(
            f"{row['workers']:>8}{row['calls']:>8}{row['seconds']:>9}{row['a_second']:>10}{row['ideal']:>8.0f}{share:>8.0%}"
        )
    load = round(os.getloadavg()[0], 1)
    print(
        json.dumps({"benchmark": "extraction_workers", "cores": os.cpu_count(), "load": load, "rows": rows})
    )


if __name__ == "__main__":
    main()
