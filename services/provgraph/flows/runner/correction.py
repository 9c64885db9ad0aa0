"""The corrective check: what was retrieved is judged, and where it is not relevant retrieved once more in other words.

The check is that of Corrective RAG (Yan et al. 2024, "Corrective Retrieval Augmented Generation"), with the documents
in place of the web. It never makes an answer worse than it was without: where the second retrieval is found not
relevant either, the first one stands, with a warning. What is retrieved, edges or passages, it does not know.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from provgraph.flows.runner.run import Run
from provgraph.language.concepts import concepts
from provgraph.provenance import trace
from provgraph.provenance.candidates import RelevanceVerdict, check_quads, reformulation_quads

Candidates = TypeVar("Candidates")

FIRST: Final = ""
SECOND: Final = ":1"
"""What the steps of a retrieval and of its check are numbered by."""

Retrieve = Callable[[str, tuple[str, ...], str], Awaitable[Candidates]]
"""Finds candidates for a question and the concepts in it, and explains the step of that number."""


@dataclass(frozen=True)
class RelevanceCheck:
    """Whether candidates are relevant, None where nobody could tell; if not, the question in other `words`, if any.

    `by` is whose words they are.
    """

    verdict: RelevanceVerdict | None
    words: str = ""
    by: str = ""

    @property
    def objection(self) -> RelevanceVerdict | None:
        """The verdict that nothing is relevant."""
        return self.verdict if self.verdict and not self.verdict.relevant else None


Check = Callable[[str, Candidates], Awaitable[RelevanceCheck]]
"""Judges the candidates for a question."""


@dataclass(frozen=True)
class RejectedRetrieval(Generic[Candidates]):
    """The retrieval that gave way to the other: its candidates, its step, and why it gave way."""

    candidates: Candidates
    step: str
    reason: str


class CorrectiveSearch(Generic[Candidates]):
    """After `search`, `candidates` are those to go on with, `step` the retrieval that they are of, `rejected` the
    other one.

    Without a `check` the first retrieval stands as it is.
    """

    def __init__(
        self, run: Run, retrieve: Retrieve[Candidates], check: Check[Candidates] | None = None
    ) -> None:
        self.candidates: Candidates
        self.step = "retrieval"
        self.rejected: RejectedRetrieval[Candidates] | None = None
        self._run = run
        self._retrieve = retrieve
        self._check = check

    async def search(self, question: str, grounding: tuple[str, ...]) -> None:
        self.candidates = await self._retrieve(question, grounding, FIRST)
        if self._check is None:
            return
        first = await self._checked(self._check, question, self.candidates, FIRST)
        words = first.words
        if not first.objection or not words or words.casefold() == question.casefold():
            await self._explain(first, FIRST, final=True)
            return
        await self._explain(first, FIRST, final=False)
        await self._reformulate(first)
        second = await self._retrieve(words, concepts(words), SECOND)
        check = await self._checked(self._check, question, second, SECOND)
        await self._explain(check, SECOND, final=True)
        self._choose(second, first.objection, check.objection)

    def _choose(
        self, second: Candidates, to_first: RelevanceVerdict, to_second: RelevanceVerdict | None
    ) -> None:
        first, again = self.step, f"retrieval{SECOND}"
        if to_second:
            reason = f"Retrieved for the reformulated question, and not relevant as {to_second.agent} found."
            self.rejected = RejectedRetrieval(second, again, reason)
        else:
            reason = (
                f"Retrieved for the question as it was asked, and not relevant as {to_first.agent} found."
            )
            self.rejected = RejectedRetrieval(self.candidates, first, reason)
            self.candidates, self.step = second, again

    async def _checked(
        self, check: Check[Candidates], question: str, candidates: Candidates, number: str
    ) -> RelevanceCheck:
        self._run.begin(f"check{number}", check_quads(self._run.scope, None, number))
        return await check(question, candidates)

    async def _explain(self, check: RelevanceCheck, number: str, *, final: bool) -> None:
        """With a warning where nothing is relevant, and nothing more is done about it."""
        if final and check.objection:
            self._run.warn(f"What was retrieved may not answer the question: {check.objection.reasoning}")
        await self._run.explain(f"check{number}", check_quads(self._run.scope, check.verdict, number))

    async def _reformulate(self, check: RelevanceCheck) -> None:
        """The question in other words, and what it is about."""
        run, step = self._run, f"grounding{SECOND}"
        await run.explain("reformulation", reformulation_quads(run.scope, check.words, check.by))
        origin = run.names.step("reformulation")
        await run.explain(step, trace.grounding_quads(run.scope, concepts(check.words), step, origin))
