"""The writer without a model: the sentences of the selected chunks that together meet most of the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.sources import Words
from provgraph.flows.runner.answer_stream import REFUSAL, Parts, Told
from provgraph.flows.runner.from_chunks.answers import Statement
from provgraph.flows.runner.from_chunks.selection import Selection

MOST_SENTENCES: Final = 4
LEAST_GAIN: Final = 0.1
"""Share of the question's weight that a further sentence must add to what those before it meet."""


@dataclass(frozen=True)
class _Candidate:
    chunk: int
    words: Words
    shares: dict[str, float]

    @property
    def text(self) -> str:
        return " ".join(self.words.text.split())


class QuotingWriter:
    async def answer(
        self,
        question: str,  # noqa: ARG002 (the question is the protocol's: what was selected answers it)
        selection: Selection,
    ) -> Parts[Statement]:
        candidates = _candidates(selection)
        chosen = _chosen(selection, candidates) if selection.suffices else []
        text, statements = "", list[Statement]()
        for each in chosen:
            said = f" {each.text}" if text else each.text
            yield said
            start = len(text) + len(said) - len(each.text)
            text += said
            statements.append(_statement(start, each.text, candidates))
        if not chosen:
            yield REFUSAL
        yield Told(text or REFUSAL, tuple(statements))


def _candidates(selection: Selection) -> list[_Candidate]:
    return [
        _Candidate(index, words, selection.weights.shares(weighed.passage.said(words), weighed.passage))
        for index, weighed in enumerate(selection.chosen)
        for words in weighed.passage.sentences
    ]


def _chosen(selection: Selection, candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """First the sentence that meets most, then one at a time what adds most, in the order in which they are found."""
    weights, chosen, covered = selection.weights, list[_Candidate](), dict[str, float]()
    while len(chosen) < MOST_SENTENCES:
        gains = [weights.coverage(each.shares, covered) for each in candidates]
        best = max(range(len(gains)), key=lambda index: (gains[index], -index), default=None)
        if best is None or gains[best] < LEAST_GAIN:
            break
        chosen.append(candidates[best])
        for term, share in candidates[best].shares.items():
            covered[term] = max(share, covered.get(term, 0.0))
    return chosen


def _statement(start: int, text: str, candidates: Sequence[_Candidate]) -> Statement:
    """With every selected chunk that says the same words; overlapping chunks have them at one place."""
    said = [each for each in candidates if each.text == text]
    places = {(each.words.page, each.words.start): each.words for each in said}
    chunks = tuple(dict.fromkeys(each.chunk for each in said))
    return Statement(start, start + len(text), chunks, tuple(places.values()))
