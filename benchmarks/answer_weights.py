"""The weights by which short answers are chosen, fitted on questions whose answers are known, and how well they choose.

    python benchmarks/answer_weights.py --data DIR --folder DIR --write FILE
    python benchmarks/answer_weights.py --data DIR --folder DIR

`--data` holds multihop/. Every figure is of questions that were not fitted on: by set, with the set left out, and in
three parts. Questions to another collection are the negative ones.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sentence_collections import Shelf, Text, files, multihop, opened
from short_answers import HERE, Asked, is_right

from provgraph.derivation.evidence import Found, ReadPassage, SentenceLikelihood
from provgraph.derivation.hints import Views
from provgraph.derivation.masking import read_with_names
from provgraph.derivation.ranked import (
    AnswerRanking,
    AnswerWeights,
    RankedAnswer,
    certainty_measures,
    ordered,
)
from provgraph.flows.runner.reading_passages import CHUNKS, MOST_LIKELY, prose_spans, topic
from provgraph.flows.runner.sentence_choice import rank
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.reader import read_parsed

PARSER = BuiltInParser()
SHARES = {"hotpotqa": 1.0, "musique": 0.7, "two_step": 0.7, "paraphrased": 0.5}
"""What a question of each set counts."""
RIDGE, CERTAINTY_RIDGE, ROUNDS, PARTS = 0.003, 0.5, 250, 3


class ShelfFinder:
    """Implements `derivation.evidence.Finder` over a shelf."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._read: dict[tuple[str, str], ReadPassage] = {}

    async def passages(self, query: str) -> Sequence[ReadPassage]:
        return (await self.found(query)).passages

    async def found(self, query: str) -> Found:
        asked, candidates, _ = await asyncio.to_thread(self._shelf.candidates, query)
        ranking = rank(asked, candidates)
        likely = {each.sentence.passage for each in ranking[:MOST_LIKELY]}
        kept, senses = {}, {}
        for each in sorted(ranking, key=lambda one: one.sentence.rank):
            place = each.sentence
            if place.rank <= CHUNKS or place.passage in likely:
                passage = kept.setdefault(place.rank, self._passage(place.title, place.passage))
                sense = SentenceLikelihood(place.likeness or 0.0, each.probability)
                senses[passage.key, place.passage.find(place.text)] = sense
        return Found(tuple(kept.values()), {term.text: term.weight for term in asked.weighed}, senses)

    def _passage(self, title: str, text: str) -> ReadPassage:
        if (title, text) not in self._read:
            parsed = PARSER.parse(text, prose_spans(text))
            reading = read_parsed(text, parsed, topic(title, text))
            key = f"{title}/{len(self._read)}"
            self._read[title, text] = ReadPassage(key, title, title, text, reading, tuple(parsed))
        return self._read[title, text]


@dataclass(frozen=True)
class Example:
    """The candidates of a question, measured, and which of them are right."""

    source: str
    asked: object
    rows: list[tuple]
    right: np.ndarray

    @property
    def inputs(self) -> np.ndarray:
        return np.array([list(measured.values()) for _, _, measured in self.rows])


def posed(name: str, data: Path) -> tuple[list[Text], list[Asked]]:
    if name in ("hotpotqa", "musique"):
        texts, asked = multihop(name, data)
        return texts, [Asked(each.text, each.answers) for each in asked]
    folder = {"two_step": "documents_graph", "paraphrased": "documents"}[name]
    rows = map(json.loads, (HERE / f"{name}.jsonl").read_text("utf-8").splitlines())
    asked = [Asked(row["question"], tuple(row["answers"])) for row in rows if row["kind"] != "yes-no"]
    return list(files(sorted((HERE / folder).iterdir()))), asked


async def examples(name: str, finder: ShelfFinder, questions: Sequence[Asked]) -> list[Example]:
    found, views = [], Views()
    for each in questions:
        reading = read_with_names(each.question, PARSER, await finder.passages(each.question))
        if reading.alternatives or reading.kind == "yes-no":
            continue
        asked, rows, _ = await AnswerRanking(reading, each.question, PARSER, finder, views).measured()
        if rows:
            right = np.array([is_right(label, each) for label, _, _ in rows], float)
            found.append(Example(name, asked, rows, right))
    return found


def order_by(found: Sequence[Example]) -> dict[str, float]:
    """Weights by which a right candidate comes first: cross entropy of the softmax over the candidates of each
    question, by Adam (Kingma & Ba 2015)."""
    names = list(found[0].rows[0][2])
    lists = [
        (e.inputs, e.right, SHARES.get(e.source, 0.0)) for e in found if 0 < e.right.sum() < len(e.right)
    ]
    whole = sum(share for _, _, share in lists)
    weights, mean, square = (np.zeros(len(names)) for _ in range(3))
    for step in range(1, ROUNDS + 1):
        gradient = RIDGE * weights
        for inputs, right, share in lists:
            scores = inputs @ weights
            chance = np.exp(scores - scores.max())
            chance /= chance.sum()
            wanted = chance * right / (chance * right).sum()
            gradient = gradient + share / whole * (inputs.T @ (chance - wanted))
        mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
        rate = 0.2 if step < ROUNDS * 0.8 else 0.05
        weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)}


def first(example: Example, order: Mapping[str, float]) -> tuple[RankedAnswer, bool]:
    best = ordered(example.rows, AnswerWeights(order, {}))[0]
    labels = [label.casefold() for label, _, _ in example.rows]
    return best, bool(example.right[labels.index(best.label.casefold())])


def certainty_by(rows: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Logistic regression with ridge, by Newton's method (Bishop 2006, section 4.3.3)."""
    weights = np.zeros(rows.shape[1])
    ridge = np.diag([1e-6, *[CERTAINTY_RIDGE] * (rows.shape[1] - 1)])
    for _ in range(40):
        chance = 1 / (1 + np.exp(-rows @ weights))
        curvature = (rows * (chance * (1 - chance))[:, None]).T @ rows + ridge
        weights -= np.linalg.solve(curvature, rows.T @ (chance - right) + ridge @ weights)
    return weights


def fit(found: Sequence[Example]) -> dict[str, dict[str, float]]:
    """The order by all, the certainty by firsts of parts that were not fitted on; tells how well both do."""
    told = []
    for part in range(PARTS):
        order = order_by([each for at, each in enumerate(found) if at % PARTS != part])
        told += [(each, *first(each, order)) for at, each in enumerate(found) if at % PARTS == part]
    known = [certainty_measures(best, example.asked) for example, best, _ in told]  # type: ignore[arg-type]
    rows = np.array([list(each.values()) for each in known])
    right = np.array([is_first for _, _, is_first in told], float)
    sources = np.array([example.source for example, _, _ in told])
    weights = certainty_by(rows, right)
    chance = 1 / (1 + np.exp(-rows @ weights))
    for least in (0.0, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6):
        figures = {
            str(
                name
            ): f"{right[chosen].sum():.0f} right of {chosen.sum()} given, {(sources == name).sum()} asked"
            for name in dict.fromkeys(sources)
            if (chosen := (sources == name) & (chance >= least)) is not None
        }
        print(least, figures, flush=True)
    certainty = {name: round(float(weight), 3) for name, weight in zip(known[0], weights, strict=True)}
    return {"order": order_by(found), "certainty": certainty}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="folder with multihop/")
    parser.add_argument("--folder", type=Path, required=True, help="where the shelves are kept")
    parser.add_argument("--write", type=Path, help="write the weights, fitted on all")
    options = parser.parse_args()
    found: list[Example] = []
    asked: dict[str, list[Asked]] = {}
    finders: dict[str, ShelfFinder] = {}
    for name in SHARES:
        texts, asked[name] = posed(name, options.data)
        (options.folder / name).mkdir(parents=True, exist_ok=True)
        finders[name] = ShelfFinder(opened(options.folder / name, texts))
        found += asyncio.run(examples(name, finders[name], asked[name]))
    foreign = [Asked(each.question, ()) for each in asked["hotpotqa"][::2]]
    found += asyncio.run(examples("foreign", finders["musique"], foreign))
    for name in SHARES:
        order = order_by([each for each in found if each.source != name])
        mine = [each for each in found if each.source == name]
        print(
            name, "left out:", sum(first(each, order)[1] for each in mine), "first of", len(mine), flush=True
        )
    np.random.default_rng(1).shuffle(found)  # type: ignore[arg-type]
    weights = fit(found)
    if options.write:
        options.write.write_text(json.dumps(weights, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
