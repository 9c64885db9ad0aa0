"""Precision of stored facts: the share of a sample that a reader calls true and useful.

    python benchmarks/fact_precision.py --data DIR --draw SEED      # a new sample to judge, with its sentences
    python benchmarks/fact_precision.py --data DIR                  # what the judged samples say

Samples are drawn from all facts of Re-DocRED's revised development documents (Tan et al., EMNLP 2022), read as
`provgraph ingest` reads them. A judged sample is `judged/redocred_SEED.jsonl`: a fact a line with the document (a hash
of its text), the sentence (its span), the verdict, and for a bad fact the reason. A fact is good if a reader of its
sentence calls it true, and understands it and learns something by it without the sentence.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from provgraph.extraction.extractors import text_extractor
from provgraph.extraction.facts import Fact, Passage

JUDGED = Path(__file__).parent / "judged"
_SPACED = (
    (r" ([,.;:!?%)\]])", r"\1"),
    (r"([(\[$]) ", r"\1"),
    (r" (n't|'s|')(?= )", r"\1"),
    (r'" ([^"]*) "', r'"\1"'),
    (r"(?<=\w) - (?=\w)", "-"),
)


def passages(data: Path) -> Iterator[Passage]:
    """The documents as running text: the spaces that stand between all tokens are taken out again."""
    for document in json.loads((data / "redocred" / "dev_revised.json").read_text("utf-8")):
        text = " ".join(" ".join(sentence) for sentence in document["sents"])
        for spaced, plain in _SPACED:
            text = re.sub(spaced, plain, text)
        yield Passage(text, document["title"], own_end=len(text))


def as_record(passage: Passage, fact: Fact) -> dict[str, Any]:
    return {
        "document": hashlib.sha256(passage.text.encode()).hexdigest()[:12],
        "sentence": [fact.start, fact.end],
        "subject": fact.subject.label,
        "relation": fact.relation,
        "object": fact.object.label,
        "confidence": fact.confidence,
    }


def all_facts(data: Path) -> list[tuple[dict[str, Any], str]]:
    """Every fact as a record, with its sentence."""
    extractor = text_extractor(stored=True)
    return [
        (as_record(passage, fact), passage.text[fact.start : fact.end])
        for passage in passages(data)
        for fact in extractor.extract(passage)
    ]


def draw(data: Path, seed: int, count: int) -> None:
    sample = random.Random(seed).sample(all_facts(data), count)
    path = JUDGED / f"redocred_{seed}.jsonl"
    with path.open("x", encoding="utf-8") as file:
        for number, (record, sentence) in enumerate(sample):
            print(
                f"{number} ({record['subject']} | {record['relation']} | {record['object']})\n    {sentence}"
            )
            file.write(json.dumps(record | {"good": None, "why": ""}, ensure_ascii=False) + "\n")


def wilson(good: int, count: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson, JASA 1927)."""
    centre = (good + z * z / 2) / (count + z * z)
    half = z / (count + z * z) * math.sqrt(good * (count - good) / count + z * z / 4)
    return centre - half, centre + half


def _key(record: dict[str, Any]) -> tuple[str, ...]:
    return record["document"], record["subject"], record["relation"], record["object"]


def told(sample: Sequence[dict[str, Any]], still: set[tuple[str, ...]]) -> dict[str, Any]:
    """What the sample says of the extractor that it was drawn from, and which of its facts are made today."""
    good = sum(record["good"] for record in sample)
    low, high = wilson(good, len(sample))
    kept = [record for record in sample if _key(record) in still]
    return {
        "facts": len(sample),
        "good": round(good / len(sample), 3),
        "low": round(low, 3),
        "high": round(high, 3),
        "made today": len(kept),
        "good of those": round(sum(record["good"] for record in kept) / max(len(kept), 1), 3),
        "faults": dict(Counter(record["why"] for record in sample if not record["good"]).most_common()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds redocred/")
    parser.add_argument("--draw", type=int, metavar="SEED", help="draw a new sample")
    parser.add_argument("--count", type=int, default=200)
    options = parser.parse_args()
    if options.draw is not None:
        draw(options.data, options.draw, options.count)
        return
    still = {_key(record) for record, _ in all_facts(options.data)}
    figures = {}
    for path in sorted(JUDGED.glob("redocred_*.jsonl")):
        sample = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        figures[path.stem] = found = told(sample, still)
        print(
            f"{path.stem}: {found['good']:.1%} of {found['facts']} good ({found['low']:.1%} to {found['high']:.1%});"
        )
        print(f"    of {found['made today']} still made today, {found['good of those']:.1%}")
        print("    faults: " + ", ".join(f"{why} {count}" for why, count in found["faults"].items()))
    print(json.dumps(figures, ensure_ascii=False))


if __name__ == "__main__":
    main()
