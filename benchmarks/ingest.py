"""Ingest, end to end, beside the fastest that the same work could be done in the same run.

    python benchmarks/ingest.py --data DIR [--runs N] [--only WORDS] [--kinds]    # DIR holds pdf/ and multihop/

The limit is what nobody who keeps these facts can go below: the text of the files by PyMuPDF or `json` alone,
and then the very quads that the ingest writes, made beforehand and written raw in the same transactions. Ingest
and limit take turns, and each figure is the median. The command is `provgraph ingest` as a process of its own.
Where other work shares the machine, compare processor time (`cpu`, of all threads and processes). Weight is told in
quads a fact (`--kinds`: of each predicate in each graph), in bytes of the store for a byte of the text of all pages (as
the ingest leaves it, and once more after `provgraph compact`), and as the most memory of the command with all its
processes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median

from ingest_limit import Corpus, NoRetriever, Seconds, limit, quads_by_part, transactions_of
from pyoxigraph import NamedNode, Quad

from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.assembly import assemble
from provgraph.ingestion.events import DocumentStored
from provgraph.ingestion.planning import SourceFile
from provgraph.ports.quad_store import QuadPattern
from provgraph.ports.retriever import Retriever
from provgraph.rdf.graphs import DEFAULT_COLLECTION, collection_graphs
from provgraph.rdf.terms import named
from provgraph.rdf.vocabulary import RDF, TG
from provgraph.settings import Settings

_BOOK = "DA-619p.pdf"
_PASSAGES = "multihop/musique_train_corpus.json"


@dataclass(frozen=True)
class Stored:
    """What an ingest told of the documents it stored; `text_bytes` are those of all pages."""

    documents: int
    pages: int
    chunks: int
    facts: int
    text_bytes: int


@dataclass(frozen=True)
class Figures:
    """Seconds, rates per second, and what one fact (a statement read once) costs in quads and bytes."""

    corpus: str
    documents: int
    pages: int
    chunks: int
    facts: int
    text_bytes: int
    ingest_s: float
    ingest_cpu_s: float
    index_s: float
    command_s: float
    command_cpu_s: float
    limit_s: float
    limit_cpu_s: float
    share_of_limit: float
    share_of_limit_cpu: float
    ms_a_document: float
    ms_cpu_a_document: float
    pages_a_s: float
    facts_a_s: float
    quads_a_fact: float
    contained_a_fact: float
    chain_a_fact: float
    quotations_a_fact: float
    store_bytes_a_fact: float
    compact_store_bytes_a_fact: float
    library_bytes_a_fact: float
    index_bytes_a_fact: float
    store_bytes_a_byte: float
    compact_store_bytes_a_byte: float
    command_peak_mb: float


class TimedRetriever(NoRetriever):
    """Follows as another does, and adds up how long that takes; it goes on beside the rest of the ingest."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever
        self.seconds = 0.0

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None:
        started = time.perf_counter()
        await self._retriever.follow(collection, documents)
        self.seconds += time.perf_counter() - started


@dataclass(frozen=True)
class Run:
    """One turn of each."""

    ingest: Seconds
    index_s: float
    command: Seconds
    peak_mb: float
    limit: Seconds


def corpora(data: Path) -> Iterable[Corpus]:
    """The 619 pages, the other PDFs, and 200 and all passages of MuSiQue as JSONL."""
    pdfs = [SourceFile(path.name, path.read_bytes()) for path in sorted((data / "pdf").glob("*.pdf"))]
    yield Corpus("619 pages", [file for file in pdfs if file.name == _BOOK])
    yield Corpus("other PDFs", [file for file in pdfs if file.name != _BOOK])
    passages = json.loads((data / _PASSAGES).read_text())
    for count in (200, len(passages)):
        lines = [json.dumps({"title": each["title"], "text": each["text"]}) for each in passages[:count]]
        yield Corpus(f"{count} passages", [SourceFile("passages.jsonl", "\n".join(lines).encode())])


def measure(corpus: Corpus, runs: int, kinds: bool) -> Figures:
    transactions = asyncio.run(transactions_of(corpus))
    done = list[Run]()
    stored, sizes = Stored(0, 0, 0, 0, 0), dict[str, int]()
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            ingest, index_s, stored = asyncio.run(_ingest(corpus, Path(folder)))
            sizes = _sizes(Path(folder))
        command, peak_mb = _command(corpus)
        done.append(Run(ingest, index_s, command, peak_mb, limit(corpus, transactions)))
    if kinds:
        _print_kinds(transactions, stored.facts)
    return _figures(corpus, done, stored, sizes, quads_by_part(transactions))


def _figures(
    corpus: Corpus, runs: Sequence[Run], stored: Stored, sizes: Mapping[str, int], quads: Mapping[str, int]
) -> Figures:
    def middle(value: Callable[[Run], float]) -> float:
        return median(map(value, runs))

    ingest_s, facts = middle(lambda run: run.ingest.wall), max(stored.facts, 1)
    return Figures(
        corpus=corpus.name,
        **asdict(stored),
        ingest_s=ingest_s,
        ingest_cpu_s=middle(lambda run: run.ingest.cpu),
        index_s=middle(lambda run: run.index_s),
        command_s=middle(lambda run: run.command.wall),
        command_cpu_s=middle(lambda run: run.command.cpu),
        limit_s=middle(lambda run: run.limit.wall),
        limit_cpu_s=middle(lambda run: run.limit.cpu),
        share_of_limit=middle(lambda run: run.limit.wall / run.ingest.wall),
        share_of_limit_cpu=middle(lambda run: run.limit.cpu / run.ingest.cpu),
        ms_a_document=1000 * ingest_s / stored.documents,
        ms_cpu_a_document=1000 * middle(lambda run: run.ingest.cpu) / stored.documents,
        pages_a_s=stored.pages / ingest_s,
        facts_a_s=stored.facts / ingest_s,
        quads_a_fact=sum(quads.values()) / facts,
        contained_a_fact=quads["contained"] / facts,
        chain_a_fact=quads["chain"] / facts,
        quotations_a_fact=quads["quotation"] / facts,
        **{f"{part}_bytes_a_fact": size / facts for part, size in sizes.items()},
        store_bytes_a_byte=sizes["store"] / stored.text_bytes,
        compact_store_bytes_a_byte=sizes["compact_store"] / stored.text_bytes,
        command_peak_mb=middle(lambda run: run.peak_mb),
    )


async def _ingest(corpus: Corpus, folder: Path) -> tuple[Seconds, float, Stored]:
    """From the first byte read to everything closed: store, library and indexes."""
    assembly = assemble(Settings(), folder)
    retriever = TimedRetriever(assembly.retriever)
    started = Seconds.now()
    events = replace(assembly.ingestion, retriever=retriever).ingest(corpus.files, DEFAULT_COLLECTION)
    documents = [event async for event in events if isinstance(event, DocumentStored)]
    pages = await assembly.store.match(
        [QuadPattern(None, RDF.type, TG.Page, collection_graphs(DEFAULT_COLLECTION).source)]
    )
    texts = [await assembly.library.text(DEFAULT_COLLECTION, named(quad.subject)) for quad in pages[0]]
    assembly.ingestion.workers.close()
    await assembly.indexes.own.close()
    await assembly.store.close()
    return (
        Seconds.now().since(started),
        retriever.seconds,
        Stored(
            documents=len(documents),
            pages=sum(document.page_count for document in documents),
            chunks=sum(document.chunk_count for document in documents),
            facts=sum(document.fact_count for document in documents),
            text_bytes=sum(len(text.encode()) for text in texts),
        ),
    )


def _command(corpus: Corpus) -> tuple[Seconds, float]:
    """How long `provgraph ingest` takes, and the most memory in MB that it has."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "files"
        source.mkdir()
        for file in corpus.files:
            (source / file.name).write_bytes(file.content)
        data = str(Path(folder) / "data")
        command = [sys.executable, "-m", "provgraph", "ingest", "--data", data, str(source)]
        started = Seconds.now()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        peak = 0
        while process.poll() is None:
            peak = max(peak, resident_bytes(process.pid))
            time.sleep(0.1)
        return Seconds.now().since(started), peak / 1e6


def resident_bytes(process: int) -> int:
    """What a process and all below it have in memory (Linux's proc(5)); 0 for one that has ended."""
    folder = Path(f"/proc/{process}")
    try:
        pages = int((folder / "statm").read_text().split()[1])
        children = (folder / "task" / str(process) / "children").read_text().split()
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(map(resident_bytes, map(int, children)))


def _print_kinds(transactions: Iterable[Iterable[Quad]], facts: int) -> None:
    quads = {quad for transaction in transactions for quad in transaction}
    kinds = Counter((str(quad.graph_name), str(quad.predicate)) for quad in quads)
    for (graph, predicate), count in kinds.most_common(40):
        print(f"{count:8} {count / facts:6.2f} a fact  {graph} {predicate}")


def _sizes(folder: Path) -> dict[str, int]:
    """Bytes on disk; the store as the ingest left it, and once more as `provgraph compact` writes it."""
    sizes = {part: _size(folder / part) for part in ("store", "library", "index")}
    asyncio.run(_compact(folder / "store"))
    return {**sizes, "compact_store": _size(folder / "store")}


async def _compact(folder: Path) -> None:
    store = OxigraphQuadStore(folder)
    await store.rewrite()
    await store.close()


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def print_table(measured: Sequence[Figures]) -> None:
    for name in asdict(measured[0]):
        values = [getattr(figures, name) for figures in measured]
        cells = [f"{value:14.2f}" if isinstance(value, float) else f"{value:>14}" for value in values]
        print(f"{name.replace('_', ' '):28}" + "".join(cells))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="", help="Corpora whose name holds this.")
    parser.add_argument("--kinds", action="store_true", help="Print how many quads each predicate has.")
    arguments = parser.parse_args()
    chosen = (corpus for corpus in corpora(arguments.data) if arguments.only in corpus.name)
    measured = [measure(corpus, arguments.runs, arguments.kinds) for corpus in chosen]
    print_table(measured)
    print(json.dumps({"benchmark": "ingest", "corpora": [asdict(figures) for figures in measured]}))


if __name__ == "__main__":
    main()
