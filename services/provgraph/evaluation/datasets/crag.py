"""CRAG (Yang et al. 2024): questions, each with the web pages of its own that a search engine found."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

from provgraph.evaluation.files import Record, data_file, list_of, record_of, sha256_of, text_of
from provgraph.evaluation.questions import CorpusPassage, EvaluationQuestion, QuestionSet

INVALID: Final = "invalid question"


def crag(place: Path) -> QuestionSet:
    """Fields: `interaction_id`, `query`, `answer`, `alternative_answers`, `search_results` of `page_name`, `page_url`
    and `page_result`. Items whose answer or type is "invalid question" are left out, and pages without content."""
    file = data_file(place, ("crag*.json*", "*.jsonl*"))
    left_out: Counter[str] = Counter()
    questions = []
    for number, record in enumerate(file.records):
        if INVALID in (_plain(record.get("answer")), _plain(record.get("question_type"))):
            left_out[INVALID] += 1
        else:
            questions.append(_question(record, file.where(number)))
    return QuestionSet("crag", tuple(questions), (), dict(left_out), sha256_of([file]))


def _question(record: Record, where: str) -> EvaluationQuestion:
    pages: dict[str, CorpusPassage] = {}
    for result in list_of(record, "search_results", where):
        page = record_of(result, where)
        content = str(page.get("page_result") or "")
        if content.strip():
            name = f"crag/{hashlib.sha256(content.encode(errors='replace')).hexdigest()[:16]}"
            title = str(page.get("page_name") or page.get("page_url") or "")
            pages.setdefault(name, CorpusPassage(name, title, content, html=True))
    return EvaluationQuestion(
        id=text_of(record, "interaction_id", where),
        text=text_of(record, "query", where),
        answers=(text_of(record, "answer", where), *_alternatives(record, where)),
        passages=tuple(pages.values()),
    )


def _alternatives(record: Record, where: str) -> list[str]:
    """Other spellings: a list, or the text of one."""
    given: Any = record.get("alternative_answers", record.get("alt_ans"))
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            given = [given]
    return [str(each) for each in list_of({"given": given}, "given", where) if str(each).strip()]


def _plain(value: Any) -> str:
    return str(value or "").strip().casefold().replace("_", " ")
