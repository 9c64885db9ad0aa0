"""What papers say of their problem, their method, their results and their limits, each in a sentence of their own: a
summary of each, or a table that sets them side by side. Without a model; every sentence is cited.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.catalogue.papers import StoredPaper
from provgraph.flows.research.candidates import PaperCandidates, find_candidates
from provgraph.flows.runner.answers import AnswerSentence, DraftAnswer, refusal
from provgraph.flows.runner.chunk_answers import ChunkSelection, WeighedPassage
from provgraph.flows.runner.passages import QuestionWeights
from provgraph.flows.runner.read_passages import ReadWords, read_passages
from provgraph.flows.runner.run import Run
from provgraph.language.asked_aspects import Overview
from provgraph.ports.retriever import RetrievalRequest, Without
from provgraph.provenance.document_trace import document_retrieval_quads

MOST_PAPERS: Final = 8
ASKED: Final = (
    ("Problem", "What problem does the paper address?"),
    ("Method", "What does the paper propose?"),
    ("Results", "What results are achieved?"),
    ("Limits", "What are the limitations?"),
)
"""The rows of an overview, and what is asked of each paper for them."""

NOT_SAID: Final = "–"
_OWN: Final = re.compile(r"\b(?:we|our|this (?:paper|work|article|study))\b", re.I)
_OPENING: Final = re.compile(r"\b(?:abstract|introduction|background|related|motivation)\b", re.I)
_ANNOUNCES: Final = re.compile(
    r"\b(?:as follows|rest of (?:the|this) paper|is organi[sz]ed|following sections?)\b|:\s*\Z", re.I
)


@dataclass(frozen=True)
class PaperOverview:
    """What is told of a paper: the sentence of each row, None where none says it."""

    paper: StoredPaper
    rows: tuple[ReadWords | None, ...]


async def overview_of(run: Run, papers: Sequence[StoredPaper], known: Without) -> list[PaperOverview]:
    """Each paper read by itself; one retrieval for all is recorded."""
    candidates = [await _candidates(run, paper, papers, known) for paper in papers[:MOST_PAPERS]]
    await _record(run, candidates)
    return [PaperOverview(paper, await _rows(each)) for paper, each in zip(papers, candidates, strict=False)]


async def _candidates(
    run: Run, paper: StoredPaper, papers: Sequence[StoredPaper], known: Without
) -> PaperCandidates:
    others = tuple(stored_paper.iri for stored_paper in papers if stored_paper is not paper)
    text = f"{paper.title} problem method results limitations"
    request = RetrievalRequest(text, method="", chunks=40)
    without = replace(known, documents=tuple(dict.fromkeys((*known.documents, *others))))
    return await find_candidates(run, request, without)


async def _rows(candidates: PaperCandidates) -> tuple[ReadWords | None, ...]:
    rows: list[ReadWords | None] = []
    for name, question in ASKED:
        reading = await read_passages(question, QuestionWeights(()), candidates.passages)
        taken = {row.words for row in rows if row}
        fitting = (
            read_words
            for read_words in reading
            if _is_own(read_words, name) and read_words.words not in taken
        )
        rows.append(next(fitting, None))
    return tuple(rows)


def _is_own(read_words: ReadWords, row: str) -> bool:
    """Whether a sentence sounds as what is asked for does, and the paper says it of itself: in its own words or in the
    section for it. What others lack or reach is not told as the paper's: limits that a paper opens with are theirs,
    results that it opens with are its own."""
    measured, words = read_words.read.measured, read_words.words.text
    opens = _OPENING.search(read_words.read.sentence.heading) is not None
    if row == "Limits" and opens:
        return False
    in_place = bool(measured.get("section")) or (row == "Results" and opens)
    in_place = in_place or _OWN.search(words) is not None
    return bool(measured.get("sounds so")) and in_place and "|" not in words and not _ANNOUNCES.search(words)


async def _record(run: Run, candidates: Sequence[PaperCandidates]) -> None:
    if not candidates:
        return
    count = sum(len(candidate.passages) for candidate in candidates)
    papers = [paper for candidate in candidates for paper in candidate.papers]
    first = {paper.document: paper for paper in reversed(papers)}
    quads = document_retrieval_quads(run.scope, count, candidates[0].ranked, list(first.values()), "", 0)
    await run.explain("retrieval", quads)


def selected(overviews: Sequence[PaperOverview]) -> ChunkSelection:
    """The chunks in which the sentences stand."""
    told = [row for overview in overviews for row in overview.rows if row]
    passages = {read_words.passage.hit.chunk: read_words for read_words in reversed(told)}
    chosen = tuple(
        WeighedPassage(passage.passage, passage.words, passage.read.coverage) for passage in passages.values()
    )
    return ChunkSelection(chosen, (), QuestionWeights(()), suffices=bool(told), told=tuple(told))


def told(overviews: Sequence[PaperOverview], kind: Overview, selection: ChunkSelection) -> DraftAnswer:
    """The overview in words; a refusal where the papers say nothing of it."""
    if not selection.chosen:
        return refusal()
    text = _Text(selection)
    if kind == "comparison" and len(overviews) > 1:
        _table(text, overviews)
    else:
        _summaries(text, overviews)
    return DraftAnswer(text.written.rstrip("\n"), tuple(text.sentences))


class _Text:
    """A text that grows; sentences that stand in it cite their words."""

    def __init__(self, selection: ChunkSelection) -> None:
        self.written = ""
        self.sentences: list[AnswerSentence] = []
        self._chunks = {each.passage.hit.chunk: index for index, each in enumerate(selection.chosen)}

    def write(self, words: str) -> None:
        self.written += words

    def cite(self, each: ReadWords, lead: str = "") -> None:
        start = len(self.written)
        self.written += lead + " ".join(each.words.text.split())
        chunks = (self._chunks[each.passage.hit.chunk],)
        self.sentences.append(AnswerSentence(start, len(self.written), (each.words,), chunks=chunks))


def _summaries(text: _Text, overviews: Sequence[PaperOverview]) -> None:
    for overview in overviews:
        rows = [(name, each) for (name, _), each in zip(ASKED, overview.rows, strict=True) if each]
        if not rows:
            continue
        text.write(f"{overview.paper.reference}\n")
        for name, read_words in rows:
            text.cite(read_words, f"{name}: ")
            text.write("\n")
        text.write("\n")


def _table(text: _Text, overviews: Sequence[PaperOverview]) -> None:
    text.write(
        f"| | {' | '.join(paper_overview.paper.title.replace('|', '/') for paper_overview in overviews)} |\n"
    )
    text.write(f"|---|{'---|' * len(overviews)}\n")
    for index, (name, _) in enumerate(ASKED):
        text.write(f"| {name} |")
        for overview in overviews:
            text.write(" ")
            if read_words := overview.rows[index]:
                text.cite(read_words)
            else:
                text.write(NOT_SAID)
            text.write(" |")
        text.write("\n")
