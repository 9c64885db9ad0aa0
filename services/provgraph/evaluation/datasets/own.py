"""A person's own questions or claims, as JSON Lines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from provgraph.errors import InvalidInput
from provgraph.evaluation.datasets.pool import own_passages, read_pool, titles_to_ids
from provgraph.evaluation.files import DataFile, Record, list_of, record_of, sha256_of, text_of
from provgraph.evaluation.questions import (
    CorpusPassage,
    EvaluationQuestion,
    GoldEvidence,
    QuestionSet,
    Triple,
    label,
)

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
