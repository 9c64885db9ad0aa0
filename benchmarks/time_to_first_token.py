"""The time to the first word of an answer by model, over HTTP, beyond the time that the model itself takes.

    python benchmarks/time_to_first_token.py
    python benchmarks/time_to_first_token.py --questions 50 --delay 0.3 --corrective --rerank

A folder with `--passages` short documents is served, and asked `--questions` questions, one after another, of a model
that is the test suite's own server: each of its calls answers after `--delay` seconds. The calls before the first word
are made one after another, so the model's own time is their number times the delay, and what is left is ProvGraph's:
retrieval, verification, recording, and the wire. In the same run the same messages are sent straight to the model's
server, one call for each, which is what nobody can go below. Times are in milliseconds.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx2

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from e2e.commands import serving
from servers.openai_server import Answer, Asked, openai_server

CALLS = ("You find", "You judge whether", "You judge how well", "You choose", "You answer")


@dataclass(frozen=True)
class Timed:
    """Seconds from the request to the first explain message, and to the first word."""

    explain: float
    word: float


def reply(asked: Asked) -> str:
    if asked.system.startswith("You find"):
        return '{"concept": "discovered"}'
    if asked.system.startswith("You judge whether"):
        return '{"relevant": true, "reasoning": "It names who."}'
    if asked.system.startswith("You judge how well"):
        lines = re.findall(r'^\{"id": (\d+)', asked.user, re.MULTILINE)
        return "\n".join(json.dumps({"id": int(number), "score": 7}) for number in lines)
    if asked.system.startswith("You choose"):
        ids = re.findall(r'^\{"id": "(\w+)"', asked.user, re.MULTILINE)[:5]
        return "\n".join(json.dumps({"id": each, "reasoning": "It names who."}) for each in ids)
    return "Doctor Alba discovered it in Rome [1]."


def serve(delay_s: float, pipe: Connection) -> None:
    """Answer until told to stop; when asked, tell the kinds of calls since the last time, and their bodies."""
    with openai_server() as server:
        server.answer(lambda asked: Answer(reply(asked), delay_s=delay_s))
        pipe.send(server.url)
        while pipe.recv() != "stop":
            pipe.send([asked.body for asked in server.asked])
            server.forget()
            server.answer(lambda asked: Answer(reply(asked), delay_s=delay_s))


@contextmanager
def service(folder: Path, model_url: str, passages: int) -> Iterator[str]:
    """A served folder with so many documents; gives its address."""
    records = (
        {"id": str(n), "title": f"P{n}", "text": f"Doctor Alba discovered element {n} in Rome in {1700 + n}."}
        for n in range(passages)
    )
    file = folder / "passages.jsonl"
    file.write_text("\n".join(map(json.dumps, records)))
    program = [sys.executable, "-m", "provgraph"]
    own = {"PROVGRAPH_DATA": str(folder / "data"), "PROVGRAPH_EXTRACTION_PROCESSES": "0"}
    subprocess.run(
        [*program, "ingest", "--extractor", "model-free", str(file)],
        env=os.environ | own, check=True, capture_output=True,
    )  # fmt: skip
    by_model = {"OPENAI_BASE_URL": model_url, "PROVGRAPH_LLM_MODEL": "scripted"}
    with serving(folder / "data", env=own | by_model) as made:
        yield made.url


def ask(client: httpx2.Client, question: str, options: dict[str, bool]) -> Timed:
    began = time.monotonic()
    explain = word = 0.0
    body = {"query": question, **options}
    with client.stream(
        "POST", "/api/v1/graph-rag", json=body, headers={"Accept": "text/event-stream"}
    ) as told:
        for event in httpx2.EventSource(told, max_event_size=None):
            message = json.loads(event.data)
            now = time.monotonic() - began
            if message["message_type"] == "explain":
                explain = explain or now
            elif message.get("response"):
                word = word or now
    assert word, "no answer came"
    return Timed(explain, word)


def straight(client: httpx2.Client, bodies: Sequence[dict[str, Any]]) -> float:
    """Seconds to the first word where the same calls go to the model's server one by one, and nothing else is done."""
    began = time.monotonic()
    word = 0.0
    for body in bodies:
        with client.stream("POST", "chat/completions", json=body) as told:
            for line in told.iter_lines():
                if body is bodies[-1] and '"content"' in line:
                    word = word or time.monotonic() - began
    assert word, "the model said nothing"
    return word


def measured(folder: Path, given: argparse.Namespace, pipe: Connection, model_url: str) -> dict[str, Any]:
    options = {"corrective": given.corrective, "rerank": given.rerank}
    times: list[Timed] = []
    directly: list[float] = []
    calls = 0
    with (
        service(folder, model_url, given.passages) as url,
        httpx2.Client(base_url=url, timeout=120, trust_env=False) as client,
        httpx2.Client(base_url=f"{model_url}/", timeout=120, trust_env=False) as model,
    ):
        for number in range(given.questions + 1):
            timed = ask(client, f"Who discovered element {number}?", options)
            pipe.send("asked")
            bodies = pipe.recv()
            kinds = [
                next(k for k in CALLS if body["messages"][0]["content"].startswith(k)) for body in bodies
            ]
            if number:  # the first question opens the index
                calls = len(dict.fromkeys(kinds))
                times.append(timed)
                firsts = [bodies[kinds.index(kind)] for kind in dict.fromkeys(kinds)]
                directly.append(straight(model, firsts))
                pipe.send("asked")
                pipe.recv()
    return figures(times, directly, calls * given.delay) | {"calls in a row": calls, "questions": len(times)}


def figures(times: Sequence[Timed], directly: Sequence[float], model_s: float) -> dict[str, Any]:
    words = [each.word for each in times]
    beyond = [word - model_s for word in words]
    ordered = sorted(beyond)
    own = [word - direct for word, direct in zip(words, directly, strict=True)]
    return {
        "first explain message": _ms(statistics.median(each.explain for each in times)),
        "model's own time": _ms(model_s),
        "first word": _ms(statistics.median(words)),
        "beyond the model": _ms(statistics.median(beyond)),
        "beyond, 95th percentile": _ms(ordered[int(0.95 * (len(ordered) - 1))]),
        "same calls straight": _ms(statistics.median(directly)),
        "beyond those": _ms(statistics.median(own)),
        "first word / straight": round(statistics.median(words) / statistics.median(directly), 3),
    }


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--questions", type=int, default=30)
    options.add_argument("--passages", type=int, default=500)
    options.add_argument("--delay", type=float, default=0.2, help="seconds that an answer of the model takes")
    options.add_argument("--corrective", action="store_true", help="check the candidates first")
    options.add_argument("--rerank", action="store_true", help="score the candidates a second time")
    given = options.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(
        target=serve, args=(given.delay, there), daemon=True
    )
    server.start()
    with tempfile.TemporaryDirectory() as folder:
        found = measured(Path(folder), given, here, here.recv())
    here.send("stop")
    server.join()
    for name, value in found.items():
        print(f"{name:26} {value}")
    print(json.dumps({"benchmark": "time_to_first_token", **found}))


if __name__ == "__main__":
    main()
