"""MuSiQue (Trivedi et al. 2022) and HotpotQA (Yang et al. 2018): questions whose evidence lies in several passages.

The passages of all questions make one pool, as in the open setting of both papers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from provgraph.errors import InvalidInput
from provgraph.evaluation.datasets.pool import Pool
from provgraph.evaluation.files import DataFile, Record, data_file, list_of, record_of, sha256_of, text_of
from provgraph.evaluation.questions import EvaluationQuestion, GoldEvidence, QuestionSet


def musique(place: Path) -> QuestionSet:
    """Fields: `id`, `question`, `answer`, `answer_aliases`, `paragraphs` of `title`, `paragraph_text` and
    `is_supporting`, `question_decomposition` with the answer of each hop. Unanswerable ones are left out."""
    file = data_file(place, ("musique_ans*.json*", "musique*[!s].json*"))
    pool = Pool("musique")
    questions = [_musique(record, pool, file.where(number)) for number, record in enumerate(file.records)]
    asked = tuple(
        question
        for question, record in zip(questions, file.records, strict=True)
        if record.get("answerable", True)
    )
    left_out = len(questions) - len(asked)
    return QuestionSet(
        "musique", asked, pool.passages, {"unanswerable": left_out} if left_out else {}, sha256_of([file])
    )


def _musique(record: Record, pool: Pool, where: str) -> EvaluationQuestion:
    evidence = []
    for given in list_of(record, "paragraphs", where):
        paragraph = record_of(given, where)
        passage = pool.add(str(paragraph.get("title", "")), text_of(paragraph, "paragraph_text", where))
        if paragraph.get("is_supporting"):
            evidence.append(GoldEvidence(passage))
    hops = [record_of(hop, where) for hop in list_of(record, "question_decomposition", where)]
    return EvaluationQuestion(
        id=text_of(record, "id", where),
        text=text_of(record, "question", where),
        answers=(text_of(record, "answer", where), *map(str, list_of(record, "answer_aliases", where))),
        evidence=tuple(evidence),
        entities=tuple(dict.fromkeys(str(hop["answer"]) for hop in hops if hop.get("answer"))),
    )


def hotpotqa(place: Path) -> QuestionSet:
    """Fields: `_id`, `question`, `answer`, `context` of `[title, sentences]`, `supporting_facts` of
    `[title, number of the sentence]`."""
    file = data_file(place, ("hotpot_*.json*", "hotpotqa*[!s].json*"))
    pool = Pool("hotpotqa")
    questions = tuple(_hotpotqa(record, pool, file, number) for number, record in enumerate(file.records))
    return QuestionSet("hotpotqa", questions, pool.passages, {}, sha256_of([file]))


def _hotpotqa(record: Record, pool: Pool, file: DataFile, number: int) -> EvaluationQuestion:
    where = file.where(number)
    sentences: dict[str, list[str]] = {}
    for given in list_of(record, "context", where):
        title, said = _pair(given, f"{where}, in 'context',", list)
        sentences[title] = [str(sentence) for sentence in said]
    ids = {title: pool.add(title, "".join(said).strip()) for title, said in sentences.items()}
    facts = [
        _pair(fact, f"{where}, in 'supporting_facts',", int)
        for fact in list_of(record, "supporting_facts", where)
    ]
    return EvaluationQuestion(
        id=text_of(record, "_id", where),
        text=text_of(record, "question", where),
        answers=(text_of(record, "answer", where),),
        evidence=tuple(
            GoldEvidence(ids[title], sentences[title][index].strip())
            for title, index in facts
            if title in ids and 0 <= index < len(sentences[title])  # a few of the set's numbers are too high
        ),
        entities=tuple(dict.fromkeys(title for title, _ in facts)),
    )


def _pair(value: Any, where: str, second: type) -> tuple[str, Any]:
    if isinstance(value, list) and len(value) == 2 and isinstance(value[1], second):
        return str(value[0]), value[1]
    raise InvalidInput(f"{where} has {str(value)[:60]!r}, where a title with what belongs to it is needed.")
