"""Which data set is meant, a published one or a person's own questions and claims as JSON Lines, and the questions of
it that are asked."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from provgraph.errors import InvalidInput
from provgraph.evaluation.datasets.published import crag, fever, hotpotqa, musique, scifact
from provgraph.evaluation.files import DataFile, Record, list_of, record_of, sha256_of, text_of
from provgraph.evaluation.passages import own_passages, read_pool, titles_to_ids
from provgraph.evaluation.questions import (
    CorpusPassage,
    EvaluationQuestion,
    GoldEvidence,
    QuestionSet,
    Triple,
    label,
)

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


FIELDS: Final = frozenset(
    """
    id question claim answer answers label evidence entities triples explanation explanations paraphrases
    passages
    """.split()
)


def own(path: Path, passages: Path | None = None) -> QuestionSet:
    """Each record has a `question` or a `claim`, and what is known of the right answer: docs/evaluation.md lists the
    fields. Raises `InvalidInput` for a record of another shape."""
    file = DataFile(path)
    files = [file, *([DataFile(passages)] if passages else [])]
    pool = read_pool(files[1]) if passages else {}
    ids = titles_to_ids(pool)
    questions = tuple(_question(record, ids, file, number) for number, record in enumerate(file.records))
    return QuestionSet(path.stem.split(".")[0], questions, tuple(pool.values()), {}, sha256_of(files))


def _question(record: Record, ids: Mapping[str, str], file: DataFile, number: int) -> EvaluationQuestion:
    where = file.where(number)
    if not {"question", "claim"} & set(record):
        raise InvalidInput(
            f"{where} has neither 'question' nor 'claim'. If this is a published data set, name it first: "
            "musique, hotpotqa, fever, scifact or crag."
        )
    if unknown := sorted(set(record) - FIELDS):
        raise InvalidInput(
            f"{where} has {unknown[0]!r}, which means nothing here. Use {', '.join(sorted(FIELDS))}."
        )
    name = str(record.get("id") or number + 1)
    passages = own_passages(
        (record_of(each, where) for each in list_of(record, "passages", where)), name, where
    )
    known = dict(ids) | titles_to_ids({passage.id: passage for passage in passages})
    answers = [*list_of(record, "answer", where), *list_of(record, "answers", where)]
    return EvaluationQuestion(
        id=name,
        text=text_of(record, "claim" if "claim" in record else "question", where),
        answers=tuple(dict.fromkeys(str(answer).strip() for answer in answers if str(answer).strip())),
        label=label(record["label"], where) if record.get("label") else "",
        evidence=tuple(
            _evidence(each, known, passages, where) for each in list_of(record, "evidence", where)
        ),
        entities=tuple(map(str, list_of(record, "entities", where))),
        triples=tuple(_triple(each, where) for each in list_of(record, "triples", where)),
        explanations=tuple(
            map(str, [*list_of(record, "explanation", where), *list_of(record, "explanations", where)])
        ),
        paraphrases=tuple(map(str, list_of(record, "paraphrases", where))),
        passages=passages,
    )


def _evidence(
    given: Any, ids: Mapping[str, str], passages: tuple[CorpusPassage, ...], where: str
) -> GoldEvidence:
    """A text, which one of the question's own passages may hold, or a passage (by id or title) with or without one."""
    if isinstance(given, str):
        holding = (passage.id for passage in passages if given in passage.text)
        return GoldEvidence(next(holding, ""), given.strip())
    named = record_of(given, where)
    passage = str(named.get("passage") or "")
    return GoldEvidence(ids.get(passage, passage), str(named.get("text") or "").strip())


def _triple(given: Any, where: str) -> Triple:
    if isinstance(given, list) and len(given) == 3:
        return str(given[0]), str(given[1]), str(given[2])
    raise InvalidInput(f"{where} has the triple {str(given)[:60]!r}. Write [subject, relation, object].")
