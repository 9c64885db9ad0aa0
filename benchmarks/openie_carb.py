"""CaRB: how much of what people wrote down for a sentence does `provgraph extract` find, and how fast.

    python benchmarks/openie_carb.py --data DIR        # DIR holds openie/carb_dev_gold.tsv

The score is that of Bhardwaj, Aggarwal and Mausam, "CaRB: A Crowdsourced Benchmark for Open IE" (EMNLP 2019),
in the published scorer's default, the binary lenient tuple match: words are compared part by part, a pair
counts only where the relations share a word, recall takes the best fact for each gold tuple, precision a
one-to-one greedy matching, and the figures are those of the confidence threshold with the best F1.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from provgraph.extraction.extractors import text_extractor
from provgraph.extraction.facts import Fact, FactExtractor, Passage

_BE = ("be", "is", "am", "are", "was", "were", "been", "being")
_SAID = ("said", "told", "added", "adds", "says")


@dataclass(frozen=True)
class Extraction:
    """A tuple as the scorer sees it: words of the relation and of its two arguments."""

    relation: str
    arguments: tuple[str, str]
    confidence: float = 1.0


@dataclass(frozen=True)
class Score:
    precision: float
    recall: float
    auc: float

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def read_gold(path: Path) -> dict[str, list[Extraction]]:
    """Gold tuples by sentence, in the order of the file; arguments after the first are joined."""
    gold: dict[str, list[Extraction]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        sentence, relation, subject, *rest = [part.strip() for part in line.strip().split("\t")]
        gold[sentence].append(Extraction(relation, (subject, " ".join(rest))))
    return dict(gold)


def as_extractions(facts: Iterable[Fact]) -> list[Extraction]:
    return [Extraction(f.relation, (f.subject.label, f.object.label), f.confidence) for f in facts]


def _shared(gold: Sequence[str], found: Sequence[str]) -> int:
    return sum((Counter(gold) & Counter(found)).values())


def lenient_match(gold: Extraction, found: Extraction) -> tuple[float, float]:
    """(precision, recall) in words of one pair; (0, 0) where the relations share none."""
    wanted, given = gold.relation.split(), found.relation.split()
    matching = _shared(wanted, given)
    if "be" in given and "be" not in wanted and any(form in wanted for form in _BE):
        matching += 1
    if not matching:
        return 0.0, 0.0
    gold_words, found_words = len(wanted), len(given)
    for theirs, ours in zip(gold.arguments, found.arguments, strict=True):
        matching += _shared(theirs.split(), ours.split())
        gold_words += len(theirs.split())
        found_words += len(ours.split())
    return matching / found_words, matching / gold_words


def match(gold: Extraction, found: Extraction) -> tuple[float, float]:
    """As `lenient_match`; where someone says something, the arguments may stand the other way round."""
    straight = lenient_match(gold, found)
    if not any(verb in gold.relation for verb in _SAID):
        return straight
    swapped = Extraction(found.relation, (found.arguments[1], found.arguments[0]))
    return max(straight, lenient_match(gold, swapped))


def _greedy_precision(pairs: Sequence[Sequence[tuple[float, float]]], columns: Sequence[int]) -> float:
    """Sum of the precisions of a one-to-one matching that takes the best pair first."""
    order = sorted(((row[c][0], -i, -c) for i, row in enumerate(pairs) for c in columns), reverse=True)
    rows: set[int] = set()
    taken: set[int] = set()
    total = 0.0
    for precision, row, column in order:
        if row not in rows and column not in taken:
            rows.add(row)
            taken.add(column)
            total += precision
    return total


def score(gold: Mapping[str, list[Extraction]], found: Mapping[str, list[Extraction]]) -> Score:
    """The point of best F1 over all confidence thresholds, and the area under the curve."""
    tables = [
        (found.get(sentence, []), [[match(g, f) for f in found.get(sentence, [])] for g in wanted])
        for sentence, wanted in gold.items()
    ]
    gold_count = sum(len(pairs) for _, pairs in tables)
    points = [
        _point(tables, threshold, gold_count)
        for threshold in sorted({f.confidence for facts in found.values() for f in facts})
    ]
    best = max(points, key=lambda point: Score(point[0], point[1], 0).f1, default=(0.0, 0.0))
    return Score(best[0], best[1], _area([*points, (1.0, 0.0)]))


def _point(
    tables: Sequence[tuple[list[Extraction], list[list[tuple[float, float]]]]],
    threshold: float,
    gold_count: int,
) -> tuple[float, float]:
    precision = recall = 0.0
    count = 0
    for facts, pairs in tables:
        columns = [c for c, fact in enumerate(facts) if fact.confidence >= threshold]
        count += len(columns)
        recall += sum(max((row[c][1] for c in columns), default=0.0) for row in pairs)
        precision += _greedy_precision(pairs, columns)
    return (precision / count if count else 1.0), recall / gold_count


def _area(points: Sequence[tuple[float, float]]) -> float:
    ordered = sorted(points, key=lambda point: point[1])
    return sum((right[1] - left[1]) * (left[0] + right[0]) / 2 for left, right in pairwise(ordered))


def measure(gold: Mapping[str, list[Extraction]], extractor: FactExtractor) -> dict[str, float]:
    """Extract from every sentence alone and score all of them, then the two halves apart.

    The time is that of the processor, so that what else the machine does counts little.
    """
    extractor.extract(Passage("Marie Curie discovered polonium."))
    started = time.process_time()
    facts = {sentence: extractor.extract(Passage(sentence)) for sentence in gold}
    seconds = time.process_time() - started
    found = {sentence: as_extractions(of_sentence) for sentence, of_sentence in facts.items()}
    sentences = list(gold)
    result = {"sentences": len(gold), "facts": sum(map(len, found.values()))}
    figures: dict[str, float] = dict(result)
    for name, part in (("all", sentences), ("even", sentences[::2]), ("odd", sentences[1::2])):
        of_part = score({s: gold[s] for s in part}, {s: found[s] for s in part})
        figures |= {
            f"{name}_{key}": round(getattr(of_part, key), 4) for key in ("precision", "recall", "f1", "auc")
        }
    figures["sentences_per_second"] = round(len(gold) / seconds)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds openie/")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--stored", action="store_true", help="the facts as an ingest stores them")
    options = parser.parse_args()
    gold = read_gold(options.data / "openie" / f"carb_{options.split}_gold.tsv")
    figures = measure(gold, text_extractor(options.stored))
    print(f"{'':6}{'precision':>10}{'recall':>8}{'F1':>8}{'AUC':>8}")
    for name in ("all", "even", "odd"):
        cells = [figures[f"{name}_{key}"] for key in ("precision", "recall", "f1", "auc")]
        print(f"{name:6}{cells[0]:10.3f}{cells[1]:8.3f}{cells[2]:8.3f}{cells[3]:8.3f}")
    print(f"{figures['facts']} facts, {figures['sentences_per_second']} sentences/s")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
