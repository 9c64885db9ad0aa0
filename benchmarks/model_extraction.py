"""Extraction by model: calls per second against a server that answers in 500 ms, and the replay of recorded answers.

    python benchmarks/model_extraction.py
    python benchmarks/model_extraction.py --data openie_musique_train_gpt35.json --kill

Without `--data`, 480 passages are ingested with 16 calls in flight against a server, in a process of its own, that
answers each after 500 ms; the ideal is 32 calls a second. With it, the passages of a file of OpenIE results (`docs`
with `title`, `text` and `extracted_triples`) are ingested, and the server answers with the recorded triples. `--kill`
kills the ingest with SIGKILL half-way, runs it again, and counts chunks that were lost, doubled or paid twice.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from servers.openai_server import Answer, Asked, openai_server

TITLE = re.compile(r"^Document: (.*)$", re.MULTILINE)
TEXT = re.compile(r"<text>\n(.*)\n</text>", re.DOTALL)


@dataclass(frozen=True)
class Load:
    """Passages to ingest, the recorded facts of each title, and how long an answer takes."""

    records: Sequence[dict[str, str]]
    facts: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    delay_s: float = 0.5
    parallel: int = 16


def synthetic(passages: int) -> Load:
    texts = [
        f"Passage {number} tells of one thing. Doctor Alba discovered element {number} in 1898."
        for number in range(passages)
    ]
    return Load(
        [{"id": str(number), "title": f"P{number}", "text": text} for number, text in enumerate(texts)]
    )


def recorded(path: Path, delay_s: float) -> Load:
    """Passages with the triples that a model once extracted; the sentence that says most of a triple is its quote."""
    docs = json.loads(path.read_text())["docs"]
    records = [
        {"id": str(number), "title": f"{number} {doc['title']}", "text": doc["text"]}
        for number, doc in enumerate(docs)
    ]
    facts = {
        record["title"]: list(quoted(doc["text"], doc["extracted_triples"]))
        for record, doc in zip(records, docs, strict=True)
    }
    return Load(records, facts, delay_s)


def quoted(text: str, triples: Sequence[Sequence[str]]) -> Iterator[dict[str, str]]:
    sentences = re.split(r"(?<=[.!?])\s+", text)
    for triple in triples:
        if len(triple) == 3:
            words = set(re.findall(r"\w+", " ".join(triple).casefold()))
            quote = max(sentences, key=lambda each: len(words & set(re.findall(r"\w+", each.casefold()))))
            yield dict(zip(("subject", "relation", "object"), triple, strict=True)) | {"quote": quote}


def serve(load: Load, pipe: Connection) -> None:
    """Answer until told to stop; then tell how often each text was answered, and for how many the client stayed."""
    asked: Counter[tuple[str, str]] = Counter()

    def answer(request: Asked) -> Answer:
        title, text = TITLE.search(request.user), TEXT.search(request.user)
        assert title
        assert text
        asked[title[1], text[1]] += 1
        return Answer(json.dumps({"facts": load.facts.get(title[1], [])}), delay_s=load.delay_s)

    with openai_server() as server:
        server.answer(answer)
        pipe.send(server.url)
        while pipe.recv() != "stop":
            pipe.send((len(asked), sum(asked.values()), server.most_at_once))


@dataclass
class Run:
    """A folder, a file of passages, and the server that the ingest talks to."""

    load: Load
    folder: Path
    pipe: Connection

    def __post_init__(self) -> None:
        self._url = self.pipe.recv()
        self._file = self.folder / "passages.jsonl"
        self._file.write_text("\n".join(json.dumps(record) for record in self.load.records))

    def command(self, *words: str) -> subprocess.Popen[str]:
        settings = {
            "OPENAI_BASE_URL": self._url,
            "PROVGRAPH_LLM_MODEL": "recorded",
            "PROVGRAPH_LLM_PARALLEL": str(self.load.parallel),
            "PROVGRAPH_DATA": str(self.folder / "data"),
        }
        command = [sys.executable, "-m", "provgraph", *words]
        return subprocess.Popen(command, env=os.environ | settings, stdout=subprocess.PIPE, text=True)

    def ingest(self) -> subprocess.Popen[str]:
        return self.command("ingest", "--extractor", "agent", "--format", "json", str(self._file))

    def asked(self) -> tuple[int, int, int]:
        """Different passages asked for, requests in all, and the most at once."""
        self.pipe.send("count")
        found: tuple[int, int, int] = self.pipe.recv()
        return found


def throughput(run: Run) -> dict[str, Any]:
    """Calls per second from the first request to the last answer, beside the ideal."""
    process = run.ingest()
    while not run.asked()[1]:
        time.sleep(0.005)
    began = time.monotonic()
    while run.asked()[1] < len(run.load.records):
        time.sleep(0.005)
    seconds = time.monotonic() - began + run.load.delay_s
    process.communicate()
    ideal = run.load.parallel / run.load.delay_s
    rate = len(run.load.records) / seconds
    return {
        "calls": run.asked()[1],
        "calls/s": round(rate, 2),
        "ideal": ideal,
        "share": round(rate / ideal, 3),
    }


def replay(run: Run, kill: bool) -> dict[str, Any]:
    """Ingest everything, perhaps killed half-way; then what the server was asked and what the store holds."""
    began = time.monotonic()
    process, in_flight = run.ingest(), 0
    if kill:
        while run.asked()[1] < len(run.load.records) // 2:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        in_flight = run.load.parallel
        process = run.ingest()
    (job,) = json.loads(process.communicate()[0])
    seconds = time.monotonic() - began
    passages, requests, _ = run.asked()
    checked = run.command("check", "--all", "--format", "json")
    report = json.loads(checked.communicate()[0])
    return {
        "seconds": round(seconds, 1),
        "passages": len(run.load.records),
        "chunks": sum(document["chunks"] for document in job["documents"]),
        "asked for": passages,
        "paid again": requests - passages,
        "in flight at the kill": in_flight,
        "failed": len(job["failed"]),
        "dropped": job["model"]["dropped"],
        "subgraphs": stored(run, "SELECT (COUNT(?g) AS ?n) { ?g a tg:Subgraph }"),
        "facts": stored(run, "SELECT (COUNT(*) AS ?n) { GRAPH <urn:graph:knowledge> { ?s ?p ?o } }"),
        "check": "clean" if checked.returncode == 0 else report,
    }


def stored(run: Run, query: str) -> int:
    answer = json.loads(run.command("sparql", "--format", "json", query).communicate()[0])
    return int(answer["results"]["bindings"][0]["n"]["value"])


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--data", type=Path, help="a file of OpenIE results to replay")
    options.add_argument("--kill", action="store_true", help="kill the replay half-way and run it again")
    options.add_argument("--passages", type=int, default=480)
    options.add_argument("--delay", type=float, default=0.5, help="seconds that an answer takes")
    given = options.parse_args()
    load = recorded(given.data, given.delay) if given.data else synthetic(given.passages)
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(load, there), daemon=True)
    server.start()
    with tempfile.TemporaryDirectory() as folder:
        run = Run(load, Path(folder), here)
        measured = replay(run, given.kill) if given.data else throughput(run)
    here.send("stop")
    server.join()
    for name, value in measured.items():
        print(f"{name:24} {value}")
    print(json.dumps({"benchmark": "model_extraction", **measured}))


if __name__ == "__main__":
    main()
