"""A text checked against sources that come with the request. Nothing of it is stored.

One claim after the other is judged in a thread, so that other checks take their turns between two claims, and a check
ends where its client is gone.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

from anyio import CapacityLimiter

from provgraph.disconnects import computed
from provgraph.errors import TimedOut
from provgraph.flows.attribution.claims import attributed
from provgraph.flows.attribution.source_passages import SourcePassages
from provgraph.reading.syntax import Parser
from provgraph.verdicts.answers import SplitAnswer, cited_sources
from provgraph.verdicts.checking import AnswerJudge
from provgraph.verdicts.judgement import EvidenceText, Place
from provgraph.wire.attribution import AttributedClaim, AttributionPlace

CHECKING_S: Final = 300.0
"""How long a check may take in all."""


class Deadline:
    """Raises `TimedOut` at the first step after `seconds`."""

    def __init__(self, seconds: float = CHECKING_S) -> None:
        self._seconds = seconds
        self._ends = time.monotonic() + seconds

    def step(self) -> None:
        if time.monotonic() > self._ends:
            raise TimedOut(
                f"The text could not be checked within {self._seconds:.0f} seconds. "
                "Check it in parts, or against fewer sources."
            )


@dataclass(frozen=True)
class GivenSourcesCheck:
    """One check. Raises `TimedOut` where it takes longer than `deadline` allows."""

    answer: SplitAnswer
    question: str
    sources: list[EvidenceText]
    parser: Parser
    deadline: Deadline

    def each_claim(self) -> Iterator[AttributedClaim]:
        """The claims in their order, judged in this thread."""
        for number in range(len(self.answer.claims)):
            yield self._claim(number, lambda: None)

    async def claims(self, limiter: CapacityLimiter) -> AsyncGenerator[AttributedClaim]:
        """The claims in their order, each as soon as it is judged."""
        for number in range(len(self.answer.claims)):
            yield await computed(partial(self._claim, number), limiter)

    def _claim(self, number: int, step: Callable[[], None]) -> AttributedClaim:
        def stepped() -> None:
            step()
            self.deadline.step()

        stepped()
        claim, passages, judge = self.answer.claims[number], self._passages, self._judge
        judge.step = stepped
        cited = cited_sources(claim, self.answer.notes, self.sources)
        rest = [at for at in range(len(self.sources)) if at not in cited]
        query = self._query(number)
        checked = judge.judged(number, passages.of(query, cited), passages.of(query, rest))
        return attributed(checked, [self.sources[at].id for at in cited], self._view)

    def _query(self, number: int) -> str:
        """The words to look for: of the claim, and of what its pronouns may stand for."""
        before = self.answer.claims[number - 1].text if number else ""
        return f"{self.answer.claims[number].text} {self.question or before}"

    def _view(self, place: Place) -> AttributionPlace:
        own = self._passages.place(place)
        return AttributionPlace(source=own.source, start=own.start, end=own.end, text=own.text)

    @cached_property
    def _passages(self) -> SourcePassages:
        return SourcePassages(self.sources)

    @cached_property
    def _judge(self) -> AnswerJudge:
        return AnswerJudge(self.answer, self.parser, self.sources, self.question)
