"""A text checked against sources that come with the request. Nothing of it is stored.

One claim after the other is judged in a thread, so that other checks take their turns between two claims, and a check
ends where its client is gone.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial

from anyio import CapacityLimiter

from provgraph.disconnects import computed
from provgraph.flows.attribution.claims import attributed, search_words
from provgraph.flows.attribution.deadline import Deadline
from provgraph.flows.attribution.source_passages import SourcePassages
from provgraph.reading.syntax import Parser
from provgraph.verdicts.answers import SplitAnswer, cited_sources, names_of
from provgraph.verdicts.checking import AnswerJudge
from provgraph.verdicts.judgement import EvidenceText, Place
from provgraph.wire.attribution import AttributedClaim, AttributionPlace


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
        cited = cited_sources(claim, self.answer.notes, self._names)
        rest = [at for at in range(len(self.sources)) if at not in cited]
        query = search_words(self.answer, number, self.question)
        checked = judge.judged(number, passages.of(query, cited), passages.of(query, rest))
        return attributed(checked, [self.sources[at].id for at in cited], self._view)

    def _view(self, place: Place) -> AttributionPlace:
        own = self._passages.place(place)
        return AttributionPlace(source=own.source, start=own.start, end=own.end, text=own.text)

    @cached_property
    def _names(self) -> list[tuple[str, ...]]:
        return [names_of(source) for source in self.sources]

    @cached_property
    def _passages(self) -> SourcePassages:
        return SourcePassages(self.sources)

    @cached_property
    def _judge(self) -> AnswerJudge:
        return AnswerJudge(self.answer, self.parser, self.sources, self.question)
