"""The engine by model: concepts, selection and answer are a model's, verified here; what fails is done without it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path

from provgraph.catalogue.sources import Source
from provgraph.errors import ModelUnavailable
from provgraph.flows.graph_rag.by_model import relevance
from provgraph.flows.graph_rag.by_model.lines import Candidates, ChoiceLines, concepts_of
from provgraph.flows.graph_rag.by_model.support import described, evidence_of, statements
from provgraph.flows.graph_rag.engine import Grounding, Selected, Sources, Statement
from provgraph.flows.graph_rag.model_free import ModelFreeEngine
from provgraph.flows.graph_rag.selection import Choice, Selection
from provgraph.flows.runner.answer_stream import Parts, told_by_model
from provgraph.flows.runner.call import Call
from provgraph.flows.runner.correction import Checked
from provgraph.flows.runner.relevance import judged
from provgraph.flows.runner.usage import Account
from provgraph.ports.language_model import Exchange, LanguageModel
from provgraph.ports.retriever import CandidateEdge, RetrievalResult
from provgraph.prompts import Prompt, read_prompt
from provgraph.provenance import trace

UNREADABLE_CONCEPTS = "The model's concepts could not be read. Those of the model-free engine were used."
UNREADABLE_SELECTION = "The model's selection could not be read. The model-free engine selected the edges."
UNCHECKED = "The model's check of the candidates could not be read. They are taken as they are."
NOT_CHECKED = "Whether the candidates are relevant was not checked, since the model had failed before."
NOTHING_SAID = "The model's answer said nothing. The model-free engine answered."


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
    """Answers one question with `model`. After a call that failed it makes no other.

    `exchanges` gets the words of each call when it begins.
    """

    def __init__(
        self, model: LanguageModel, prompts: AnswerPrompts, max_output_tokens: int, exchanges: list[Exchange]
    ) -> None:
        self._model = model
        self._exchanges = exchanges
        self._prompts = prompts
        self._max_output_tokens = max_output_tokens
        self._otherwise = ModelFreeEngine()
        self._failed = False

    async def ground(self, question: str) -> Grounding:
        call = self._call(self._prompts.concepts, question=question)
        try:
            concepts = concepts_of(await call.whole())
        except ModelUnavailable as failure:
            return await self._ground_otherwise(question, call, self._gave_up(failure))
        if not concepts:
            return await self._ground_otherwise(question, call, UNREADABLE_CONCEPTS)
        return Grounding(concepts, Account(call.made()))

    async def check(self, question: str, found: RetrievalResult) -> Checked:
        if self._failed:
            return Checked(None, account=Account(warnings=(NOT_CHECKED,)))
        call = self._call(self._prompts.relevance, question=question, edges=relevance.described(found.edges))
        try:
            verdict, words = judged(await call.whole(), self._model.name)
        except ModelUnavailable as failure:
            return Checked(None, account=Account(call.made(), (self._gave_up(failure),)))
        return Checked(
            verdict, words, self._model.name, Account(call.made(), () if verdict else (UNCHECKED,))
        )

    async def select(self, question: str, found: RetrievalResult, sources: Sources, limit: int) -> Selected:
        if self._failed or not found.edges:
            return await self._otherwise.select(question, found, sources, limit)
        candidates = Candidates(found.edges)
        call = self._call(self._prompts.selection, question=question, edges=candidates.described())
        lines = ChoiceLines(candidates, limit)
        warning = ""
        try:
            async with aclosing(call.pieces()) as pieces:
                async for piece in pieces:
                    lines.feed(piece)
                    if lines.complete:
                        break
        except ModelUnavailable as failure:
            warning = self._gave_up(failure)
        if not warning and not lines.finish(call.reply):
            warning = UNREADABLE_SELECTION
        account = Account(call.made(), (warning,) if warning else ())
        if warning:
            selected = await self._otherwise.select(question, found, sources, limit)
            return replace(selected, ignored=lines.ignored, account=account)
        said = await sources([edge.triple for edge, _ in lines.chosen])
        choices = [
            _choice(edge, reason, said[edge.triple], self._model.name) for edge, reason in lines.chosen
        ]
        return Selected(self._selection(found.edges, choices), lines.ignored, account)

    def answer(self, question: str, selection: Selection) -> Parts[Statement]:
        evidence = evidence_of(selection.choices)
        otherwise = self._otherwise.answer(question, selection)
        if self._failed or not evidence:
            return otherwise
        call = self._call(self._prompts.answer, question=question, evidence=described(evidence))
        return told_by_model(call, lambda answer: statements(answer, evidence), otherwise, self._instead)

    def _call(self, prompt: Prompt, **values: str) -> Call:
        call = Call(self._model, prompt, values, self._max_output_tokens)
        self._exchanges.append(call.exchange)
        return call

    def _instead(self, failure: ModelUnavailable | None) -> str:
        return self._gave_up(failure) if failure else NOTHING_SAID

    def _gave_up(self, failure: ModelUnavailable) -> str:
        self._failed = True
        return f"{failure} Until then the model-free engine does the work."

    async def _ground_otherwise(self, question: str, call: Call, warning: str) -> Grounding:
        grounding = await self._otherwise.ground(question)
        return replace(grounding, account=Account(call.made(), (warning,)))

    def _selection(self, candidates: Sequence[CandidateEdge], choices: Sequence[Choice]) -> Selection:
        """The choices that a sentence says, and all other candidates as passed over."""
        said = tuple(choice for choice in choices if choice.sources)
        taken = {choice.selected.edge for choice in said}
        chosen = {choice.selected.edge for choice in choices}
        unsaid, unchosen = "No sentence in the library says it.", f"Not selected by {self._model.name}."
        return Selection(
            said,
            tuple(
                trace.PassedOver(edge.triple, edge.score, unsaid if edge.triple in chosen else unchosen)
                for edge in candidates
                if edge.triple not in taken
            ),
        )


def _choice(edge: CandidateEdge, reason: str, sources: tuple[Source, ...], model: str) -> Choice:
    return Choice(trace.Selected(edge.triple, edge.score, edge.terms, reason, model), edge, sources)
