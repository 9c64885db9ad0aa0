"""Which of the retrieved chunks answer, by measured evidence: how much of the question their best sentence meets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.sources import Words
from provgraph.flows.runner.evidence import needed_coverage
from provgraph.flows.runner.passages import Passage, QuestionWeights
from provgraph.provenance.document_trace import PassedOverChunk, SelectedChunk

SELECTOR: Final = "passage-selector"

NEAR: Final = 0.6
"""A further chunk is chosen whose best sentence meets at least this share of what the best of all meets."""


@dataclass(frozen=True)
class Weighed:
    """A passage, the sentence of it that meets most, and what that is (0…1)."""

    passage: Passage
    sentence: Words
    coverage: float
    rank: int


@dataclass(frozen=True)
class Selection:
    """`suffices` tells whether the evidence is an answer without a model to read it."""

    chosen: tuple[Weighed, ...]
    passed_over: tuple[PassedOverChunk, ...]
    weights: QuestionWeights
    suffices: bool

    def told(self) -> list[SelectedChunk]:
        return [_selected(self.weights, each) for each in self.chosen]


def selected(weights: QuestionWeights, found: Sequence[Passage], limit: int) -> Selection:
    """At most `limit` chunks, best first; none where no sentence meets any word of the question."""
    weighed = [_weighed(weights, passage, rank) for rank, passage in enumerate(found, 1) if passage.sentences]
    ranked = sorted(weighed, key=lambda each: (-each.coverage, each.rank))
    best = ranked[0].coverage if ranked else 0.0
    needed = needed_coverage(len(weights.terms), weights.known(found))
    near = [each for each in ranked if best and each.coverage >= NEAR * best]
    chosen = near[:limit]
    others = [each for each in ranked if each not in chosen]
    return Selection(
        tuple(chosen),
        tuple(_passed_over(each, best, len(near) > limit and each in near) for each in others),
        weights,
        best >= needed,
    )


def _weighed(weights: QuestionWeights, passage: Passage, rank: int) -> Weighed:
    covered = [weights.coverage(weights.shares(passage.said(each), passage)) for each in passage.sentences]
    best = max(range(len(covered)), key=covered.__getitem__)
    return Weighed(passage, passage.sentences[best], covered[best], rank)


def _selected(weights: QuestionWeights, each: Weighed) -> SelectedChunk:
    met = [term.text for term in weights.terms if term.text in weights.met(each.passage.hit.text)]
    named = f" ({', '.join(met)})" if met else ""
    reasoning = (
        f"Meets {len(met)} of {len(weights.terms)} terms{named}; its best sentence covers {each.coverage:.0%} of "
        f"the question's weight; retrieved as number {each.rank}."
    )
    return SelectedChunk(each.passage.hit.chunk, each.passage.hit.score, tuple(met), reasoning, SELECTOR)


def _passed_over(each: Weighed, best: float, beyond_limit: bool) -> PassedOverChunk:
    why = "ranked after the chunks selected" if beyond_limit else f"the best chunk's covers {best:.0%}"
    reasoning = f"Its best sentence covers {each.coverage:.0%} of the question's weight; {why}."
    return PassedOverChunk(each.passage.hit.chunk, each.passage.hit.score, reasoning)
