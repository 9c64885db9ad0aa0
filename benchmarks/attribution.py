"""What others wrote, through `POST /api/v1/attribution`: is a claim attributable to the references it was given?

    python benchmarks/attribution.py --data DIR [--limit N] [--show KIND]

`DIR/verify/attribution_dev.jsonl` has a claim, its references and the label "attributable" or "not attributable" on
each line. A claim counts as attributable where every sentence of it that is judged is SUPPORTS, and at least one is; in
the last row, where the mean chance of its sentences (`attributable`) is 0.5 or more. The weights of that were fitted on
these very claims: `fit_verdicts.py` prints the cross-validated figure.
Beside it stand the majority, and the greatest share of the claim's words in one sentence of a reference, with the
threshold that is best for these very claims. `--show` prints one kind of mistake: false-supports, missed, refuted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx2

from provgraph.assembly import assemble
from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import content_terms
from provgraph.settings import Settings

ROUTE = "/api/v1/attribution"
_NUMBERED = re.compile(r"\[(\d{1,3})\]\s")


@dataclass(frozen=True)
class Judged:
    claim: str
    references: tuple[str, ...]
    attributable: bool
    verdicts: tuple[str, ...]
    chances: tuple[float, ...]
    seconds: float

    @property
    def supported(self) -> bool:
        return bool(self.verdicts) and set(self.verdicts) == {"SUPPORTS"}

    @property
    def likely(self) -> bool:
        """Whether its sentences are attributable by their words, on average."""
        return bool(self.chances) and statistics.mean(self.chances) >= 0.5

    @property
    def kind(self) -> str:
        if "REFUTES" in self.verdicts:
            return "refuted"
        if self.supported and not self.attributable:
            return "false-supports"
        return "missed" if self.attributable and not self.supported else "right"


async def judged(client: httpx2.AsyncClient, row: dict) -> Judged:
    numbers = [match[1] if (match := _NUMBERED.match(text)) else "" for text in row["references"]]
    ids = numbers if all(numbers) and len(set(numbers)) == len(numbers) else list(map(str, range(1, 99)))
    sources = [{"id": name, "text": text} for name, text in zip(ids, row["references"], strict=False)]
    began = time.perf_counter()
    answer = await client.post(
        ROUTE, json={"text": row["claim"], "question": row["question"], "sources": sources}
    )
    answer.raise_for_status()
    seconds = time.perf_counter() - began
    claims = [each for each in answer.json()["claims"] if "not a claim" not in each["notes"]]
    verdicts = tuple(each["verdict"] for each in claims)
    chances = tuple(each["attributable"] for each in claims)
    gold = row["label"] == "attributable"
    return Judged(row["claim"], tuple(row["references"]), gold, verdicts, chances, seconds)


def macro_f1(gold: Sequence[bool], found: Sequence[bool]) -> float:
    return statistics.mean(_f1(gold, found, label) for label in (True, False))


def _f1(gold: Sequence[bool], found: Sequence[bool], label: bool) -> float:
    both = sum(a == b == label for a, b in zip(gold, found, strict=True))
    either = gold.count(label) + list(found).count(label)
    return 2 * both / either if either else 0.0


def overlap(each: Judged) -> float:
    """The greatest share of the claim's terms in one sentence."""
    words = set(content_terms(each.claim))
    shares = (
        len(words & set(content_terms(text[start:end]))) / (len(words) or 1)
        for text in each.references
        for start, end in sentence_spans(text)
    )
    return max(shares, default=0.0)


def table(found: Sequence[Judged]) -> str:
    gold = [each.attributable for each in found]
    shares = [overlap(each) for each in found]
    by_words = max(
        ([share >= step / 20 for share in shares] for step in range(1, 21)),
        key=lambda some: macro_f1(gold, some),
    )
    majority = [Counter(gold).most_common(1)[0][0]] * len(gold)
    rows = {
        "majority": majority,
        "overlap of words": by_words,
        "SUPPORTS": [each.supported for each in found],
        "attributable from 0.5 on": [each.likely for each in found],
    }
    lines = ["| | macro-F1 | accuracy | supported, of these right |", "|---|---|---|---|"]
    for name, labels in rows.items():
        right = sum(a == b for a, b in zip(gold, labels, strict=True)) / len(gold)
        hits = sum(a and b for a, b in zip(gold, labels, strict=True))
        said = f"{hits / sum(labels):.3f} of {sum(labels)}" if any(labels) else "none"
        lines.append(f"| {name} | {macro_f1(gold, labels):.3f} | {right:.3f} | {said} |")
    sentences = sum(len(each.verdicts) for each in found)
    seconds = sum(each.seconds for each in found)
    median = statistics.median(each.seconds for each in found)
    lines += [
        "",
        f"{sentences} sentences in {seconds:.1f} s: {sentences / seconds:.0f} a second; median {median:.3f} s",
    ]
    lines.append(f"kinds: {dict(Counter(each.kind for each in found))}")
    return "\n".join(lines)


async def run(path: Path, limit: int) -> list[Judged]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()][:limit]
    with tempfile.TemporaryDirectory() as folder:
        app = assemble(Settings(extraction_processes=0, reading_processes=0), Path(folder) / "data").app()
        transport = httpx2.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(transport=transport, base_url="http://localhost", timeout=600) as client,
        ):
            return [await judged(client, row) for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=10_000)
    parser.add_argument("--show", default="")
    given = parser.parse_args()
    found = asyncio.run(run(given.data / "verify" / "attribution_dev.jsonl", given.limit))
    print(table(found))
    for each in found:
        if each.kind == given.show:
            print(f"\n{each.kind}: {each.verdicts} {' '.join(each.claim.split())}")
            print("\n".join(f"  {' '.join(text.split())[:600]}" for text in each.references))


if __name__ == "__main__":
    main()
