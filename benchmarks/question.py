"""A question over a large graph: how soon it speaks, how soon it ends, and what recording its trace adds.

    python benchmarks/question.py --data DIR [--facts 100000] [--keep FOLDER]     # DIR holds multihop/

The graph is made by the real pipeline from facts that GPT-3.5 read in the passages of MuSiQue, several times
over under other names until there are enough. What recording adds is the difference to the same pipeline with a
store and a library that drop what they are given; the bare retrieval and a bare SPARQL lookup stand beside it, and
the memory of a service of the folder in a process of its own, before and after the questions.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx2
from ingest import resident_bytes
from pyoxigraph import Literal, Quad
from short_answers import served_process as served

from provgraph.assembly import Assembly, assemble
from provgraph.client.private_service import private_service
from provgraph.documents.library import Library
from provgraph.extraction.extractors import ChosenExtractors
from provgraph.extraction.facts import Entity, Fact, Passage
from provgraph.extraction.workers import ExtractionWorkers
from provgraph.flows.graph_rag.flow import GraphQuestion
from provgraph.flows.runner.events import Explained, TextAdded
from provgraph.flows.runner.runner import Runner
from provgraph.ingestion.events import DocumentStored
from provgraph.ingestion.planning import SourceFile
from provgraph.ports.retriever import RetrievalRequest
from provgraph.rdf.graphs import DEFAULT_COLLECTION, knowledge_graph, retrieval_graph
from provgraph.rdf.vocabulary import RDFS
from provgraph.settings import Settings

_LOOKUP = f"SELECT ?p ?o WHERE {{ GRAPH {knowledge_graph()} {{ ?s {RDFS.label} ?label ; ?p ?o }} }}"
Triples = Sequence[Sequence[str]]


class RecordedExtractor:
    """Gives the facts that a model once read in a document, in the chunk whose text names their subject."""

    name = "recorded"
    version = "1"

    def __init__(self, facts: Mapping[str, Triples]) -> None:
        self._facts = facts

    def extract(self, passage: Passage) -> Sequence[Fact]:
        copy = passage.title.rpartition(" ")[2]
        return [
            Fact(Entity(f"{subject} {copy}"), relation, Entity(f"{thing} {copy}"), 0.8, *span)
            for subject, relation, thing in self._facts[passage.title]
            if (span := _sentence_of(subject, passage))
        ]


def _sentence_of(subject: str, passage: Passage) -> tuple[int, int] | None:
    at = passage.text.find(subject)
    if at < 0:
        if passage.own_start:
            return None
        at = 0
    start = passage.text.rfind(". ", 0, at) + 2 if ". " in passage.text[:at] else 0
    end = passage.text.find(". ", at)
    return start, end + 1 if end >= 0 else len(passage.text)


class Forgetful:
    """A store, or the contents of a library, that reads as ever and drops what it is given."""

    def __init__(self, kept: Any) -> None:
        self._kept = kept

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kept, name)

    async def add(self, quads: Sequence[Quad]) -> None:
        pass

    async def put(self, contents: Mapping[str, bytes]) -> None:
        pass


@dataclass(frozen=True)
class Timing:
    """Milliseconds from the question to its first explain message, its first word, and its end.

    `cpu` is the processor time of all threads, to be compared where other work shares the machine.
    """

    first: float
    word: float
    end: float
    cpu: float


async def fill(folder: Path, data: Path, wanted: int) -> int:
    """Ingest passages until so many facts are stored; how many there are."""
    passages = json.loads((data / "multihop/openie_musique_train_gpt35.json").read_text())["docs"]
    facts: dict[str, Triples] = {}
    lines, count, copy = list[str](), 0, 0
    while count < wanted:
        for index, passage in enumerate(passages):
            title = f"{passage['title']} {index} {copy}"
            facts[title] = [triple for triple in passage["extracted_triples"] if _is_fact(triple)]
            lines.append(json.dumps({"id": title, "title": title, "text": passage["text"]}))
            count += len(facts[title])
            if count >= wanted:
                break
        copy += 1
    assembly = assemble(Settings(), folder)
    file = SourceFile("passages.jsonl", "\n".join(lines).encode())
    ingestion = replace(assembly.ingestion, workers=ExtractionWorkers(0))
    events = ingestion.ingest([file], DEFAULT_COLLECTION, ChosenExtractors((RecordedExtractor(facts),)))
    stored = sum([event.fact_count async for event in events if isinstance(event, DocumentStored)])
    await _close(assembly)
    return stored


def _is_fact(triple: Sequence[str]) -> bool:
    return len(triple) == 3 and all(isinstance(part, str) and part.strip() for part in triple)


async def in_process(folder: Path, questions: Sequence[str]) -> dict[str, list[float]]:
    """Milliseconds of each question: traced, without a trace, retrieval alone, and one lookup alone."""
    assembly = assemble(Settings(), folder)
    library = Library(Forgetful(None))
    traced = assembly.flows.graph_rag
    services = replace(traced.services, store=Forgetful(assembly.store), library=library)
    untraced = replace(traced, services=services)
    times: dict[str, list[float]] = {}
    before = await _trace_quads(assembly)
    for question in [*questions[:5], *questions]:
        for name, timing in (
            ("traced", await _answered(traced, question)),
            ("untraced", await _answered(untraced, question)),
        ):
            for part, milliseconds in asdict(timing).items():
                times.setdefault(f"{name} {part}", []).append(milliseconds)
        times.setdefault("retrieval", []).append(await _retrieved(assembly, question))
        times.setdefault("lookup", []).append(await _looked_up(assembly, "Journal of Mathematical Physics 0"))
    times["quads a trace"] = [(await _trace_quads(assembly) - before) / (len(questions) + 5)]
    await _close(assembly)
    return {name: values[5:] or values for name, values in times.items()}


async def _answered(service: Runner[GraphQuestion], question: str) -> Timing:
    started, cpu = time.perf_counter(), time.process_time()
    first = word = 0.0
    async for event in service.answer(GraphQuestion(question)):
        if isinstance(event, Explained):
            first = first or _since(started)
        elif isinstance(event, TextAdded):
            word = word or _since(started)
    return Timing(first, word, _since(started), 1000 * (time.process_time() - cpu))


async def _retrieved(assembly: Assembly, question: str) -> float:
    started = time.perf_counter()
    await assembly.retriever.retrieve(RetrievalRequest(question, chunks=0))
    return _since(started)


async def _looked_up(assembly: Assembly, label: str) -> float:
    started = time.perf_counter()
    await assembly.store.select(_LOOKUP.replace("?label", str(Literal(label))))
    return _since(started)


def over_http(folder: Path, questions: Sequence[str]) -> dict[str, list[float]]:
    """Milliseconds of each question as a stream of server-sent events on a local socket."""
    with (
        private_service(Settings(), folder) as transport,
        httpx2.Client(transport=transport, base_url="http://localhost", timeout=60) as client,
    ):
        timings = [_streamed(client, question) for question in [*questions[:5], *questions]][5:]
    return {f"http {part}": [asdict(each)[part] for each in timings] for part in asdict(timings[0])}


def _streamed(client: httpx2.Client, question: str) -> Timing:
    started, cpu = time.perf_counter(), time.process_time()
    first = word = 0.0
    headers = {"Accept": "text/event-stream"}
    with client.stream("POST", "/api/v1/graph-rag", json={"query": question}, headers=headers) as response:
        for event in httpx2.EventSource(response, max_event_size=None):
            first = first or _since(started)
            word = word or (_since(started) if event.event == "chunk" else 0.0)
    return Timing(first, word, _since(started), 1000 * (time.process_time() - cpu))


def memory(folder: Path, questions: Sequence[str]) -> dict[str, float]:
    """Megabytes of a service of the folder: as it starts, after the first question, and after all of them."""
    with served(folder) as (client, process):
        figures = {"served": resident_bytes(process) / 1e6}
        for number, question in enumerate(questions, 1):
            client.post("/api/v1/graph-rag", json={"query": question})
            if number in (1, len(questions)):
                figures[f"served, {number} questions"] = resident_bytes(process) / 1e6
    return figures


def _since(started: float) -> float:
    return 1000 * (time.perf_counter() - started)


async def _trace_quads(assembly: Assembly) -> int:
    query = f"SELECT (COUNT(*) AS ?n) WHERE {{ GRAPH {retrieval_graph()} {{ ?s ?p ?o }} }}"
    (row,) = await assembly.store.select(query)
    return int(str(getattr(row["n"], "value", 0)))


async def _close(assembly: Assembly) -> None:
    assembly.ingestion.workers.close()
    await assembly.indexes.own.close()
    await assembly.store.close()


def _p95(values: Sequence[float]) -> float:
    return quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--keep", type=Path, help="A folder for the graph; one that is there is used again.")
    arguments = parser.parse_args()
    asked = json.loads((arguments.data / "multihop/musique_train.json").read_text())
    questions = [each["question"] for each in asked[: arguments.questions]]
    with nullcontext(str(arguments.keep)) if arguments.keep else tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        facts = (
            0
            if folder.exists() and any(folder.iterdir())
            else asyncio.run(fill(folder, arguments.data, arguments.facts))
        )
        times = {**asyncio.run(in_process(folder, questions)), **over_http(folder, questions)}
        served = memory(folder, questions)
    for part in ("end", "cpu"):
        pairs = zip(times[f"traced {part}"], times[f"untraced {part}"], strict=True)
        times[f"recording {part}"] = [traced - untraced for traced, untraced in pairs]
    figures = {name: (median(values), _p95(values)) for name, values in times.items()}
    print(f"{facts or 'kept'} facts, {len(questions)} questions{'':6}   median      p95   × retrieval")
    for name, (middle, high) in figures.items():
        print(f"{name:32} {middle:8.1f} {high:8.1f} {middle / figures['retrieval'][0]:10.2f}")
    for name, megabytes in served.items():
        print(f"{name:32} {megabytes:8.0f} MB")
    print(json.dumps({"benchmark": "question", "facts": facts, "ms": figures, "mb": served}))


if __name__ == "__main__":
    main()
