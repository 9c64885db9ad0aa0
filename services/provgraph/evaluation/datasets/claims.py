"""FEVER (Thorne et al. 2018) and SciFact (Wadden et al. 2020): claims to be judged by what passages say."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from provgraph.errors import InvalidInput
from provgraph.evaluation.datasets.pool import Pool, read_pool, titles_to_ids
from provgraph.evaluation.files import DataFile, Record, data_file, list_of, record_of, sha256_of, text_of
from provgraph.evaluation.questions import (
    NOT_ENOUGH_INFO,
    CorpusPassage,
    EvaluationQuestion,
    GoldEvidence,
    QuestionSet,
    label,
)

_STRING: Final = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_NUMBER: Final = re.compile(r"\d+")


def fever(place: Path, passages: Path | None = None) -> QuestionSet:
    """Fields: `id`, `claim`, `label`, and `evidence_text`, the gold evidence as text; the texts of all claims are the
    pool. Without `evidence_text`, `evidence` names pages as FEVER's own files do, and `passages` holds these."""
    file = data_file(place, ("fever*.json*", "*dev*.json*", "*.jsonl"))
    if passages:
        pages = DataFile(passages)
        found = read_pool(pages)
        ids = titles_to_ids(found)
        questions = tuple(
            _fever_of_pages(record, ids, file.where(number)) for number, record in enumerate(file.records)
        )
        return QuestionSet("fever", questions, tuple(found.values()), {}, sha256_of([file, pages]))
    pool = Pool("fever")
    questions = tuple(_fever(record, pool, file.where(number)) for number, record in enumerate(file.records))
    if not pool.passages:
        raise InvalidInput(
            f"{file.path} names evidence without its text. Give the pages with --passages FILE."
        )
    return QuestionSet("fever", questions, pool.passages, {}, sha256_of([file]))


def _fever(record: Record, pool: Pool, where: str) -> EvaluationQuestion:
    text = str(record.get("evidence_text") or "").strip()
    evidence = (GoldEvidence(pool.add("", text), text),) if text else ()
    return _claim(record, record.get("label"), evidence, where)


def _fever_of_pages(record: Record, ids: Mapping[str, str], where: str) -> EvaluationQuestion:
    pages = (_page(item) for group in list_of(record, "evidence", where) for item in group)
    named = dict.fromkeys(page for page in pages if page)
    evidence = tuple(GoldEvidence(ids.get(page, page)) for page in named)
    return _claim(record, record.get("label"), evidence, where)


def _page(item: Any) -> str:
    """The page of one of FEVER's pieces of evidence: `[annotation, evidence, page, sentence]`."""
    return str(item[2]) if isinstance(item, list) and len(item) > 2 and item[2] else ""


def scifact(place: Path, passages: Path | None = None) -> QuestionSet:
    """Claims beside `…corpus…`, both as JSON Lines or both as CSV with a row for each piece of evidence.

    Of several verdicts on a claim, the first counts.
    """
    file = data_file(place, ("*claims*dev*.json*", "*claims*train*.json*", "*claims*"))
    corpus = DataFile(passages) if passages else data_file(file.path.parent, ("*corpus*",))
    abstracts = dict(_abstracts(corpus))
    claims: dict[str, EvaluationQuestion] = {}
    for number, record in enumerate(file.records):
        question = _scifact(record, abstracts, file.where(number))
        before = claims.get(question.id)
        if before and before.evidence:
            question = replace(before, evidence=tuple(dict.fromkeys((*before.evidence, *question.evidence))))
        claims[question.id] = question
    pool = tuple(
        CorpusPassage(document, title, " ".join(sentences))
        for document, (title, sentences) in abstracts.items()
        if sentences
    )
    return QuestionSet("scifact", tuple(claims.values()), pool, {}, sha256_of([file, corpus]))


def _abstracts(corpus: DataFile) -> Iterator[tuple[str, tuple[str, list[str]]]]:
    for number, record in enumerate(corpus.records):
        where = corpus.where(number)
        yield (
            text_of(record, "doc_id", where),
            (str(record.get("title") or ""), _sentences(record.get("abstract"))),
        )


def _sentences(abstract: Any) -> list[str]:
    """A list of sentences, also where it was written as the text of a Python list or a NumPy array."""
    if isinstance(abstract, list):
        return [str(sentence).strip() for sentence in abstract]
    try:
        return [str(ast.literal_eval(found[0])).strip() for found in _STRING.finditer(str(abstract or ""))]
    except (ValueError, SyntaxError):
        return [str(abstract)]


def _scifact(
    record: Record, abstracts: Mapping[str, tuple[str, list[str]]], where: str
) -> EvaluationQuestion:
    if isinstance(record.get("evidence"), dict):
        found = [
            (str(document), record_of(piece, where))
            for document, pieces in record["evidence"].items()
            for piece in pieces
        ]
        given = [(document, piece.get("label"), piece.get("sentences") or []) for document, piece in found]
    elif record.get("evidence_doc_id"):
        numbers = [int(number) for number in _NUMBER.findall(str(record.get("evidence_sentences")))]
        given = [(str(record["evidence_doc_id"]), record.get("evidence_label"), numbers)]
    else:
        given = []
    evidence = tuple(
        GoldEvidence(document, abstracts[document][1][index])
        for document, _, sentences in given
        for index in sentences
        if document in abstracts and index < len(abstracts[document][1])
    )
    return _claim(record, given[0][1] if given else NOT_ENOUGH_INFO, evidence, where)


def _claim(record: Record, given: Any, evidence: tuple[GoldEvidence, ...], where: str) -> EvaluationQuestion:
    return EvaluationQuestion(
        id=text_of(record, "id", where),
        text=text_of(record, "claim", where),
        label=label(given, where),
        evidence=evidence,
    )
