"""The weights by which sentences are chosen, fitted on questions whose answers are known, and how well they choose.

    python benchmarks/sentence_weights.py fit --data DIR --sets DIR --folder DIR --write FILE
    python benchmarks/sentence_weights.py measure --data DIR --sets DIR --folder DIR

`--data` holds multihop/, redocred/ and verify/; `--sets` questions of one's own with their documents. Fitted on
HotpotQA, on questions made of Re-DocRED's relations and on every other question of the own sets; MuSiQue's questions
and those for what a document doesn't say are the negative ones. Measured on the other half, with MuSiQue's passages and
SciFact's abstracts beside, which are nowhere fitted on.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sentence_collections import Posed, Shelf, Text, files, multihop, opened, redocred, scifact, written

from provgraph.flows.runner.sentence_choice import (
    MOST_MARGIN,
    AskedQuestion,
    SentenceCandidate,
    SentenceWeights,
    measures,
    rank,
)

OWN = ("paraphrased", "multilingual")
MADE_QUESTIONS = 200
RIDGE = 0.3
ORDER_RIDGE = 0.0005
ROUNDS = 900
SHARES = {"paraphrased": 1.0, "multilingual": 0.5, "hotpotqa": 0.7, "redocred": 0.25, "foreign": 1.0}
"""What a question of each source counts."""

CERTAINTY = (
    *("score", "margin", "likeness", "overlap", "overlap by length", "context", "known", "nothing named"),
    *("a name is nowhere", "a number is nowhere", "lacks what is asked for", "has what is asked for"),
    *("names in the sentence", "names around"),
)
"""The measures of the first sentence that tell how sure it is."""
STEPS = 60


@dataclass(frozen=True)
class Example:
    """The sentences retrieved for a question, and which of them answer it."""

    posed: Posed
    question: AskedQuestion
    candidates: list[SentenceCandidate]
    right: list[bool]
    ms: float = 0.0

    @property
    def rows(self) -> np.ndarray:
        return np.array([list(measures(self.question, each).values()) for each in self.candidates])


def examples(
    shelf: Shelf, posed: Sequence[Posed], sense: bool = True, own_only: bool = False
) -> Iterator[Example]:
    for each in posed:
        only = each.document if own_only else ""
        question, candidates, ms = shelf.candidates(each.text, sense=sense, only=only)
        right = [each.answerable and each.is_answered_by(candidate) for candidate in candidates]
        if candidates:
            yield Example(each, question, candidates, right, ms)


def fitted(rows: np.ndarray, right: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Logistic regression with ridge, by Newton's method (Bishop 2006, "Pattern Recognition", section 4.3.3); the first
    number is the bias."""
    inputs = np.column_stack([np.ones(len(rows)), rows])
    found = np.zeros(inputs.shape[1])
    ridge = np.diag([1e-6, *[RIDGE] * rows.shape[1]])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-inputs @ found))
        gradient = inputs.T @ (weights * (chance - right)) + ridge @ found
        curvature = (inputs * (weights * chance * (1 - chance))[:, None]).T @ inputs + ridge
        step = np.linalg.solve(curvature, gradient)
        found -= step
        if np.abs(step).max() < 1e-6:
            break
    return found


def ordered_by(
    found: Sequence[Example], names: Sequence[str], used: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Weights by which a right sentence comes first: cross entropy of the softmax over the sentences of each question,
    by Adam (Kingma & Ba 2015), apart for questions that name something."""
    at = [names.index(name) for name in used]
    unnamed = names.index("nothing named")
    lists, shares = [], []
    for each in found:
        right = np.array(each.right, float)
        if 0 < right.sum() < len(right):
            rows = each.rows
            lists.append((_by_regime(rows[:, at], rows[:, [unnamed]]), right))
            shares.append(SHARES[each.posed.source])
    weights, mean, square = (np.zeros(2 * len(used)) for _ in range(3))
    for step in range(1, ROUNDS + 1):
        gradient = ORDER_RIDGE * weights
        for (rows, right), share in zip(lists, shares, strict=True):
            chance = np.exp(rows @ weights - (rows @ weights).max())
            chance /= chance.sum()
            wanted = chance * right / (chance * right).sum()
            gradient = gradient + share / sum(shares) * (rows.T @ (chance - wanted))
        mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
        rate = 0.3 if step <= 200 else 0.15
        weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    told = [round(float(weight), 3) for weight in weights]
    parts = {"named": told[: len(used)], "nothing named": told[len(used) :]}
    return {name: dict(zip(used, part, strict=True)) for name, part in parts.items()}


def _by_regime(rows: np.ndarray, unnamed: np.ndarray) -> np.ndarray:
    return np.hstack([rows * (1 - unnamed), rows * unnamed])


def fit(found: Sequence[Example]) -> SentenceWeights:
    """First the order, then how sure the first of it is."""
    names = list(measures(found[0].question, found[0].candidates[0]))
    order = ordered_by(found, names, [name for name in names if name not in ("known", "nothing named")])
    plain = SentenceWeights(order["named"], order["nothing named"], {"bias": 0.0})
    rows, right, shares = [], [], []
    for each in found:
        measured = [measures(each.question, candidate) for candidate in each.candidates]
        scores = [plain.score(one) for one in measured]
        first, *others = sorted(range(len(scores)), key=lambda index: -scores[index])
        lead = min(scores[first] - scores[others[0]], MOST_MARGIN) if others else MOST_MARGIN
        known = {**measured[first], "score": scores[first], "margin": lead}
        rows.append([known[name] for name in CERTAINTY])
        right.append(float(each.right[first]))
        shares.append(SHARES[each.posed.source])
    numbers = fitted(np.array(rows), np.array(right), np.array(shares))
    told = [round(float(number), 3) for number in numbers]
    return SentenceWeights(plain.named, plain.unnamed, dict(zip(["bias", *CERTAINTY], told, strict=True)))


def best(example: Example, weights: SentenceWeights | None) -> tuple[float, bool]:
    """The probability of the likeliest sentence, and whether it is right."""
    (first, *_) = rank(example.question, example.candidates, weights)
    return first.probability, example.posed.answerable and example.posed.is_answered_by(first.sentence)


def report(
    name: str, found: Sequence[Example], weights: SentenceWeights | None, levels: Sequence[float]
) -> None:
    told = [best(each, weights) for each in found]
    asked = [each.posed.answerable for each in found]
    count = sum(asked)
    reach = (
        statistics.fmean(any(each.right) for each, can in zip(found, asked, strict=True) if can)
        if count
        else 0
    )
    first = sum(right for (_, right), can in zip(told, asked, strict=True) if can) / max(count, 1)
    parts = [f"{name:24} {len(found):4} questions; within reach {reach:4.0%}, first {first:4.0%}"]
    for level in levels:
        right = sum(p >= level and is_right for p, is_right in told) / max(count, 1)
        wrong = sum(
            p >= level and not is_right for (p, is_right), can in zip(told, asked, strict=True) if can
        ) / max(count, 1)
        others = [p for (p, _), can in zip(told, asked, strict=True) if not can]
        refused = f", refused {sum(p < level for p in others) / len(others):4.0%}" if others else ""
        parts.append(f"p≥{level:.2f}: right {right:4.0%} wrong {wrong:4.0%}{refused}")
    print(" | ".join(parts), flush=True)


def own_texts(sets: Path) -> list[Text]:
    folders = (sets / "documents", sets / "documents_multilingual")
    return [text for folder in folders for text in files(sorted(folder.glob("*.md")))]


def training(options: argparse.Namespace) -> list[Example]:
    hotpot, hotpot_posed = multihop("hotpotqa", options.data)
    made, made_posed = redocred(options.data)
    shelf = opened(options.folder / "A", [*own_texts(options.sets), *hotpot, *made])
    chance = random.Random(1)
    own = [posed for name in OWN for posed in written(options.sets / f"{name}.jsonl")[::2]]
    foreign = [Posed(posed.text, "foreign") for posed in multihop("musique", options.data)[1][::2]]
    whole = [*hotpot_posed[::2], *chance.sample(made_posed, MADE_QUESTIONS), *own, *foreign]
    one_document = [each for each in own if each.document]
    return [*examples(shelf, whole), *examples(shelf, one_document, own_only=True)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["fit", "measure"])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sets", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True, help="where the collections are kept")
    parser.add_argument("--write", type=Path, help="where the weights go")
    parser.add_argument("--levels", type=float, nargs="+", default=[0.3, 0.4, 0.5])
    options = parser.parse_args()
    if options.what == "fit":
        found = training(options)
        weights = fit(found)
        for source in dict.fromkeys(each.posed.source for each in found):
            report(source, [each for each in found if each.posed.source == source], weights, options.levels)
        if options.write:
            told = {
                "fitted on questions": _told(found),
                "named": weights.named,
                "nothing named": weights.unnamed,
                "certainty": weights.certainty,
            }
            options.write.write_text(json.dumps(told, indent=2) + "\n", "utf-8")
    else:
        measure(options)


def measure(options: argparse.Namespace) -> None:
    """The half that was not fitted on: small and large collection, with sense and without."""
    own = {name: written(options.sets / f"{name}.jsonl")[1::2] for name in OWN}
    hotpot, hotpot_posed = multihop("hotpotqa", options.data)
    musique, musique_posed = multihop("musique", options.data)
    made, made_posed = redocred(options.data)
    foreign = {
        "A": [Posed(each.text, "foreign") for each in musique_posed[1::2]],
        "B": [Posed(each.text, "foreign") for each in hotpot_posed[1::2]],
    }
    shelves = {
        "A": [*own_texts(options.sets), *hotpot, *made],
        "B": [*own_texts(options.sets), *musique, *made, *scifact(options.data)],
    }
    for name, texts in shelves.items():
        shelf = opened(options.folder / name, texts)
        print(f"{name}: {len(shelf.texts)} passages")
        questions = own | {
            "made": random.Random(2).sample(made_posed, 200),
            "multi-hop": hotpot_posed[1::2] if name == "A" else musique_posed[1::2],
            "foreign": foreign[name],
        }
        for what, posed in questions.items():
            for sense in (True, False):
                found = list(examples(shelf, posed, sense))
                kept = found if sense else [_without_likeness(each) for each in found]
                report(f"{what}{'' if sense else ', no sense'}", kept, None, options.levels)
        for what in OWN:
            report(
                f"{what}, its document", list(examples(shelf, own[what], own_only=True)), None, options.levels
            )
        took = sorted(each.ms for each in examples(shelf, own["paraphrased"][:20]))
        print(f"retrieval with sense: {took[len(took) // 2]:.0f} ms at the median")


def _without_likeness(example: Example) -> Example:
    candidates = [
        SentenceCandidate(each.text, None, each.title, each.heading, each.passage, each.rank)
        for each in example.candidates
    ]
    return Example(example.posed, example.question, candidates, example.right)


def _told(found: Sequence[Example]) -> dict[str, int]:
    """How many questions of each source, and of foreign ones."""
    counts: dict[str, int] = {}
    for each in found:
        counts[each.posed.source] = counts.get(each.posed.source, 0) + 1
    return counts


if __name__ == "__main__":
    main()
