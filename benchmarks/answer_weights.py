"""The weights by which short answers are chosen, fitted on questions whose answers are known, and how well they choose.

    python benchmarks/answer_weights.py --data DIR --folder DIR --write FILE
    python benchmarks/answer_weights.py --data DIR --folder DIR

`--data` holds multihop/ and redocred/. The written documents are those that are kept from training networks. The
weights that come with the program were fitted with questions of SQuAD's development set in their place. The order is
fitted as ListNet, the certainty as a logistic regression on firsts of questions that the order was not fitted on. Every
figure is of questions that neither was fitted on, in four parts. The negative questions are those of one collection put
to another, and those of Re-DocRED that a document does not answer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from sentence_collections import Shelf, Text, files, multihop, opened, redocred
from short_answers import HERE, Asked, is_right
from written_documents import written_documents

from provgraph.derivation.asking import Asking
from provgraph.derivation.choosing import chooses_between
from provgraph.derivation.evidence import Found, ReadPassage, SentenceLikelihood
from provgraph.derivation.hints import Views
from provgraph.derivation.masking import read_with_names
from provgraph.derivation.plan import plan
from provgraph.derivation.ranked import (
    AnswerRanking,
    AnswerWeights,
    LookedUp,
    RankedAnswer,
    certainty_measures,
    ordered,
)
from provgraph.derivation.solving import Solver
from provgraph.flows.runner.reading_passages import CHUNKS, MOST_LIKELY, prose_spans, topic
from provgraph.flows.runner.sentence_choice import rank
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.reader import read_parsed

PARSER = BuiltInParser()
SETS: Final = ("hotpotqa", "musique", "two_step", "paraphrased", "redocred", "written")
ORDER_SHARES: Final = {
    "hotpotqa": 1.0, "musique": 0.6, "two_step": 1.0, "paraphrased": 0.8, "redocred": 0.4, "written": 0.15,
}  # fmt: skip
CERTAINTY_SHARES: Final = {"paraphrased": 0.8, "redocred": 0.35, "written": 0.25, "foreign": 0.8}
"""What a question of each set counts, and 1 where none is named: there are many of one step, and few of two."""
OF_REDOCRED, OF_WRITTEN = 260, 500
"""How many of their questions are asked; all of their texts are searched."""
RIDGE, CERTAINTY_RIDGE, ROUNDS, PARTS = 0.003, 0.5, 250, 4
LEAST: Final = (0.0, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6)


@dataclass(frozen=True)
class PosedSet:
    """Questions and the texts that they are put to; `documents` are those that single questions are narrowed to."""

    name: str
    texts: Sequence[Text]
    questions: Sequence[Asked]


class ShelfFinder:
    """Implements `derivation.evidence.Finder` over a shelf; `document` is the only one searched, all where empty."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._read: dict[tuple[str, str], ReadPassage] = {}
        self.document = ""

    async def passages(self, query: str) -> Sequence[ReadPassage]:
        return (await self.found(query)).passages

    async def found(self, query: str) -> Found:
        asked, candidates, _ = await asyncio.to_thread(self._shelf.candidates, query, 10, True, self.document)
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

    async def about(self, query: str, name: str, most: int) -> Found:
        return (await self.found(query)).about(name, most)

    def _passage(self, title: str, text: str) -> ReadPassage:
        if (title, text) not in self._read:
            parsed = PARSER.parse(text, prose_spans(text))
            reading = read_parsed(text, parsed, topic(title, text))
            key = f"{title}/{len(self._read)}"
            self._read[title, text] = ReadPassage(key, title, title, text, reading, tuple(parsed))
        return self._read[title, text]


@dataclass(frozen=True)
class Example:
    """The candidates of a question, measured (`inputs`, a row each), and which of them are right."""

    source: str
    asked: Asking
    rows: list[tuple[Any, ...]]
    inputs: np.ndarray
    right: np.ndarray


# the questions


def posed(name: str, data: Path) -> PosedSet:
    if name in ("hotpotqa", "musique"):
        texts, asked = multihop(name, data)
        return PosedSet(name, texts, [Asked(each.text, each.answers) for each in asked])
    if name == "redocred":
        return _redocred(data)
    if name == "written":
        return _written()
    folder = {"two_step": "documents_graph", "paraphrased": "documents"}[name]
    rows = map(json.loads, (HERE / f"{name}.jsonl").read_text("utf-8").splitlines())
    asked = [
        Asked(
            row["question"],
            tuple(row["answers"]),
            documents=(row["document"],) if name == "paraphrased" else (),
        )
        for row in rows
        if row["kind"] != "yes-no"
    ]
    return PosedSet(name, list(files(sorted((HERE / folder).iterdir()))), asked)


def _redocred(data: Path) -> PosedSet:
    """Questions that a document answers, and a fifth as many that it does not."""
    texts, asked = redocred(data)
    chance = random.Random(3)
    answered = [each for each in asked if each.answerable]
    unanswered = [each for each in asked if not each.answerable]
    chance.shuffle(answered)
    chance.shuffle(unanswered)
    return PosedSet(
        "redocred",
        texts,
        [
            *(Asked(each.text, tuple(each.answers)) for each in answered[:OF_REDOCRED]),
            *(Asked(each.text, ()) for each in unanswered[: OF_REDOCRED // 5]),
        ],
    )


def _written() -> PosedSet:
    """Every other question is put to its document alone; a quarter of all is not answered there."""
    texts, questions = [], []
    for number, row in enumerate(written_documents(held=True)):
        document = f"written/{number}"
        texts.append(Text(document, row["title"], tuple(row["text"].split("\n\n"))))
        answered = [Asked(each["q"], (each["answer"],)) for each in row["questions"]]
        unanswered = [Asked(each, ()) for each in row["unanswerable"]]
        questions += [
            replace(asked, documents=(document,)) if place % 2 else asked
            for place, asked in enumerate(answered + unanswered)
        ]
    chosen = np.random.default_rng(1).choice(len(questions), OF_WRITTEN, replace=False)
    return PosedSet("written", texts, [questions[at] for at in sorted(chosen)])


def foreign(sets: Mapping[str, PosedSet]) -> Iterator[PosedSet]:
    """Questions that the collection they are put to cannot answer."""
    for name, other, every in (("musique", "hotpotqa", 2), ("paraphrased", "written", 5)):
        asked = [Asked(each.question, ()) for each in sets[other].questions[::every]]
        yield replace(sets[name], questions=asked)


async def examples(source: str, finder: ShelfFinder, questions: Sequence[Asked]) -> list[Example]:
    found, views = [], Views()
    for each in questions:
        finder.document = each.documents[0] if each.documents else ""
        reading = read_with_names(each.question, PARSER, await finder.passages(each.question))
        if chooses_between(reading) or reading.kind == "yes-no":
            continue
        known = LookedUp(await Solver(plan(reading), finder).solutions())
        ranking = AnswerRanking(reading, each.question, PARSER, finder, views, known)
        asked, rows, _ = await ranking.measured()
        if rows:
            right = np.array([bool(each.answers) and is_right(label, each) for label, _, _ in rows], float)
            inputs = np.array([list(measured.values()) for _, _, measured in rows])
            found.append(Example(source, asked, rows, inputs, right))
    return found


# the fits


def order_by(
    found: Sequence[Example], start: Mapping[str, float] | None = None, ridge: float = RIDGE
) -> dict[str, float]:
    """Weights by which a right candidate comes first: cross entropy of the softmax over the candidates of each
    question, by Adam (Kingma & Ba 2015); held at those of `start`, at 0 without."""
    names = list(found[0].rows[0][2])
    lists = [e for e in found if 0 < e.right.sum() < len(e.right) and e.source in ORDER_SHARES]
    sizes = [len(each.right) for each in lists]
    begins, owner = np.cumsum([0, *sizes[:-1]]), np.repeat(np.arange(len(lists)), sizes)
    inputs, right = np.vstack([e.inputs for e in lists]), np.concatenate([e.right for e in lists])
    shares = np.array([ORDER_SHARES[e.source] for e in lists])
    share = shares[owner] / shares.sum()
    held = np.array([(start or {}).get(name, 0.0) for name in names])
    weights, mean, square = held.copy(), np.zeros(len(names)), np.zeros(len(names))
    for step in range(1, ROUNDS + 1):
        scores = inputs @ weights
        chance = np.exp(scores - np.maximum.reduceat(scores, begins)[owner])
        chance /= np.add.reduceat(chance, begins)[owner]
        wanted = chance * right
        wanted /= np.add.reduceat(wanted, begins)[owner]
        gradient = ridge * (weights - held) + inputs.T @ ((chance - wanted) * share)
        mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
        rate = 0.2 if step < ROUNDS * 0.8 else 0.05
        weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)}


def first(example: Example, order: Mapping[str, float]) -> tuple[RankedAnswer, bool]:
    best = ordered(example.rows, AnswerWeights(order, {}))[0]
    labels = [label.casefold() for label, _, _ in example.rows]
    return best, bool(example.right[labels.index(best.label.casefold())])


def certainty_by(
    rows: np.ndarray,
    right: np.ndarray,
    shares: np.ndarray,
    start: np.ndarray | None = None,
    strength: float = CERTAINTY_RIDGE,
) -> np.ndarray:
    """Logistic regression with ridge towards `start`, by Newton's method (Bishop 2006, section 4.3.3)."""
    held = np.zeros(rows.shape[1]) if start is None else start
    weights = held.copy()
    ridge = np.diag([1e-6, *[strength] * (rows.shape[1] - 1)])
    for _ in range(40):
        chance = 1 / (1 + np.exp(-rows @ weights))
        curvature = (rows * (chance * (1 - chance) * shares)[:, None]).T @ rows + ridge
        weights -= np.linalg.solve(curvature, rows.T @ ((chance - right) * shares) + ridge @ (weights - held))
    return weights


def chances_by_parts(rows: np.ndarray, right: np.ndarray, shares: np.ndarray, part: np.ndarray) -> np.ndarray:
    """How likely each is right by weights that were fitted on the other parts."""
    chance = np.zeros(len(right))
    for one in np.unique(part):
        rest = part != one
        weights = certainty_by(rows[rest], right[rest], shares[rest])
        chance[~rest] = 1 / (1 + np.exp(-rows[~rest] @ weights))
    return chance


def fit(found: Sequence[Example]) -> dict[str, dict[str, float]]:
    """The order by all, the certainty by firsts of parts that were not fitted on; tells how well both do."""
    part = np.random.default_rng(1).integers(0, PARTS, len(found))
    orders = [order_by([e for e, its in zip(found, part, strict=True) if its != one]) for one in range(PARTS)]
    told = [first(each, orders[its]) for each, its in zip(found, part, strict=True)]
    known = [certainty_measures(best, e.asked) for e, (best, _) in zip(found, told, strict=True)]
    rows = np.array([list(each.values()) for each in known])
    right = np.array([is_first for _, is_first in told], float)
    shares = np.array([CERTAINTY_SHARES.get(each.source, 1.0) for each in found])
    tell(found, right, chances_by_parts(rows, right, shares, part))
    certainty = certainty_by(rows, right, shares)
    return {
        "order": order_by(found),
        "certainty": {name: round(float(w), 3) for name, w in zip(known[0], certainty, strict=True)},
    }


def tell(found: Sequence[Example], right: np.ndarray, chance: np.ndarray) -> None:
    asked = Counter(each.source for each in found)
    for least in LEAST:
        given, good = Counter[str](), Counter[str]()
        for example, is_first, likely in zip(found, right, chance, strict=True):
            given[example.source] += likely >= least
            good[example.source] += bool(is_first and likely >= least)
        figures = (f"{name} {good[name]} right of {given[name]} given, {asked[name]} asked" for name in asked)
        print(f"{least:4}: {'; '.join(figures)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="folder with multihop/ and redocred/")
    parser.add_argument("--folder", type=Path, required=True, help="where the shelves are kept")
    parser.add_argument("--write", type=Path, help="write the weights, fitted on all")
    options = parser.parse_args()
    sets = {name: posed(name, options.data) for name in SETS}
    found: list[Example] = []
    finders = {}
    for name, each in sets.items():
        (options.folder / name).mkdir(parents=True, exist_ok=True)
        finders[name] = ShelfFinder(opened(options.folder / name, each.texts))
        found += asyncio.run(examples(name, finders[name], each.questions))
        print(name, len(found), flush=True)
    for each in foreign(sets):
        found += asyncio.run(examples("foreign", finders[each.name], each.questions))
    weights = fit(found)
    if options.write:
        options.write.write_text(json.dumps(weights, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
