"""Which data set is meant, and the questions of it that are asked."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from provgraph.errors import InvalidInput
from provgraph.evaluation.datasets.claims import fever, scifact
from provgraph.evaluation.datasets.crag import crag
from provgraph.evaluation.datasets.multihop import hotpotqa, musique
from provgraph.evaluation.datasets.own import own
from provgraph.evaluation.questions import EvaluationQuestion, QuestionSet

PUBLISHED: Final = ("musique", "hotpotqa", "fever", "scifact", "crag")


@dataclass(frozen=True)
class DatasetChoice:
    """`name` is one of `PUBLISHED`, with its file or folder `place`, or the path of a file of one's own.

    `limit` questions are drawn by `seed`, in the order of the file; 0 is all of them.
    """

    name: str
    place: Path | None = None
    passages: Path | None = None
    limit: int = 0
    seed: int = 0


def read_dataset(choice: DatasetChoice) -> QuestionSet:
    """The chosen questions. Raises `InvalidInput` or `NotFound` that says what is wrong with which file."""
    dataset = _distinct(_read(choice))
    if not dataset.questions:
        raise InvalidInput(f"{choice.name} has no question that can be asked. Check its file.")
    if not choice.limit or choice.limit >= len(dataset.questions):
        return dataset
    drawn = random.Random(choice.seed).sample(range(len(dataset.questions)), choice.limit)
    return replace(dataset, questions=tuple(dataset.questions[index] for index in sorted(drawn)))


def _distinct(dataset: QuestionSet) -> QuestionSet:
    """Without items that come twice. Raises `InvalidInput` where one id names different items."""
    kept: dict[str, EvaluationQuestion] = {}
    for question in dataset.questions:
        first = kept.setdefault(question.id, question)
        if (first.text, first.label) != (question.text, question.label):
            raise InvalidInput(f"Two items of {dataset.name} have the id {question.id!r}. Give each its own.")
    if twice := len(dataset.questions) - len(kept):
        left_out = {**dataset.left_out, "the same item a second time": twice}
        return replace(dataset, questions=tuple(kept.values()), left_out=left_out)
    return dataset


def _read(choice: DatasetChoice) -> QuestionSet:
    if choice.name not in PUBLISHED:
        path = Path(choice.name)
        if path.suffix or path.exists():
            return own(path, choice.passages)
        raise InvalidInput(
            f"{choice.name!r} is not a known data set. Use {', '.join(PUBLISHED)}, or a JSONL file of your own."
        )
    if choice.place is None:
        raise InvalidInput(f"Where is {choice.name}? Name its file or folder with --data.")
    if choice.name in ("fever", "scifact"):
        return (fever if choice.name == "fever" else scifact)(choice.place, choice.passages)
    if choice.passages:
        raise InvalidInput(f"{choice.name} brings its own passages. Leave --passages out.")
    return {"musique": musique, "hotpotqa": hotpotqa, "crag": crag}[choice.name](choice.place)
