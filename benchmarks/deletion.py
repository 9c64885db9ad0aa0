"""What it costs to delete a document, and to change one paragraph of it, against the size of the store.

    python benchmarks/deletion.py [--documents 10 100 1000] [--runs N]

Documents are made here: paragraphs of sentences that rules read, with names of their own and some that all share. The
service is the assembled one over a folder; each figure is the median of as many documents as `--runs`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from provgraph.assembly import Assembly, assemble
from provgraph.ingestion.events import DocumentStored
from provgraph.ingestion.planning import SourceFile
from provgraph.ingestion.removal.deletion import DeletionRequest
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.iris import given_iri
from provgraph.rdf.vocabulary import TG
from provgraph.settings import Settings

_PARAGRAPHS = 8
_SENTENCES = 6
_SHARED = ("Rome", "Paris", "Oslo", "Vienna", "Lisbon")


@dataclass(frozen=True)
class Figures:
    """Milliseconds for one document, its index and library included; facts and chunks are of the median document."""

    documents: int
    facts_removed: int
    chunks_kept: int
    chunks_changed: int
    delete_ms: float
    dry_run_ms: float
    update_ms: float
    first_ingest_ms: float


def text(number: int, changed: bool = False) -> str:
    chance = random.Random(number)
    paragraphs = [
        " ".join(
            f"Person{number}x{paragraph}x{sentence} visited {chance.choice(_SHARED)} in 1{chance.randint(100, 899)}."
            for sentence in range(_SENTENCES)
        )
        for paragraph in range(_PARAGRAPHS)
    ]
    if changed:
        paragraphs[_PARAGRAPHS // 2] = f"Person{number} discovered something else in 1900."
    return "\n\n".join(paragraphs)


def file(number: int, changed: bool = False) -> SourceFile:
    return SourceFile(
        "document.txt", text(number, changed).encode(), "text/plain", f"Document {number}", f"d{number}"
    )


async def measure(size: int, runs: int) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        assembly = assemble(Settings(extraction_processes=0), Path(folder))
        try:
            await ingest(assembly, [file(number) for number in range(size)])
            return await measured(assembly, size, runs)
        finally:
            assembly.ingestion.workers.close()
            await assembly.indexes.own.close()
            await assembly.store.close()


async def measured(assembly: Assembly, size: int, runs: int) -> Figures:
    chosen = random.Random(size).sample(range(size), min(runs, size))
    times: dict[str, list[float]] = {name: [] for name in ("delete", "dry_run", "update", "first")}
    facts, kept, changed = [], [], []
    for number in chosen:
        started = time.perf_counter()
        (revised,) = await ingest(assembly, [file(number, changed=True)])
        times["update"].append(time.perf_counter() - started)
        assert revised.changes
        kept.append(revised.changes.kept)
        changed.append(revised.changes.changed + revised.changes.added)
        for name, dry_run in (("dry_run", True), ("delete", False)):
            request = DeletionRequest(
                DEFAULT_COLLECTION, given_iri(f"d{number}"), "benchmark", dry_run=dry_run
            )
            started = time.perf_counter()
            report = await assembly.deletions.delete(request)
            times[name].append(time.perf_counter() - started)
        facts.append(report.counts[TG.removed_facts])
        started = time.perf_counter()
        await ingest(assembly, [file(number)])
        times["first"].append(time.perf_counter() - started)
    return Figures(
        documents=size,
        facts_removed=int(median(facts)),
        chunks_kept=int(median(kept)),
        chunks_changed=int(median(changed)),
        delete_ms=1000 * median(times["delete"]),
        dry_run_ms=1000 * median(times["dry_run"]),
        update_ms=1000 * median(times["update"]),
        first_ingest_ms=1000 * median(times["first"]),
    )


async def ingest(assembly: Assembly, files: Sequence[SourceFile]) -> list[DocumentStored]:
    events = assembly.ingestion.ingest(files, DEFAULT_COLLECTION)
    return [event async for event in events if isinstance(event, DocumentStored)]


def print_table(rows: Sequence[Figures]) -> None:
    names = list(asdict(rows[0]))
    print("  ".join(name.replace("_", " ").rjust(15) for name in names))
    for row in rows:
        cells = (f"{value:.1f}" if isinstance(value, float) else str(value) for value in asdict(row).values())
        print("  ".join(cell.rjust(15) for cell in cells))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--documents", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--runs", type=int, default=9)
    arguments = parser.parse_args()
    rows = [asyncio.run(measure(size, arguments.runs)) for size in arguments.documents]
    print_table(rows)
    print(json.dumps({"benchmark": "deletion", "sizes": [asdict(row) for row in rows]}))


if __name__ == "__main__":
    main()
