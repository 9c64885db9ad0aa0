"""Multi-hop retrieval on MuSiQue-100 and HotpotQA-100, through the real ingest and the real retriever.

    python benchmarks/retrieval_multihop.py --data DIR        # DIR holds multihop/

For each method: recall of the gold passages among the first 2 and 5 documents and share of questions with all of
them among the first 5, in percent, and the time of a question. Then how well the evidence tells the questions of a
corpus from those of the other one, which it cannot answer: the share of the question's weight that the best two
edges meet together, times the score of the best seed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from provgraph.assembly import Assembly, assemble
from provgraph.extraction.events import DocumentStored
from provgraph.extraction.planning import SourceFile
from provgraph.ports.retriever import RetrievalRequest, RetrievalResult
from provgraph.settings import Settings

METHODS = ("graph", "bm25", "topic-star")
THRESHOLDS = [step / 100 for step in range(5, 100)]


@dataclass(frozen=True)
class Asked:
    """A question, and the ids of the documents that hold its answer."""

    text: str
    gold: frozenset[str]


@dataclass(frozen=True)
class Corpus:
    name: str
    passages: Sequence[tuple[str, str]]
    questions: Sequence[Asked]


@dataclass(frozen=True)
class Recall:
    corpus: str
    method: str
    at_2: float
    at_5: float
    all_in_5: float
    median_ms: float
    p95_ms: float


@dataclass(frozen=True)
class Separation:
    """At the threshold with the fewest errors: questions of the corpus refused, others accepted (shares)."""

    corpus: str
    auroc: float
    threshold: float
    refused: float
    accepted: float


def read_musique(folder: Path) -> Corpus:
    passages = [
        (d["title"], d["text"]) for d in json.loads((folder / "musique_train_corpus.json").read_text())
    ]
    ids = {passage: f"urn:musique:{index}" for index, passage in enumerate(passages)}
    questions = [
        Asked(
            entry["question"],
            frozenset(
                ids[paragraph["title"], paragraph["paragraph_text"]]
                for paragraph in entry["paragraphs"]
                if paragraph["is_supporting"]
            ),
        )
        for entry in json.loads((folder / "musique_train.json").read_text())
    ]
    return Corpus("musique", passages, questions)


def read_hotpotqa(folder: Path) -> Corpus:
    corpus = json.loads((folder / "hotpotqa_train_corpus.json").read_text())
    ids = {title: f"urn:hotpotqa:{index}" for index, title in enumerate(corpus)}
    questions = [
        Asked(entry["question"], frozenset(ids[title] for title, _ in entry["supporting_facts"]))
        for entry in json.loads((folder / "hotpotqa_train.json").read_text())
    ]
    passages = [(title, " ".join(part.strip() for part in parts)) for title, parts in corpus.items()]
    return Corpus("hotpotqa", passages, questions)


async def ingest(assembly: Assembly, corpus: Corpus) -> None:
    lines = "\n".join(
        json.dumps({"id": f"urn:{corpus.name}:{index}", "title": title, "text": text})
        for index, (title, text) in enumerate(corpus.passages)
    )
    begun, facts = time.perf_counter(), 0
    async for event in assembly.ingestion.ingest([SourceFile("corpus.jsonl", lines.encode())], "default"):
        if isinstance(event, DocumentStored):
            facts += event.fact_count
    spent = time.perf_counter() - begun
    print(f"{corpus.name}: {len(corpus.passages)} passages, {facts} facts, ingested in {spent:.0f} s")


async def recall(assembly: Assembly, corpus: Corpus, method: str) -> Recall:
    at_2 = at_5 = all_in_5 = 0.0
    times = []
    for asked in corpus.questions:
        begun = time.perf_counter()
        found = await assembly.retriever.retrieve(RetrievalRequest(asked.text, method=method))
        times.append((time.perf_counter() - begun) * 1000)
        ranked = [hit.document.value for hit in found.documents]
        at_2 += len(asked.gold.intersection(ranked[:2])) / len(asked.gold)
        at_5 += len(asked.gold.intersection(ranked[:5])) / len(asked.gold)
        all_in_5 += asked.gold <= set(ranked[:5])
    share = 100 / len(corpus.questions)
    return Recall(
        corpus.name,
        method,
        round(share * at_2, 1),
        round(share * at_5, 1),
        round(share * all_in_5, 1),
        round(statistics.median(times), 1),
        round(statistics.quantiles(times, n=20)[-1], 1),
    )


def evidence(found: RetrievalResult) -> float:
    """The share of the question's weight that two edges meet together, the second chosen to add most, × best seed."""
    weights = {term.text: term.weight for term in found.terms}
    met: set[str] = set()
    for _ in range(2):
        best = max(found.edges, key=lambda edge: sum(weights[t] for t in {*edge.terms} - met), default=None)
        met.update(best.terms if best else ())
    seed = max((seed.score for seed in found.seeds), default=0.0)
    return seed * sum(weights[term] for term in met) / (sum(weights.values()) or 1.0)


async def separation(assembly: Assembly, own: Corpus, other: Corpus) -> Separation:
    own_scores, other_scores = [
        [
            evidence(await assembly.retriever.retrieve(RetrievalRequest(asked.text)))
            for asked in corpus.questions
        ]
        for corpus in (own, other)
    ]
    wins = sum((a > b) + (a == b) / 2 for a in own_scores for b in other_scores)
    errors = {
        threshold: (
            sum(score < threshold for score in own_scores) / len(own_scores),
            sum(score >= threshold for score in other_scores) / len(other_scores),
        )
        for threshold in THRESHOLDS
    }
    threshold = min(errors, key=lambda value: (sum(errors[value]), value))
    auroc = round(wins / len(own_scores) / len(other_scores), 3)
    return Separation(own.name, auroc, threshold, *errors[threshold])


async def measure(corpora: Sequence[Corpus]) -> tuple[list[Recall], list[Separation]]:
    recalls: list[Recall] = []
    separations: list[Separation] = []
    for own, other in zip(corpora, reversed(corpora), strict=True):
        with tempfile.TemporaryDirectory() as folder:
            assembly = assemble(Settings(), Path(folder))
            await ingest(assembly, own)
            recalls += [await recall(assembly, own, method) for method in METHODS]
            separations.append(await separation(assembly, own, other))
            await assembly.retriever.close()
            await assembly.store.close()
    return recalls, separations


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    folder = parser.parse_args().data / "multihop"
    recalls, separations = asyncio.run(measure([read_musique(folder), read_hotpotqa(folder)]))
    print(f"\n{'corpus':10} {'method':12} {'@2':>6} {'@5':>6} {'all@5':>6} {'median ms':>10} {'p95 ms':>8}")
    for row in recalls:
        print(
            f"{row.corpus:10} {row.method:12} {row.at_2:6} {row.at_5:6} {row.all_in_5:6} "
            f"{row.median_ms:10} {row.p95_ms:8}"
        )
    print(f"\n{'corpus':10} {'AUROC':>7} {'threshold':>10} {'refused':>8} {'accepted':>9}")
    for line in separations:
        print(f"{line.corpus:10} {line.auroc:7} {line.threshold:10} {line.refused:8.2f} {line.accepted:9.2f}")
    print(
        json.dumps({"recall": [asdict(r) for r in recalls], "separation": [asdict(s) for s in separations]})
    )


if __name__ == "__main__":
    main()
