"""The verdicts on a text as the answer of its session: a line for each claim, with the words of documents behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from provgraph.flows.attribution.found_passages import FoundPassages
from provgraph.flows.runner.answers import AnswerSentence, DraftAnswer
from provgraph.provenance.trace import Origin, Outcome
from provgraph.verdicts.checking import CheckedClaim
from provgraph.wire.attribution import AttributedClaim

_MOST_WORDS = 3


@dataclass(frozen=True)
class ReportLine:
    """ "REFUTES: Bolt Foods employs 40 people.", which begins at `start` of the report."""

    text: str
    start: int
    checked: CheckedClaim
    told: AttributedClaim
    sentence: AnswerSentence

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def report_line(checked: CheckedClaim, told: AttributedClaim, found: FoundPassages, start: int) -> ReportLine:
    text = f"{told.verdict}: {told.text} {told.missing}".rstrip()
    decided = checked.judgement.deciding[: len(told.evidence)]
    sentence = AnswerSentence(
        start,
        start + len(text),
        tuple(found.words(place) for place in decided),
        chunks=tuple(dict.fromkeys(int(place.source) for place in decided)),
        origin=Origin.DERIVED,
    )
    return ReportLine(text, start, checked, told, sentence)


def draft_report(lines: Sequence[ReportLine]) -> DraftAnswer:
    """The report, not yet recorded."""
    return DraftAnswer(
        "\n".join(line.text for line in lines),
        tuple(line.sentence for line in lines),
        outcome=Outcome.ANSWERED,
        attribution=tuple(line.told for line in lines),
    )
