"""Published data sets, each in the format of its authors.

FEVER (Thorne et al. 2018) and SciFact (Wadden et al. 2020) have claims to be judged by what passages say; MuSiQue
(Trivedi et al. 2022) and HotpotQA (Yang et al. 2018) questions whose evidence lies in several passages, which make one
pool, as in the open setting of both papers; CRAG (Yang et al. 2024) questions, each with the web pages of its own that
a search engine found.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from provgraph.errors import InvalidInput
from provgraph.evaluation.files import DataFile, Record, data_file, list_of, record_of, sha256_of, text_of
from provgraph.evaluation.passages import Pool, read_pool, titles_to_ids
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
        return [str(ast.literal_eval(match[0])).strip() for match in _STRING.finditer(str(abstract or ""))]
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
