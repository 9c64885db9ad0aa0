"""The engine without a model: concepts by rules, edges by measured evidence, and their sentences word for word."""

from __future__ import annotations

from collections.abc import Sequence

from provgraph.flows.graph_rag.composition import Sentence, compose
from provgraph.flows.graph_rag.engine import Grounding, Selected, Sources, Statement
from provgraph.flows.graph_rag.expectation import expectation
from provgraph.flows.graph_rag.selection import SELECTOR, Ballot, Selection, explained
from provgraph.flows.runner.answer_stream import REFUSAL, Parts, Told
from provgraph.flows.runner.correction import Checked
from provgraph.language.concepts import concepts
from provgraph.ports.retriever import RetrievalResult
from provgraph.provenance.candidates import Verdict


class ModelFreeEngine:
    async def ground(self, question: str) -> Grounding:
        return Grounding(concepts(question))

    async def check(self, question: str, found: RetrievalResult) -> Checked:
        """The measure by which the selection would refuse, said before. No other words for a question are known."""
        ballot = Ballot(found.terms, found.edges, 1, expectation(question))
        best = max((edge.coverage for edge in found.edges), default=0.0)
        reason = (
            f"The best of {len(found.edges)} edges covers {best:.0%} of the question's weight; "
            f"an answer needs {min(ballot.needed, 1):.0%}."
        )
        return Checked(Verdict(bool(ballot.chosen), reason, SELECTOR))

    async def select(self, question: str, found: RetrievalResult, sources: Sources, limit: int) -> Selected:
        ballot = Ballot(found.terms, found.edges, limit, expectation(question))
        return Selected(explained(ballot, await sources([edge.triple for edge in ballot.chosen])))

    async def answer(  # the question is the protocol's: what was selected answers it
        self,
        question: str,  # noqa: ARG002
        selection: Selection,
    ) -> Parts[Statement]:
        sentences = compose(selection.choices)
        for index, sentence in enumerate(sentences):
            yield sentence.text if index == 0 else f" {sentence.text}"
        if not sentences:
            yield REFUSAL
        text = " ".join(sentence.text for sentence in sentences) or REFUSAL
        yield Told(text, _statements(sentences))


def _statements(sentences: Sequence[Sentence]) -> tuple[Statement, ...]:
    statements: list[Statement] = []
    start = 0
    for sentence in sentences:
        end = start + len(sentence.text)
        statements.append(Statement(start, end, sentence.edges, sentence.sources))
        start = end + 1
    return tuple(statements)
