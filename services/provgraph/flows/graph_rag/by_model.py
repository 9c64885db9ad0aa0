"""The engine by model: concepts, selection and answer are a model's, verified here; what fails is done without it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provgraph.catalogue.sources import Source
from provgraph.errors import ModelUnavailable
from provgraph.flows.graph_rag.engine import SelectedEdges
from provgraph.flows.graph_rag.model_free import ModelFreeEngine
from provgraph.flows.graph_rag.model_lines import CandidateIds, ChoiceLines, concepts_of, edge_line
from provgraph.flows.graph_rag.model_support import cited_sentences, described, evidence_of
from provgraph.flows.graph_rag.selection import Choice, EdgeSelection
from provgraph.flows.runner.answers import DraftAnswer
from provgraph.flows.runner.correction import RelevanceCheck
from provgraph.flows.runner.model_answers import stream_model_answer
from provgraph.flows.runner.model_calls import relevance_verdict
from provgraph.flows.runner.run import Run
from provgraph.ports.language_model import LanguageModel
from provgraph.ports.retriever import CandidateEdge, RetrievalResult
from provgraph.prompts import Prompt, read_prompt
from provgraph.provenance import trace
from provgraph.provenance.candidates import RejectedEdge

UNREADABLE_CONCEPTS = "The model's concepts could not be read. Those of the model-free engine were used."
UNREADABLE_SELECTION = "The model's selection could not be read. The model-free engine selected the edges."
UNCHECKED = "The model's check of the candidates could not be read. They are taken as they are."
NOT_CHECKED = "Whether the candidates are relevant was not checked, since the model had failed before."
EMPTY_ANSWER = "The model's answer said nothing. The model-free engine answered."

MOST_CHECKED: Final = 30
"""The best candidates tell whether a retrieval went right; the others would only cost."""

_NO_CANDIDATES: Final = "(nothing was found)"


@dataclass(frozen=True)
class AnswerPrompts:
    concepts: Prompt
    relevance: Prompt
    selection: Prompt
    answer: Prompt

    @classmethod
    def read(cls, folder: Path | None) -> AnswerPrompts:
        """From `folder` where that holds them, else as shipped. Raises `InvalidInput` for one that cannot be used."""
        return cls(
            read_prompt("concepts", frozenset({"question"}), folder),
            read_prompt("relevance", frozenset({"question", "edges"}), folder),
            read_prompt("selection", frozenset({"question", "edges"}), folder),
            read_prompt("answer", frozenset({"question", "evidence"}), folder),
        )


class ModelEngine:
    """Answers one question with `model`. After a call that failed it makes no other."""

    def __init__(self, model: LanguageModel, prompts: AnswerPrompts) -> None:
        self._model = model
        self._prompts = prompts
        self._otherwise = ModelFreeEngine()
        self._failed = False

    @property
    def is_model_free(self) -> bool:
        return self._failed

    async def ground(self, run: Run, question: str) -> tuple[str, ...]:
        call = run.call(self._model, self._prompts.concepts, {"question": question})
        try:
            concepts = concepts_of(await call.whole())
        except ModelUnavailable as failure:
            run.warn(self._gave_up(failure))
            return await self._otherwise.ground(run, question)
        if not concepts:
            run.warn(UNREADABLE_CONCEPTS)
            return await self._otherwise.ground(run, question)
        return concepts

    async def check(self, run: Run, question: str, candidates: RetrievalResult) -> RelevanceCheck:
        if self._failed:
            run.warn(NOT_CHECKED)
            return RelevanceCheck(None)
        lines = "\n".join(edge_line(edge.labels) for edge in candidates.edges[:MOST_CHECKED])
        values = {"question": question, "edges": lines or _NO_CANDIDATES}
        call = run.call(self._model, self._prompts.relevance, values)
        try:
            verdict, words = relevance_verdict(await call.whole(), self._model.name)
        except ModelUnavailable as failure:
            run.warn(self._gave_up(failure))
            return RelevanceCheck(None)
        if verdict is None:
            run.warn(UNCHECKED)
        return RelevanceCheck(verdict, words, self._model.name)

    async def select(self, run: Run, question: str, candidates: RetrievalResult, limit: int) -> SelectedEdges:
        if self._failed or not candidates.edges:
            return await self._otherwise.select(run, question, candidates, limit)
        lines = ChoiceLines(CandidateIds(candidates.edges), limit)
        if warning := await self._read_choices(run, question, lines):
            run.warn(warning)
            edges = await self._otherwise.select(run, question, candidates, limit)
            return SelectedEdges(edges.selection, lines.ignored)
        sources_of = await run.sources([edge.triple for edge, _ in lines.chosen])
        choices = [
            _choice(edge, reason, sources_of[edge.triple], self._model.name) for edge, reason in lines.chosen
        ]
        return SelectedEdges(self._selection(candidates.edges, choices), lines.ignored)

    async def answer(self, run: Run, question: str, selection: EdgeSelection) -> DraftAnswer:
        evidence = evidence_of(selection.choices)
        if self._failed or not evidence:
            return await self._otherwise.answer(run, question, selection)
        values = {"question": question, "evidence": described(evidence)}
        return await stream_model_answer(
            run,
            run.call(self._model, self._prompts.answer, values),
            lambda text: cited_sentences(text, evidence),
            lambda: self._otherwise.answer(run, question, selection),
            lambda failure: self._gave_up(failure) if failure else EMPTY_ANSWER,
        )

    async def _read_choices(self, run: Run, question: str, lines: ChoiceLines) -> str:
        """Read a model's choices until they are enough; returns why they cannot be used, if so."""
        values = {"question": question, "edges": lines.candidates.described()}
        call = run.call(self._model, self._prompts.selection, values)
        try:
            async with aclosing(call.pieces()) as pieces:
                async for piece in pieces:
                    lines.feed(piece)
                    if lines.complete:
                        break
        except ModelUnavailable as failure:
            return self._gave_up(failure)
        return "" if lines.finish(call.reply) else UNREADABLE_SELECTION

    def _gave_up(self, failure: ModelUnavailable) -> str:
        self._failed = True
        return f"{failure} Until then the model-free engine does the work."

    def _selection(self, candidates: Sequence[CandidateEdge], choices: Sequence[Choice]) -> EdgeSelection:
        """The choices that a sentence says; all other candidates are rejected."""
        quotable = tuple(choice for choice in choices if choice.sources)
        taken = {choice.selected.edge for choice in quotable}
        triples = {choice.selected.edge for choice in choices}
        unsaid, unchosen = "No sentence in the library says it.", f"Not selected by {self._model.name}."
        return EdgeSelection(
            quotable,
            tuple(
                RejectedEdge(edge.triple, edge.score, unsaid if edge.triple in triples else unchosen)
                for edge in candidates
                if edge.triple not in taken
            ),
        )


def _choice(edge: CandidateEdge, reason: str, sources: tuple[Source, ...], model: str) -> Choice:
    return Choice(trace.Selected(edge.triple, edge.score, edge.terms, reason, model), edge, sources)
