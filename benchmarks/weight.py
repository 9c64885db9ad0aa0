"""What is kept of a fact and of a question, by kind, and what a question reads.

    python benchmarks/weight.py --data DIR [--set hotpotqa] [--passages 300] [--questions 30] [--keep FOLDER]

DIR holds multihop/. Of the store: statements of each predicate in each graph for one fact, or for one trace, and the
bytes on disk as the ingest leaves them and as `provgraph compact` does. Of a question: what it asks the store and the
keyword indexes, counted, how often it retrieves, how often the very same, and the processor time at the median.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from multihop import as_jsonl, read_dataset
from pyoxigraph import Store

from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.assembly import Assembly, assemble
from provgraph.flows.graph_rag.flow import GraphQuestion
from provgraph.ingestion.events import DocumentStored
from provgraph.ingestion.planning import SourceFile
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.retrieval import keyword_index
from provgraph.retrieval.keyword_index import KeywordIndex
from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.settings import Settings

READS = ("match", "contains", "select", "transact")


@dataclass
class Counted:
    """What one question did: calls by name, its retrievals, and milliseconds of processor time."""

    calls: Counter[str] = field(default_factory=Counter)
    retrievals: list[Any] = field(default_factory=list)
    cpu_ms: float = 0.0


@contextmanager
def counting(counted: Counted) -> Iterator[None]:
    """Within it, calls of the store, of the keyword indexes and of the retriever are counted."""
    kept = []

    def watch(kind: Any, name: str, note: Callable[..., None]) -> None:
        plain = getattr(kind, name)
        kept.append((kind, name, plain))

        def watched(*given: Any, **more: Any) -> Any:
            note(*given, **more)
            return plain(*given, **more)

        setattr(kind, name, watched)

    for name in READS:
        watch(OxigraphQuadStore, name, lambda *_, name=name, **__: counted.calls.update([f"store {name}"]))
    watch(KeywordIndex, "_counted", lambda *_: counted.calls.update(["index counts"]))
    watch(keyword_index, "_found", lambda *_: counted.calls.update(["index searches"]))
    watch(GraphRetriever, "retrieve", lambda _, request: counted.retrievals.append(request))
    try:
        yield
    finally:
        for kind, name, plain in kept:
            setattr(kind, name, plain)


async def fill(folder: Path, lines: bytes) -> int:
    """Ingest; how many facts there are."""
    assembly = assemble(Settings(), folder)
    events = assembly.ingestion.ingest([SourceFile("passages.jsonl", lines)], DEFAULT_COLLECTION)
    facts = sum([event.fact_count async for event in events if isinstance(event, DocumentStored)])
    await _close(assembly)
    return facts


async def ask(folder: Path, questions: Sequence[str]) -> tuple[list[Counted], list[str]]:
    """What each question did, and its answer."""
    assembly = assemble(Settings(), folder)
    runner = assembly.flows.graph_rag
    asked, answers = [], []
    async for _ in runner.answer(GraphQuestion(questions[0])):
        pass  # loads what is loaded once
    for question in questions:
        counted, begun = Counted(), time.process_time()
        with counting(counted):
            said = [str(getattr(event, "text", "")) async for event in runner.answer(GraphQuestion(question))]
        counted.cpu_ms = 1000 * (time.process_time() - begun)
        asked.append(counted)
        answers.append("".join(said))
    await _close(assembly)
    return asked, answers


async def _close(assembly: Assembly) -> None:
    assembly.ingestion.workers.close()
    await assembly.indexes.own.close()
    await assembly.store.close()


def kinds(folder: Path) -> Counter[tuple[str, str]]:
    """Statements by graph and predicate."""
    store = Store.read_only(str(folder / "store"))
    return Counter((quad.graph_name.value, quad.predicate.value) for quad in store)


def sizes(folder: Path) -> dict[str, int]:
    """Bytes of the store as it is, and once it was written anew."""

    async def rewrite() -> None:
        store = OxigraphQuadStore(folder / "store")
        await store.rewrite()
        await store.close()

    before = _size(folder / "store")
    asyncio.run(rewrite())
    return {"as ingested": before, "compacted": _size(folder / "store")}


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def print_kinds(title: str, counts: Counter[tuple[str, str]], of: int) -> None:
    print(f"\n{title}: {sum(counts.values()) / max(of, 1):.1f} statements, of {of}")
    for (graph, predicate), count in counts.most_common(45):
        print(f"{count / max(of, 1):8.2f}  {graph.rpartition(':')[2]:10} {predicate}")


def print_questions(asked: Sequence[Counted]) -> dict[str, float]:
    figures: dict[str, float] = {"processor ms": median(each.cpu_ms for each in asked)}
    for name in sorted({name for each in asked for name in each.calls}):
        figures[name] = median(each.calls[name] for each in asked)
    figures["retrievals"] = median(len(each.retrievals) for each in asked)
    figures["retrievals of the same words"] = median(
        len(each.retrievals) - len({request.question for request in each.retrievals}) for each in asked
    )
    print(f"\na question, median of {len(asked)}")
    for name, value in figures.items():
        print(f"{value:10.1f}  {name}")
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", default="hotpotqa")
    parser.add_argument("--passages", type=int, default=300)
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument(
        "--keep", type=Path, help="A folder for the store; one that is there is asked as it is."
    )
    parser.add_argument("--answers", type=Path, help="A file for the answers, to compare two versions.")
    arguments = parser.parse_args()
    dataset = read_dataset(arguments.set, arguments.data / "multihop")
    lines = as_jsonl(dataset.passages[: arguments.passages])
    questions = [each.text for each in dataset.questions[: arguments.questions]]
    with nullcontext(str(arguments.keep)) if arguments.keep else TemporaryDirectory() as name:
        folder, facts = Path(name), 0
        if not (folder / "store").exists():
            facts = asyncio.run(fill(folder, lines))
            text = sum(len(passage.text.encode()) for passage in dataset.passages[: arguments.passages])
            for state, size in sizes(folder).items():
                print(f"store, {state}: {size} bytes, {size / text:.1f} for a byte of text")
        before = kinds(folder)
        if facts:
            print_kinds("a fact", before, facts)
        asked, answers = asyncio.run(ask(folder, questions))
        print_kinds("a trace", kinds(folder) - before, len(questions) + 1)
        figures = print_questions(asked)
    if arguments.answers:
        arguments.answers.write_text(json.dumps(answers, indent=1))
    print(json.dumps({"benchmark": "weight", "facts": facts, "question": figures}))


if __name__ == "__main__":
    main()
