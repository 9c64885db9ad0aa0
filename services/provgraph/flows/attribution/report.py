"""The verdicts on a text as the answer of its session: a line for each claim, with the words of documents behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from provgraph.flows.attribution.found_passages import FoundPassages
from provgraph.flows.runner.answers import AnswerSentence, DraftAnswer
from provgraph.provenance import verification_trace
from provgraph.provenance.trace import Origin, SessionOutcome, TraceScope
from provgraph.provenance.verification_trace import ClaimJudgement, JudgedElement, JudgedSentence, Label
from provgraph.rdf.terms import NamedNode
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
    missing = f" ({told.missing})" if told.missing else ""
    text = f"{told.verdict}: {told.text}{missing}"
    decided = checked.judgement.deciding[: len(told.evidence)]
    sentence = AnswerSentence(
        start,
        start + len(text),
        tuple(found.words(place) for place in decided),
        chunks=tuple(dict.fromkeys(int(place.source) for place in decided)),
        origin=Origin.DERIVED,
    )
    return ReportLine(text, start, checked, told, sentence)


def draft_report(scope: TraceScope, lines: Sequence[ReportLine], found: FoundPassages) -> DraftAnswer:
    """The report, not yet recorded."""
    quotations = sum(len(line.sentence.words) for line in lines)
    elements = [each for number, line in enumerate(lines) for each in _elements(number, line, found)]
    return DraftAnswer(
        "\n".join(line.text for line in lines),
        tuple(line.sentence for line in lines),
        quads=[
            *verification_trace.checked_claim_quads(scope, map(_judged, lines)),
            *verification_trace.element_quads(scope, elements, first_quotation=quotations),
        ],
        outcome=SessionOutcome.ANSWERED,
        attribution=tuple(line.told for line in lines),
    )


def _judged(line: ReportLine) -> JudgedSentence:
    told = line.told
    entailed = sum(each.relation == "entailed" for each in told.elements)
    coverage = entailed / (len(told.elements) or 1)
    judgement = ClaimJudgement(Label(told.verdict), told.confidence, coverage)
    cited = tuple(NamedNode(each) for each in told.cited_sources)
    return JudgedSentence(told.start, told.end, judgement, cited, told.cited_supports)


def _elements(number: int, line: ReportLine, found: FoundPassages) -> Iterator[JudgedElement]:
    for each in line.checked.judgement.elements:
        quotation = found.words(each.evidence).quotation_of_chunk if each.evidence else None
        yield JudgedElement(
            each.text, each.start, each.end, each.role, each.relation, each.why, quotation, number
        )
