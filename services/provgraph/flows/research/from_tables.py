"""What a table of a paper answers: which method, on which data, with which value, and the rows that prove it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from provgraph.catalogue.sources import Words
from provgraph.derivation.evidence import Support
from provgraph.derivation.result import Derived
from provgraph.documents.tables import has_rows
from provgraph.flows.research.candidates import PaperCandidates
from provgraph.flows.runner.answers import AnswerSentence, DraftAnswer
from provgraph.flows.runner.chunk_answers import ChunkSelection, WeighedPassage
from provgraph.flows.runner.derivation import AnswerKind, Derivation, Input, SentenceInput, StepInput
from provgraph.flows.runner.passages import RetrievedPassage
from provgraph.flows.runner.reading_passages import PassageFinder, Readings
from provgraph.flows.runner.run import Run
from provgraph.flows.runner.table_answers import TableFinder
from provgraph.language.asked_aspects import asked_aspect
from provgraph.provenance.document_trace import RejectedChunk
from provgraph.provenance.trace import Origin

NOT_NEEDED: Final = "The answer was derived from rows of a table."
_IN_CELLS: Final = frozenset(("", "result", "metric", "comparison"))
"""What cells may tell of a paper: not what it is, how it works, or why."""
_COMPARED: Final = frozenset(("difference", "compare"))
"""Operations that compare two cells."""


@dataclass(frozen=True)
class ProvedRow:
    """A row that proves a step."""

    passage: RetrievedPassage
    words: Words
    explanation: str

    @property
    def text(self) -> str:
        return " ".join(self.words.text.split())


@dataclass(frozen=True)
class CellAnswer:
    """The value that a table gives, with the rows that prove it, each once, in the order of the steps."""

    derived: Derived
    rows: tuple[ProvedRow, ...]

    def selection(self, candidates: PaperCandidates) -> ChunkSelection:
        """The passages of the rows, which are quoted."""
        chosen = {row.passage.hit.chunk: row for row in reversed(self.rows)}
        covered = candidates.weights
        weighed = tuple(
            WeighedPassage(row.passage, row.words, covered.coverage(covered.shares(row.text, row.passage)))
            for row in reversed(chosen.values())
        )
        others = (passage.hit for passage in candidates.passages if passage.hit.chunk not in chosen)
        rejected = tuple(RejectedChunk(hit.chunk, hit.score, NOT_NEEDED) for hit in others)
        return ChunkSelection(weighed, rejected, candidates.weights, suffices=True, told=self.rows)

    def draft(self, quoted: DraftAnswer) -> DraftAnswer:
        """The value before the rows as they are quoted, with the steps that give it."""
        lead = " ".join(filter(None, (f"{self.derived.text.rstrip('.')}.", self.derived.completeness)))
        shift = len(lead) + 1
        behind = [
            replace(sentence, start=sentence.start + shift, end=sentence.end + shift)
            for sentence in quoted.sentences
        ]
        words = tuple(dict.fromkeys(place for sentence in behind for place in sentence.words))
        chunks = tuple(dict.fromkeys(index for sentence in behind for index in sentence.chunks))
        first = AnswerSentence(0, len(lead), words, chunks=chunks, origin=Origin.DERIVED)
        return replace(
            quoted,
            text=f"{lead} {quoted.text}",
            sentences=(first, *behind),
            short_answer=self._steps().short_answer(AnswerKind(self.derived.kind), self.derived.text),
        )

    def _steps(self) -> Derivation:
        places = {_text(row.words.text): 1 + index for index, row in enumerate(self.rows)}
        derivation = Derivation()
        for step in self.derived.steps:
            quoted = dict.fromkeys(places[_text(support.sentence.text)] for support in step.supports)
            inputs: list[Input] = [StepInput(index) for index in step.uses]
            inputs += [SentenceInput(index) for index in quoted]
            derivation.step(step.operation, inputs, step.value, step.explanation, step.sparql or None)
        return derivation


async def cell_answer(
    run: Run, readings: Readings, text: str, passages: Iterable[RetrievedPassage]
) -> CellAnswer | None:
    """What the tables on the pages of the passages answer; None where none does."""
    aspect = asked_aspect(text)
    name = aspect.aspect if aspect is not None else ""
    if name not in _IN_CELLS:
        return None
    finder = PassageFinder(run, readings)
    finder.passages_by_key = {passage.hit.chunk.value: passage for passage in passages}
    if not any(has_rows(passage.hit.text) for passage in finder.passages_by_key.values()):
        return None
    derived = await TableFinder(run, finder).answer(text)
    if derived is None or (name == "comparison" and derived.steps[-1].operation not in _COMPARED):
        return None
    rows = {
        _text(support.sentence.text): _row(support, finder, step.explanation)
        for step in derived.steps
        for support in step.supports
    }
    return CellAnswer(derived, tuple(rows.values()))


def _row(support: Support, finder: PassageFinder, explanation: str) -> ProvedRow:
    passage = finder.passages_by_key[support.passage.key]
    words = passage.words(support.sentence.start, support.sentence.end)
    return ProvedRow(passage, words, f"A row of its table proves a step: {explanation}")


def _text(text: str) -> str:
    return " ".join(text.split())
