"""What signed records cost: an ingest and questions with and without them, in turns.

    python benchmarks/records.py --data DIR [--passages 300] [--questions 40] [--runs 3]     # DIR holds multihop/

Each run ingests the same passages into two fresh folders, and asks the same questions of both, one after the other in
changing order. Compared is processor time of this process and wall time; each figure is the median of the runs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import median

import httpx2
from multihop import Dataset, read_dataset

from provgraph.assembly import Assembly, assemble
from provgraph.ingestion.events import DocumentStored
from provgraph.ingestion.planning import SourceFile
from provgraph.settings import Settings


async def measured(dataset: Dataset, passages: int, questions: int, signed_first: bool) -> dict[str, float]:
    """Seconds of processor and wall, with and without records."""
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        made: dict[str, Assembly] = {}
        for name in ("signed", "plain") if signed_first else ("plain", "signed"):
            settings = Settings(signed_records=name == "signed", extraction_processes=0, reading_processes=0)
            made[name] = assemble(settings, Path(folder) / name)
            found |= await ingested(made[name], dataset, passages, name)
            files = [file for file in (Path(folder) / name / "store").rglob("*") if file.is_file()]
            found[f"store_mb_{name}"] = sum(file.stat().st_size for file in files) / 1e6
        found |= await asked(made, dataset, questions)
    return found


async def ingested(made: Assembly, dataset: Dataset, passages: int, name: str) -> dict[str, float]:
    files = [
        SourceFile(f"{number}.txt", passage.text.encode(), title=passage.title)
        for number, passage in enumerate(dataset.passages[:passages])
    ]
    wall, cpu = time.perf_counter(), time.process_time()
    stored = 0
    async for event in made.ingestion.ingest(files, "default"):
        stored += isinstance(event, DocumentStored)
    return {
        f"ingest_cpu_s_{name}": time.process_time() - cpu,
        f"ingest_s_{name}": time.perf_counter() - wall,
    }


async def asked(made: dict[str, Assembly], dataset: Dataset, questions: int) -> dict[str, float]:
    cpu: dict[str, list[float]] = defaultdict(list)
    wall: dict[str, list[float]] = defaultdict(list)
    async with AsyncExitStack() as stack:
        clients = {name: await stack.enter_async_context(served(each)) for name, each in made.items()}
        for number, question in enumerate(dataset.questions[: questions + 2]):
            for name in sorted(clients, reverse=number % 2 == 0):
                began, used = time.perf_counter(), time.process_time()
                answer = await clients[name].post("/api/v1/graph-rag", json={"query": question.text})
                assert answer.status_code == 200, answer.text
                if number >= 2:
                    cpu[name].append(time.process_time() - used)
                    wall[name].append(time.perf_counter() - began)
    return {
        **{f"question_cpu_s_{name}": median(values) for name, values in cpu.items()},
        **{f"question_s_{name}": median(values) for name, values in wall.items()},
    }


@asynccontextmanager
async def served(made: Assembly) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the service in this process, without a socket."""
    app = made.app()
    transport = httpx2.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=600) as client,
    ):
        yield client


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--passages", type=int, default=300)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    dataset = read_dataset("musique", options.data / "multihop")
    runs = [
        await measured(dataset, options.passages, options.questions, number % 2 == 0)
        for number in range(options.runs)
    ]
    figures = {name: median(run[name] for run in runs) for name in runs[0]}
    for what in ("ingest_cpu_s", "ingest_s", "question_cpu_s", "question_s", "store_mb"):
        signed, plain = figures[f"{what}_signed"], figures[f"{what}_plain"]
        print(f"{what:<16} {plain:>9.4f} {signed:>9.4f} {signed / plain - 1:>+8.1%}")
    print(json.dumps(figures))


if __name__ == "__main__":
    asyncio.run(main())
