"""Verdicts on claims: are they right, and what would shortcuts reach on the same claims?

    python benchmarks/fact_verification.py --data DIR --folder DIR    # --data holds verify/; --folder is kept

FEVER: each claim against one collection of all evidence texts. Claims without information have no text in it, so that
SUPPORTS against REFUTES is told apart too: by the label given, where NOT ENOUGH INFO is wrong, and among those decided.
Beside it two shortcuts: the overlap of words alone, and that with the claim's words of negation, their thresholds
chosen on the very claims that they are scored on. SciFact: each claim with evidence against all abstracts.

The rules were written by looking at the claims of `looked_at`; the others are scored only.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import csv
import hashlib
import json
import random
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path

from provgraph.assembly import Assembly, assemble
from provgraph.flows.fact_verification.flow import ClaimQuestion
from provgraph.flows.runner.events import Finished
from provgraph.ingestion.planning import SourceFile
from provgraph.language.concepts import concepts
from provgraph.language.terms import content_terms
from provgraph.ports.retriever import RetrievalLimits, RetrievalRequest
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.settings import Settings

LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
DENIES = re.compile(r"\b(?:not|never|no|only|n't|cannot|incapable|exclusively|solely)\b|n't\b", re.IGNORECASE)
SCIFACT = {"SUPPORT": "SUPPORTS", "CONTRADICT": "REFUTES"}
LOOKED_AT = 600


@dataclass(frozen=True)
class Asked:
    """A claim with its label; `gold` are the ids of the documents that it was made from."""

    text: str
    label: str
    gold: frozenset[str] = frozenset()
    looked_at: bool = False


@dataclass(frozen=True)
class Judged:
    asked: Asked
    label: str
    overlap: float
    found_gold: bool
    ms: float


def fever(path: Path) -> tuple[list[Asked], dict[str, str]]:
    """The claims, and the evidence texts by id."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    texts = {_id(row["evidence_text"]): row["evidence_text"] for row in rows if row["evidence_text"]}
    looked_at = _looked_at([row["id"] for row in rows])
    claims = [
        Asked(
            row["claim"],
            row["label"],
            frozenset([_id(row["evidence_text"])] if row["evidence_text"] else []),
            row["id"] in looked_at,
        )
        for row in rows
    ]
    return claims, texts


def _looked_at(ids: Sequence[int]) -> set[int]:
    """The claims by which the rules were written: a fixed draw of 450, and 150 more of the rest."""
    order = list(ids)
    random.Random(5).shuffle(order)
    first = set(order[:450])
    rest = [each for each in ids if each not in first]
    random.Random(1).shuffle(rest)
    return first | set(rest[: LOOKED_AT - 450])


def scifact(folder: Path, most: int) -> tuple[list[Asked], dict[str, str]]:
    """The claims that have evidence, each once, and all abstracts by id: those of evidence first, `most` at most."""
    with (folder / "scifact_corpus.csv").open(encoding="utf-8", newline="") as file:
        texts = {
            row["doc_id"]: f"{row['title']}\n\n{' '.join(_strings(row['abstract']))}"
            for row in csv.DictReader(file)
        }
    claims: dict[str, Asked] = {}
    with (folder / "scifact_claims_train.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["evidence_label"]:
                known = claims.get(row["id"], Asked(row["claim"], SCIFACT[row["evidence_label"]]))
                claims[row["id"]] = replace(known, gold=known.gold | {row["evidence_doc_id"]})
    gold = {each for claim in claims.values() for each in claim.gold}
    order = sorted(texts, key=lambda each: (each not in gold, each))
    return list(claims.values()), {each: texts[each] for each in order[:most]}


def _strings(printed: str) -> list[str]:
    """A list as numpy prints it: strings with nothing but lines between them."""
    literals = re.findall(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", printed)
    return [str(ast.literal_eval(literal)) for literal in literals]


def _id(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


async def judged(assembly: Assembly, asked: Asked) -> Judged:
    started, finished = time.perf_counter(), None
    claim = await assembly.flows.fact_verification.resolved(ClaimQuestion(asked.text, engine="model-free"))
    async with aclosing(assembly.flows.fact_verification.answer(claim)) as events:
        async for event in events:
            finished = event if isinstance(event, Finished) else finished
    assert finished is not None
    assert finished.verdict is not None
    ms = (time.perf_counter() - started) * 1000
    hits = (await assembly.retriever.retrieve(_retrieval(claim))).chunks
    words = set(content_terms(asked.text))
    overlap = max(
        (len(words & set(content_terms(hit.text))) / (len(words) or 1) for hit in hits), default=0.0
    )
    found = bool(asked.gold & {hit.document.value.rpartition(":")[2] for hit in hits})
    return Judged(asked, finished.verdict.judgement.label.value, overlap, found, ms)


def _retrieval(claim: ClaimQuestion) -> RetrievalRequest:
    limits = RetrievalLimits(entities=1, triples_per_entity=1, subgraph=1, path_length=1)
    return RetrievalRequest(
        claim.text, concepts(claim.text), claim.collection, claim.method, claim.chunk_limit, limits
    )


def accuracy(found: Iterable[Judged], label: Callable[[Judged], str] = lambda each: each.label) -> float:
    right = [label(each) == each.asked.label for each in found]
    return sum(right) / len(right) if right else 0.0


def shortcut(found: Sequence[Judged], *, denials: bool) -> float:
    """The best accuracy of thresholds on the overlap of words, and where wanted of words that deny."""

    def labelled(each: Judged, low: float, high: float) -> str:
        if denials:
            decided = "REFUTES" if DENIES.search(each.asked.text) else "SUPPORTS"
            return decided if each.overlap >= low else LABELS[2]
        return LABELS[0] if each.overlap >= high else LABELS[1] if each.overlap >= low else LABELS[2]

    steps = [step / 20 for step in range(21)]
    return max(
        accuracy(found, lambda each, low=low, high=high: labelled(each, low, high))  # type: ignore[misc]
        for low in steps
        for high in ([low] if denials else steps)
    )


def measures(name: str, found: Sequence[Judged]) -> dict[str, object]:
    sides = [each for each in found if each.asked.label != LABELS[2]]
    decided = [each for each in sides if each.label != LABELS[2]]
    times = sorted(each.ms for each in found)
    return {
        "claims": name,
        "number": len(found),
        "accuracy": round(accuracy(found), 3),
        "supports_against_refutes": round(accuracy(sides), 3),
        "of_those_decided": round(accuracy(decided), 3),
        "decided": round(len(decided) / max(1, len(sides)), 3),
        "evidence_retrieved": round(sum(each.found_gold for each in sides) / max(1, len(sides)), 3),
        "by_overlap": round(shortcut(found, denials=False), 3),
        "by_overlap_and_denials": round(shortcut(found, denials=True), 3),
        "ms_median": round(statistics.median(times), 1),
        "ms_p95": round(times[int(0.95 * (len(times) - 1))], 1),
        "confusion": confusion(found),
    }


def confusion(found: Iterable[Judged]) -> dict[str, dict[str, int]]:
    counts = Counter((each.asked.label, each.label) for each in found)
    return {gold: {label: counts[gold, label] for label in LABELS} for gold in LABELS}


async def run(folder: Path, name: str, claims: Sequence[Asked], texts: dict[str, str]) -> list[Judged]:
    assembly = assemble(Settings(), folder / name)
    try:
        files = [
            SourceFile(f"{key}.txt", text.encode(), id=f"urn:verify:{key}") for key, text in texts.items()
        ]
        async with aclosing(assembly.ingestion.ingest(files, DEFAULT_COLLECTION)) as events:
            async for _ in events:
                pass
        return [await judged(assembly, claim) for claim in claims]
    finally:
        await assembly.indexes.own.close()
        await assembly.store.close()


def table(rows: Sequence[dict[str, object]]) -> str:
    names = [name for name in rows[0] if name != "confusion"]
    lines = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    lines += ["| " + " | ".join(str(row[name]) for name in names) + " |" for row in rows]
    return "\n".join(lines)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True, help="Where the collections are kept.")
    parser.add_argument("--abstracts", type=int, default=10_000, help="Most abstracts of SciFact.")
    parser.add_argument("--only", choices=["fever", "scifact"])
    chosen = parser.parse_args()
    rows: list[dict[str, object]] = []
    if chosen.only != "scifact":
        found = await run(chosen.folder, "fever", *fever(chosen.data / "verify/fever_dev.jsonl"))
        rows.append(measures("FEVER", found))
        rows.append(measures("FEVER, looked at", [each for each in found if each.asked.looked_at]))
        rows.append(measures("FEVER, scored only", [each for each in found if not each.asked.looked_at]))
    if chosen.only != "fever":
        rows.append(
            measures(
                "SciFact",
                await run(chosen.folder, "scifact", *scifact(chosen.data / "verify", chosen.abstracts)),
            )
        )
    print(table(rows))
    for row in rows:
        print(json.dumps(row))


if __name__ == "__main__":
    asyncio.run(main())
