"""Judged claims → what a reply says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from provgraph import __version__
from provgraph.verdicts.answers import SplitAnswer
from provgraph.verdicts.checking import NOT_A_CLAIM, CheckedClaim
from provgraph.verdicts.judgement import Element, Judgement, Place
from provgraph.wire.attribution import (
    AttributedClaim,
    AttributedElement,
    AttributionPlace,
    AttributionSummary,
)

WEAK: Final = 0.6
UNCERTAIN: Final = "The verdict is uncertain. Read the words that are cited."
MOST_EVIDENCE: Final = 3
"""Sentences that are told for a verdict."""

PlaceView = Callable[[Place], AttributionPlace]
"""A place in a text that was judged by, as a place in the source that it is of."""


def attributed(checked: CheckedClaim, cited_sources: Sequence[str], view: PlaceView) -> AttributedClaim:
    claim, judgement = checked.claim, checked.judgement
    return AttributedClaim(
        text=claim.text,
        start=claim.start,
        end=claim.end,
        verdict=judgement.label,
        confidence=round(judgement.confidence, 3),
        attributable=checked.attributable,
        elements=[_element(element, view) for element in judgement.elements],
        evidence=[view(place) for place in _decisive(checked)],
        cited=list(claim.citations),
        cited_sources=list(cited_sources),
        cited_supports=checked.cited_alone.label == "SUPPORTS" if checked.cited_alone else None,
        missing=judgement.missing,
        notes=[*judgement.notes, *_doubts(judgement)],
    )


def _doubts(judgement: Judgement) -> Sequence[str]:
    is_weak = judgement.label != "NOT ENOUGH INFO" and judgement.confidence < WEAK
    return (UNCERTAIN,) if is_weak else ()


def search_words(answer: SplitAnswer, number: int, question: str) -> str:
    """The words to look for: of the claim, and of what its pronouns may stand for."""
    before = answer.claims[number - 1].text if number else ""
    return f"{answer.claims[number].text} {question or before}"


def _decisive(checked: CheckedClaim) -> Sequence[Place]:
    """The sentences from which a verdict follows; none for one that does not decide."""
    judgement = checked.judgement
    return () if judgement.label == "NOT ENOUGH INFO" else judgement.deciding[:MOST_EVIDENCE]


def _element(element: Element, view: PlaceView) -> AttributedElement:
    return AttributedElement(
        element=element.text,
        start=element.start,
        end=element.end,
        role=element.role,
        relation=element.relation,
        evidence=view(element.evidence) if element.evidence else None,
        why=element.why,
    )


def summary(
    claims: Iterable[AttributedClaim],
    sources: int | None = None,
    collection: str | None = None,
    session: str | None = None,
) -> AttributionSummary:
    every = list(claims)
    judged = [claim for claim in every if NOT_A_CLAIM not in claim.notes]
    labels = [claim.verdict for claim in judged]
    cited = [claim.cited_supports for claim in judged if claim.cited_supports is not None]
    return AttributionSummary(
        claims=len(judged),
        supported=labels.count("SUPPORTS"),
        refuted=labels.count("REFUTES"),
        not_enough_info=labels.count("NOT ENOUGH INFO"),
        not_claims=len(every) - len(judged),
        cited=len(cited),
        cited_supported=sum(cited),
        sources=sources,
        collection=collection,
        session=session,
        version=__version__,
    )
