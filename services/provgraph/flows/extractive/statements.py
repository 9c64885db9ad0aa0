"""The sentences of an answer: those of the evidence that answer, word for word, each with every place that says it.

Of a table row, what it is of and the cells that are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.catalogue.sources import Words
from provgraph.documents.table_model import Cell
from provgraph.documents.table_rows import TableRow
from provgraph.flows.extractive.evidence import Findings, ScoredEvidence
from provgraph.flows.runner.answers import AnswerSentence
from provgraph.language.mentions import MentionSpan, mentions
from provgraph.language.terms import terms

MOST_CELLS: Final = 4
_BAR: Final = " | "


@dataclass(frozen=True)
class QuotedStatement:
    """A sentence of the answer, which begins at `start` of it; mentions are told in characters of `text`.

    `chunks` are indexes of the selected chunks.
    """

    start: int
    text: str
    chunks: tuple[int, ...]
    words: tuple[Words, ...]
    mentions: tuple[MentionSpan, ...]

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def sentence(self) -> AnswerSentence:
        return AnswerSentence(self.start, self.end, self.words, chunks=self.chunks)


def joined_text(quoted: Sequence[QuotedStatement]) -> str:
    """The answer: sentences parted by a space, rows of tables by a line end."""
    parts: list[str] = []
    for statement in quoted:
        if parts:
            parts.append("\n" if _BAR in parts[-1] or _BAR in statement.text else " ")
        parts.append(statement.text)
    return "".join(parts)


def statements(findings: Findings) -> tuple[QuotedStatement, ...]:
    """The statements of an answer in which they are parted by one character."""
    quoted: list[QuotedStatement] = []
    for evidence in findings.answer:
        start = quoted[-1].end + 1 if quoted else 0
        quoted.append(_statement(start, evidence, findings))
    return tuple(quoted)


def _statement(start: int, answering: ScoredEvidence, findings: Findings) -> QuotedStatement:
    same = [evidence for evidence in findings.evidence if evidence.text == answering.text]
    chunks = dict.fromkeys(findings.selected.index(evidence.passage) for evidence in same)
    parts = [
        list(_parts(evidence, findings.passages[evidence.passage].rows.get(evidence.words.start)))
        for evidence in same
    ]
    text = _BAR.join(" ".join(part.text.split()) for part in parts[0])
    named = mentions(text, findings.passages[answering.passage].hit.text)
    return QuotedStatement(
        start, text, tuple(chunks), tuple(part for own in parts for part in own), tuple(named)
    )


def _parts(evidence: ScoredEvidence, row: TableRow | None) -> Iterator[Words]:
    """The sentence; or of a row of several cells what it is of, and those cells that have most of the question."""
    words = evidence.words
    asked = {form for term in evidence.terms for form in terms(term)}
    met = [len(asked.intersection(terms(_headed(cell)))) for cell in row.cells] if row else []
    if row is None or row.end != words.end or not any(met):
        yield words
        return
    if row.start < row.cells[0].start:
        label = words.text[: row.cells[0].start - row.start].rstrip(" |")
        yield _part(words, words.start, words.start + len(label))
    best = [cell for cell, count in zip(row.cells, met, strict=True) if count == max(met)]
    for cell in best[:MOST_CELLS]:
        yield _part(words, cell.start, cell.end)


def _headed(cell: Cell) -> str:
    return " ".join((*cell.column_header, cell.text))


def _part(words: Words, start: int, end: int) -> Words:
    return replace(words, start=start, end=end, text=words.text[start - words.start : end - words.start])
