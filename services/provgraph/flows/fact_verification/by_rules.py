"""The judge without a model: what the passages say of each element of the claim, and the verdict that follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from anyio import CapacityLimiter, fail_after

from provgraph.disconnects import computed
from provgraph.errors import TimedOut
from provgraph.flows.fact_verification.by_cells import judged_by_cells
from provgraph.flows.fact_verification.judgement import JudgedClaim, Material, VerdictArgument
from provgraph.flows.runner.events import ClaimElement
from provgraph.flows.runner.passages import RetrievedPassage
from provgraph.flows.runner.reading_passages import prose_spans, topic
from provgraph.flows.runner.run import Run
from provgraph.provenance.verification_trace import ClaimJudgement, Label, Stance
from provgraph.reading.syntax import Parser
from provgraph.verdicts import judgement as verdicts
from provgraph.verdicts.judging import Judge

JUDGING_S: Final = 20.0
MOST_ARGUMENTS: Final = 3
"""Sentences that are told for or against the claim."""

WEAK: Final = 0.6
MOST_NAMED: Final = 4
"""Elements that an explanation names."""
NOTHING: Final = "The collection has nothing about the claim."


@dataclass(frozen=True)
class RuleJudge:
    """Reads the passages themselves: what was not read as a fact may decide a claim too."""

    parser: Parser
    turns: CapacityLimiter

    async def judged(self, run: Run, material: Material) -> JudgedClaim:  # noqa: ARG002
        """In a thread of its own: other requests go on. Raises `TimedOut` after `JUDGING_S`."""
        try:
            with fail_after(JUDGING_S):
                judged = await computed(partial(judged_by_rules, material, self.parser), self.turns)
        except TimeoutError as error:
            raise TimedOut(
                f"The claim could not be judged within {JUDGING_S:.0f} seconds. Verify its sentences one by one."
            ) from error
        is_open = judged.judgement.label is Label.NOT_ENOUGH_INFO
        return judged_by_cells(material, material.cells, judged) if material.cells and is_open else judged


def judged_by_rules(
    material: Material, parser: Parser, step: Callable[[], None] = lambda: None
) -> JudgedClaim:
    """The verdict with the sentences from which it follows, and the table of the claim's elements. `step` is called
    before each text that is read."""
    texts = [
        _evidence(number, each, material.heads.get(each.hit.document, frozenset()))
        for number, each in enumerate(material.passages)
    ]
    judgement = Judge(parser, step=step).judge(material.claim, texts)
    label = Label(judgement.label)
    elements = tuple(_element(element, material.passages) for element in judgement.elements)
    arguments = tuple(_arguments(judgement, label, material.passages))
    return JudgedClaim(
        ClaimJudgement(label, judgement.confidence, covered(elements)),
        _explanation(label, judgement) if texts or "not a claim" in judgement.notes else NOTHING,
        arguments,
        _notes(label, judgement),
        elements=elements,
        missing=judgement.missing,
    )


def covered(elements: Sequence[ClaimElement]) -> float:
    """The share of the elements that are entailed, to three places as the trace keeps it."""
    return round(sum(element.relation == "entailed" for element in elements) / (len(elements) or 1), 3)


def _evidence(number: int, passage: RetrievedPassage, head: frozenset[str]) -> verdicts.EvidenceText:
    text = passage.hit.text
    return verdicts.EvidenceText(str(number), text, topic(passage.hit.title, text), prose_spans(text), head)


def _element(element: verdicts.Element, passages: Sequence[RetrievedPassage]) -> ClaimElement:
    place = element.evidence
    words = passages[int(place.source)].words(place.start, place.end) if place else None
    return ClaimElement(
        element.text, element.start, element.end, element.role, element.relation, words, element.why
    )


def _arguments(
    judgement: verdicts.Judgement, label: Label, passages: Sequence[RetrievedPassage]
) -> Iterator[VerdictArgument]:
    """The sentences from which a verdict follows; none for one that does not decide."""
    if label is Label.NOT_ENOUGH_INFO:
        return
    stance = Stance.FOR if label is Label.SUPPORTS else Stance.AGAINST
    for place in judgement.deciding[:MOST_ARGUMENTS]:
        passage = int(place.source)
        words = passages[passage].words(place.start, place.end)
        yield VerdictArgument(
            stance, passage, words, _reason(judgement.elements, place, stance), judgement.confidence
        )


def _reason(elements: Sequence[verdicts.Element], place: verdicts.Place, stance: Stance) -> str:
    wanted = "entailed" if stance is Stance.FOR else "contradicted"
    rows = [element for element in elements if element.relation == wanted]
    own = [row for row in rows if row.evidence and _within(row.evidence, place)]
    if stance is Stance.AGAINST:
        return _contradiction(next(iter(own or rows), None))
    return f"It says {_listed(own)}." if own else "The claim follows from it."


def _within(inner: verdicts.Place, outer: verdicts.Place) -> bool:
    return inner.source == outer.source and outer.start <= inner.start and inner.end <= outer.end


# in words


def _explanation(label: Label, judgement: verdicts.Judgement) -> str:
    if label is Label.NOT_ENOUGH_INFO:
        return _line(judgement.missing) or "The documents say neither that it is so nor that it is not."
    if label is Label.SUPPORTS:
        entailed = [element for element in judgement.elements if element.relation == "entailed"]
        return f"The documents say {_listed(entailed)}."
    return _contradiction(
        next((element for element in judgement.elements if element.relation == "contradicted"), None)
    )


def _contradiction(row: verdicts.Element | None) -> str:
    """The row of the table that refutes the claim."""
    if row is None:
        return "The documents say the opposite."
    if row.evidence is None or row.evidence.text.casefold() == row.text.casefold():
        why = f": {_line(row.why)}" if row.why else ""
        return f"The documents speak against “{_line(row.text)}”{why}."
    return f"The documents say “{_line(row.evidence.text)}” where the claim says “{_line(row.text)}”."


def _listed(rows: Sequence[verdicts.Element]) -> str:
    """ "“Curie”, “discovered” and “polonium”"."""
    names = list(dict.fromkeys(f"“{_line(row.text)}”" for row in rows))
    if len(names) > MOST_NAMED:
        return f"{', '.join(names[:MOST_NAMED])} and the rest of it"
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1] if names else "") if part)


def _line(text: str) -> str:
    return " ".join(text.split())


def _notes(label: Label, judgement: verdicts.Judgement) -> tuple[str, ...]:
    if label is not Label.NOT_ENOUGH_INFO and judgement.confidence < WEAK:
        return ("The verdict is uncertain. Read the words that are cited.",)
    return ()
