"""How an answer is chosen among all that the network reads, fitted on questions whose answers are known.

    python benchmarks/read_weights.py --data DIR --folder DIR

Prints the weights of `provgraph.derivation.read_openly`, and how many answers are given and right from several
probabilities on, of questions that they were not fitted on (in four parts). The sets are those of
`benchmarks/answer_weights.py` without Re-DocRED; a question to a written document is put to it alone where it names
nothing, and to all of them otherwise. What is found by other ways and stands (a comparison, several steps, what is
surer than `SURE`) is not fitted on.
"""

from __future__ import annotations

import argparse
import asyncio
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from answer_weights import PARSER, PosedSet, ShelfFinder, posed
from sentence_collections import Text, opened
from short_answers import Asked, is_right
from written_documents import written_documents

from provgraph.derivation.answer import SURE, Answerer
from provgraph.derivation.asking import asking
from provgraph.derivation.differences import difference_asked
from provgraph.derivation.masking import read_with_names
from provgraph.derivation.read_openly import WEIGHTS, AskedOpenly, ReadAnswer, candidates
from provgraph.derivation.result import Derived, Incomplete, Probable

SETS: Final = ("written", "hotpotqa", "paraphrased", "two_step")
SHARES: Final = {"written": 0.4}
"""What a question of each set counts, and 1 where none is named."""
OF_WRITTEN: Final = 1400
PARTS, ROUNDS, RIDGE, RATE = 4, 250, 0.003, 0.05
LEAST: Final = (0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7)
_NAME: Final = re.compile(r"\s[A-ZÀ-Þ]")


@dataclass(frozen=True)
class Fitted:
    """The candidates of a question with a last row for none of them, and which are right."""

    source: str
    answers: Sequence[ReadAnswer]
    rows: np.ndarray
    right: np.ndarray

    @property
    def share(self) -> float:
        return SHARES.get(self.source, 1.0)


class WithoutReading(Answerer):
    """What is found by all other ways."""

    async def _beside_what_is_read(
        self,
        text: str,  # noqa: ARG002
        result: Derived | Probable | Incomplete | None,
    ) -> Derived | Probable | Incomplete | None:
        return result


def written() -> PosedSet:
    texts, asked = [], []
    for number, row in enumerate(written_documents(held=True)):
        document = f"written/{number}"
        texts.append(Text(document, row["title"], tuple(row["text"].split("\n\n"))))
        known = [
            *((each["q"], (each["answer"],)) for each in row["questions"]),
            *((q, ()) for q in row["unanswerable"]),
        ]
        asked += [Asked(q, said, documents=() if _NAME.search(q) else (document,)) for q, said in known]
    chosen = np.random.default_rng(1).choice(len(asked), OF_WRITTEN, replace=False)
    return PosedSet("written", texts, [asked[at] for at in sorted(chosen)])


def the_set(name: str, data: Path) -> PosedSet:
    if name == "written":
        return written()
    posed_set = posed(name, data)
    return replace(posed_set, questions=[replace(each, documents=()) for each in posed_set.questions])


async def fitted(name: str, question: Asked, finder: ShelfFinder) -> Fitted | None:
    finder.document = question.documents[0] if question.documents else ""
    found = await finder.found(question.question)
    result = await WithoutReading(PARSER, finder, in_one=bool(finder.document)).answer(question.question)
    stands = isinstance(result, Derived) and (result.confidence >= SURE or len(result.steps) > 1)
    reading = read_with_names(question.question, PARSER, found.passages)
    wanted = asking(reading, question.question, PARSER, {})
    asked = AskedOpenly(question.question, wanted.kind, reading.kind == "list", bool(finder.document))
    if stands or not asked.may_be_read or difference_asked(question.question):
        return None
    known = ("", 0.0)
    if isinstance(result, Derived | Probable):
        known = result.steps[-1].value, result.confidence
    answers = candidates(asked, found, known)
    right = [bool(question.answers) and is_right(each.text, question) for each in answers]
    rows = [[*(each.measured[measure] for measure in WEIGHTS), 0.0] for each in answers]
    none = [*[0.0] * len(WEIGHTS), 1.0]
    return Fitted(name, answers, np.array([*rows, none]), np.array([*right, not any(right)], float))


def every(name: str, data: Path, folder: Path) -> Iterator[Fitted]:
    of = the_set(name, data)
    (folder / name).mkdir(parents=True, exist_ok=True)
    finder = ShelfFinder(opened(folder / name, of.texts))
    for question in of.questions:
        example = asyncio.run(fitted(name, question, finder))
        if example is not None and example.answers:
            yield example


def weights_by(examples: Sequence[Fitted]) -> np.ndarray:
    """Cross entropy of the softmax over the candidates and none, by Adam (Kingma & Ba 2015)."""
    weights = np.zeros(len(WEIGHTS) + 1)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    whole = sum(each.share for each in examples)
    for step in range(1, ROUNDS + 1):
        gradient = RIDGE * weights
        for each in examples:
            chance = chances(each, weights)
            wanted = chance * each.right
            gradient += each.share / whole * (each.rows.T @ (chance - wanted / max(wanted.sum(), 1e-9)))
        mean, square = 0.9 * mean + 0.1 * gradient, 0.99 * square + 0.01 * gradient**2
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def chances(example: Fitted, weights: np.ndarray) -> np.ndarray:
    scores = example.rows @ weights
    shares = np.exp(scores - scores.max())
    return np.asarray(shares / shares.sum())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--data", type=Path, required=True, help="folder with multihop/")
    options.add_argument("--folder", type=Path, required=True, help="where the shelves are kept")
    chosen = options.parse_args()
    examples = [each for name in SETS for each in every(name, chosen.data, chosen.folder)]
    part = np.random.default_rng(1).integers(0, PARTS, len(examples))
    likely, good = np.zeros(len(examples)), np.zeros(len(examples))
    for one in range(PARTS):
        weights = weights_by([e for e, its in zip(examples, part, strict=True) if its != one])
        for at in np.flatnonzero(part == one):
            chance = chances(examples[at], weights)[:-1]
            likely[at], good[at] = chance.max(), examples[at].right[int(chance.argmax())]
    for least in LEAST:
        given = Counter(e.source for e, chance in zip(examples, likely, strict=True) if chance >= least)
        right = Counter(
            e.source
            for e, chance, is_good in zip(examples, likely, good, strict=True)
            if chance >= least and is_good
        )
        print(f"{least:4}: {'; '.join(f'{name} {right[name]} right of {given[name]}' for name in given)}")
    names = (*WEIGHTS, "none")
    print({name: round(float(weight), 2) for name, weight in zip(names, weights_by(examples), strict=True)})


if __name__ == "__main__":
    main()
