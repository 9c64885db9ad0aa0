"""The engine without a model: concepts by rules, edges by measured evidence, and their sentences word for word.

The answer is the sentences behind the selected edges, the best four at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.sources import Source
from provgraph.flows.graph_rag.engine import SelectedEdges
from provgraph.flows.graph_rag.from_passages import with_short_answer
from provgraph.flows.graph_rag.selection import (
    SELECTOR,
    Ballot,
    Choice,
    EdgeSelection,
    expectation,
    explained,
)
from provgraph.flows.runner.answers import AnswerSentence, DraftAnswer, joined
from provgraph.flows.runner.correction import RelevanceCheck
from provgraph.flows.runner.run import Run
from provgraph.language.concepts import concepts
from provgraph.language.terms import content_terms, terms
from provgraph.ports.retriever import RetrievalResult
from provgraph.provenance.candidates import RelevanceVerdict

MOST_SENTENCES: Final = 4
SAME_WORDS: Final = 0.8


class ModelFreeEngine:
    is_model_free = True

    async def ground(self, run: Run, question: str) -> tuple[str, ...]:  # noqa: ARG002
        return concepts(question)

    async def check(self, run: Run, question: str, candidates: RetrievalResult) -> RelevanceCheck:  # noqa: ARG002
        """The measure by which the selection would refuse, taken before. No other words for a question are known."""
        ballot = Ballot(candidates.terms, candidates.edges, 1, expectation(question))
        best = max((edge.coverage for edge in candidates.edges), default=0.0)
        reason = (
            f"The best of {len(candidates.edges)} edges covers {best:.0%} of the question's weight; "
            f"an answer needs {min(ballot.needed, 1):.0%}."
        )
        return RelevanceCheck(RelevanceVerdict(bool(ballot.chosen), reason, SELECTOR))

    async def select(
        self,
        run: Run,
        question: str,
        candidates: RetrievalResult,
        limit: int,
    ) -> SelectedEdges:
        ballot = Ballot(candidates.terms, candidates.edges, limit, expectation(question))
        return SelectedEdges(explained(ballot, await run.sources([edge.triple for edge in ballot.chosen])))

    async def answer(
        self,
        run: Run,
        question: str,
        selection: EdgeSelection,
    ) -> DraftAnswer:
        return await run.say_all(with_short_answer(quoted_answer(selection), question))


def quoted_answer(selection: EdgeSelection) -> DraftAnswer:
    """The sentences behind the selected edges; a refusal where there are none."""
    quotations = compose(selection.choices)

    def sentence(index: int, start: int, end: int) -> AnswerSentence:
        return AnswerSentence(start, end, quotations[index].sources, quotations[index].edges)

    return joined([quotation.text for quotation in quotations], sentence)


@dataclass(frozen=True)
class Quotation:
    """A sentence of the answer; `edges` are indexes into the selection, `sources` the words it repeats."""

    text: str
    edges: tuple[int, ...]
    sources: tuple[Source, ...]


def compose(choices: Sequence[Choice]) -> list[Quotation]:
    """For each choice, in order, the sentence that says it best, unless an earlier one says it already."""
    quoted: list[str] = []
    for choice in choices:
        texts = [_spaced(source.text) for source in choice.sources]
        if quoted and any(_repeats(text, other) for text in texts for other in quoted):
            continue
        if len(quoted) < MOST_SENTENCES:
            quoted.append(max(texts, key=lambda text: _met(text, choice)))
    return [_quotation(text, choices) for text in quoted]


def _quotation(text: str, choices: Sequence[Choice]) -> Quotation:
    """With every selected edge that was read from these words, in whatever document."""
    readings = [
        (index, source)
        for index, choice in enumerate(choices)
        for source in choice.sources
        if _spaced(source.text) == text
    ]
    places = {(source.page, source.start): source for _, source in readings}
    return Quotation(text, tuple(dict.fromkeys(index for index, _ in readings)), tuple(places.values()))


def _met(text: str, choice: Choice) -> int:
    words = set(terms(text))
    return sum(not words.isdisjoint(terms(term)) for term in choice.candidate.terms)


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _repeats(text: str, other: str) -> bool:
    if text == other:
        return True
    words, known = set(content_terms(text)), set(content_terms(other))
    return len(words & known) > SAME_WORDS * min(len(words), len(known))
