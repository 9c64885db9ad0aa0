"""Recall of the passages that hold a multi-hop question's evidence, by BM25 and by the default ranking.

    python benchmarks/retrieval_multihop.py --data DIR --folder DIR    # --data holds multihop/; --folder is kept

The passages of MuSiQue and HotpotQA are ingested by the real pipeline; documents are ranked by `retrieve`. Recall
of gold passages among the first 2 and 5, and the share of questions with all of them in the first 5, in percent.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from pathlib import Path

from multihop import DATASETS, Asked, Dataset, as_jsonl, collection, passage_id, read_dataset

from provgraph.assembly import Assembly
from provgraph.extraction.planning import SourceFile
from provgraph.ports.retriever import RetrievalRequest
from provgraph.retrieval.methods.registry import METHODS

CUTS = (2, 5)


async def ranked(assembly: Assembly, asked: Asked, method: str) -> tuple[list[str], float]:
    """The ids of the documents found, best first, and the milliseconds that it took."""
    started = time.perf_counter()
    found = await assembly.retriever.retrieve(RetrievalRequest(asked.text, method=method, chunks=10))
    ms = (time.perf_counter() - started) * 1000
    return [passage_id(hit.document.value) for hit in found.documents], ms


async def measure(assembly: Assembly, dataset: Dataset, method: str) -> dict[str, float]:
    results = [(asked.gold, *await ranked(assembly, asked, method)) for asked in dataset.questions]
    figures = {
        f"recall@{cut}": statistics.mean(
            len(gold.intersection(ids[:cut])) / len(gold) for gold, ids, _ in results
        )
        for cut in CUTS
    }
    figures["all@5"] = statistics.mean(gold.issubset(ids[:5]) for gold, ids, _ in results)
    rounded = {name: round(100 * figure, 1) for name, figure in figures.items()}
    return {**rounded, "ms": round(statistics.median(ms for _, _, ms in results), 1)}


async def run(data: Path, folder: Path) -> dict[str, dict[str, float]]:
    figures = {}
    for name in DATASETS:
        dataset = read_dataset(name, data / "multihop")
        files = [SourceFile(f"{name}.jsonl", as_jsonl(dataset.passages))]
        async with collection(files, folder / name) as assembly:
            for method in reversed(METHODS):
                figures[f"{name} {method}"] = await measure(assembly, dataset, method)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds multihop/")
    parser.add_argument("--folder", type=Path, required=True, help="where the collections are kept")
    options = parser.parse_args()
    figures = asyncio.run(run(options.data, options.folder))
    for name, row in figures.items():
        print(f"{name:18}" + "".join(f"{key:>10} {value:6}" for key, value in row.items()))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
