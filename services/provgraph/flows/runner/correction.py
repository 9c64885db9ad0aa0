"""The corrective check: what was retrieved is judged, and where it is not relevant retrieved once more in other words.

The check is that of Corrective RAG (Yan et al. 2024, "Corrective Retrieval Augmented Generation"), with the documents
in place of the web. It never makes an answer worse than it was without: where the second retrieval is found not
relevant either, the first one stands, with a warning. What is retrieved, edges or passages, it does not know.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from provgraph.flows.runner.events import Explained
from provgraph.flows.runner.record import SessionRecord
from provgraph.flows.runner.usage import Account
from provgraph.language.concepts import concepts
from provgraph.provenance import trace
from provgraph.provenance.candidates import Verdict, check_quads, reformulation_quads

Found = TypeVar("Found")

FIRST: Final = ""
SECOND: Final = ":1"
"""What the steps of a retrieval and of its check are numbered by."""

Retrieve = Callable[[str, tuple[str, ...], str], Awaitable[tuple[Found, Explained]]]
"""Finds candidates for a question and the concepts in it, as the step of that number."""


@dataclass(frozen=True)
class Checked:
    """Whether candidates are relevant, None where nobody could tell; if not, the question in other `words`, if any.

    `by` is whose words they are.
    """

    verdict: Verdict | None
    words: str = ""
    by: str = ""
    account: Account = Account()

    @property
    def objection(self) -> Verdict | None:
        """The verdict that nothing is relevant."""
        return self.verdict if self.verdict and not self.verdict.relevant else None

    def warned(self) -> Checked:
        """With a warning where nothing is relevant, and nothing more is done about it."""
        if not self.objection:
            return self
        warning = f"What was retrieved may not answer the question: {self.objection.reasoning}"
        return replace(self, account=replace(self.account, warnings=(*self.account.warnings, warning)))


Check = Callable[[str, Found], Awaitable[Checked]]
"""Judges what was found for a question."""


@dataclass(frozen=True)
class Lost(Generic[Found]):
    """The retrieval that gave way to the other: what it found, as which step, and why it gave way."""

    found: Found
    step: str
    reason: str


class CorrectiveSearch(Generic[Found]):
    """`found` is what goes on, `step` the retrieval that it is of, `lost` the other one, once `events` are over.

    Without a `check` the first retrieval stands as it is.
    """

    def __init__(
        self, record: SessionRecord, retrieve: Retrieve[Found], check: Check[Found] | None = None
    ) -> None:
        self.found: Found
        self.step = "retrieval"
        self.lost: Lost[Found] | None = None
        self._record = record
        self._retrieve = retrieve
        self._check = check

    async def events(self, question: str, grounding: tuple[str, ...]) -> AsyncGenerator[Explained]:
        self.found, told = await self._retrieve(question, grounding, FIRST)
        yield told
        if self._check:
            async for event in self._corrected(self._check, question):
                yield event

    async def _corrected(self, check: Check[Found], question: str) -> AsyncGenerator[Explained]:
        checked = await self._checked(check, question, self.found, FIRST)
        objection, words = checked.objection, checked.words
        if not objection or not words or words.casefold() == question.casefold():
            yield await self._told(checked.warned(), FIRST)
            return
        yield await self._told(checked, FIRST)
        yield await self._reformulated(checked)
        yield await self._grounded(words)
        second, told = await self._retrieve(words, concepts(words), SECOND)
        yield told
        checked = await self._checked(check, question, second, SECOND)
        yield await self._told(checked.warned(), SECOND)
        self._choose(second, objection, checked.objection)

    def _choose(self, second: Found, to_first: Verdict, to_second: Verdict | None) -> None:
        first, again = self.step, f"retrieval{SECOND}"
        if to_second:
            reason = f"Retrieved for the reformulated question, and not relevant as {to_second.agent} found."
            self.lost = Lost(second, again, reason)
        else:
            reason = (
                f"Retrieved for the question as it was asked, and not relevant as {to_first.agent} found."
            )
            self.lost = Lost(self.found, first, reason)
            self.found, self.step = second, again

    async def _checked(self, check: Check[Found], question: str, found: Found, number: str) -> Checked:
        self._record.accounts.begin(f"check{number}", check_quads(self._record.scope, None, number))
        return await check(question, found)

    async def _told(self, checked: Checked, number: str) -> Explained:
        step = f"check{number}"
        quads = check_quads(self._record.scope, checked.verdict, number)
        accounted = await self._record.accounts.keep(step, checked.account)
        return await self._record.explained(self._record.scope.names.step(step), [*quads, *accounted])

    async def _reformulated(self, checked: Checked) -> Explained:
        scope = self._record.scope
        quads = reformulation_quads(scope, checked.words, checked.by)
        return await self._record.explained(scope.names.step("reformulation"), quads)

    async def _grounded(self, words: str) -> Explained:
        scope, step = self._record.scope, f"grounding{SECOND}"
        origin = scope.names.step("reformulation")
        quads = trace.grounding_quads(scope, concepts(words), step, origin)
        return await self._record.explained(scope.names.step(step), quads)
