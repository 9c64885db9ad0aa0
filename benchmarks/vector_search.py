"""Time and memory of the search for the nearest vectors: all of them read, and in lists; and how much lists miss.

    python benchmarks/vector_search.py [--vectors 10000 100000 1000000] [--folder DIR] [--compare]

Vectors of 384 numbers are made up: around 5,000 centres, as far from them as passages are from others of their topic.
`--compare` measures FAISS and usearch beside, where they are installed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from provgraph.retrieval.vectors.vector_file import VectorFile

DIMENSION = 384
CENTRES = 5_000
SPREAD = 0.03
QUERIES = 50
NEAREST = 30


def made_up(count: int, seed: int) -> np.ndarray:
    chance = np.random.default_rng(seed)
    centres = np.random.default_rng(0).normal(size=(CENTRES, DIMENSION)).astype(np.float32)
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    vectors = centres[chance.integers(0, CENTRES, count)]
    vectors = vectors + SPREAD * chance.normal(size=vectors.shape).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def timed(
    search: Callable[[np.ndarray], list[int]], queries: np.ndarray
) -> tuple[list[list[int]], dict[str, float]]:
    times, found = [], []
    for query in queries:
        begun, begun_cpu = time.perf_counter(), time.process_time()
        found.append(search(query))
        times.append(((time.perf_counter() - begun) * 1000, (time.process_time() - begun_cpu) * 1000))
    return found, {
        "ms": round(statistics.median(ms for ms, _ in times), 2),
        "cpu_ms": round(statistics.median(ms for _, ms in times), 2),
    }


def share(found: list[list[int]], exact: list[list[int]]) -> float:
    """How many of the nearest, in percent, are among those found."""
    return round(
        100 * statistics.mean(len(set(a) & set(b)) / len(b) for a, b in zip(found, exact, strict=True)), 1
    )


def measure(count: int, folder: Path, compare: bool) -> dict[str, dict[str, float]]:
    queries = made_up(QUERIES, seed=2)
    flat = VectorFile(folder / f"flat-{count}.f32", DIMENSION, 0)
    for start in range(0, count, 50_000):
        flat.append(made_up(min(50_000, count - start), seed=10 + start))
    exact, figures = timed(lambda query: [row for row, _ in flat.search(query, NEAREST)], queries)
    rows = {"all": {**figures, "recall": 100.0}}
    begun = time.perf_counter()
    order = flat.rewritten(folder / f"lists-{count}.f32", np.arange(count), in_lists=True)
    seconds = time.perf_counter() - begun
    lists = VectorFile(folder / f"lists-{count}.f32", DIMENSION, count)
    found, figures = timed(
        lambda query: [int(order[row]) for row, _ in lists.search(query, NEAREST)], queries
    )
    rows["lists"] = {**figures, "recall": share(found, exact), "build_s": round(seconds, 1)}
    if compare:
        rows.update(others(flat, queries, exact))
    return rows


def others(flat: VectorFile, queries: np.ndarray, exact: list[list[int]]) -> dict[str, dict[str, float]]:
    import faiss
    from usearch.index import Index

    rows = {}
    plain = faiss.IndexFlatIP(DIMENSION)
    graph = Index(ndim=DIMENSION, metric="ip")
    for name, build, search in (
        ("faiss flat", lambda: plain.add(flat.rows), lambda q: plain.search(q[None], NEAREST)[1][0].tolist()),
        (
            "usearch hnsw",
            lambda: graph.add(np.arange(flat.count), np.ascontiguousarray(flat.rows)),
            lambda q: graph.search(q, NEAREST).keys.tolist(),
        ),
    ):
        begun = time.perf_counter()
        build()
        seconds = time.perf_counter() - begun
        found, figures = timed(search, queries)
        rows[name] = {**figures, "recall": share(found, exact), "build_s": round(seconds, 1)}
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--vectors", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument(
        "--folder", type=Path, help="where the vectors are written; else below the system's own"
    )
    parser.add_argument("--compare", action="store_true", help="measure FAISS and usearch too")
    options = parser.parse_args()
    figures: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for count in options.vectors:
            for name, row in measure(count, Path(folder), options.compare).items():
                figures[f"{count} {name}"] = {**row, "mb": round(count * DIMENSION * 4 / 1e6)}
                told = "".join(f"{key:>9} {value:7}" for key, value in figures[f"{count} {name}"].items())
                print(f"{f'{count} {name}':24}{told}", flush=True)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
