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


def report_line(
    checked: CheckedClaim, claim: AttributedClaim, passages: FoundPassages, start: int
) -> ReportLine:
    missing = f" ({claim.missing})" if claim.missing else ""
    text = f"{claim.verdict}: {claim.text}{missing}"
    decided = checked.judgement.deciding[: len(claim.evidence)]
    sentence = AnswerSentence(
        start,
        start + len(text),
        tuple(passages.words(place) for place in decided),
        chunks=tuple(dict.fromkeys(int(place.source) for place in decided)),
        origin=Origin.DERIVED,
    )
    return ReportLine(text, start, checked, claim, sentence)


def draft_report(scope: TraceScope, lines: Sequence[ReportLine], passages: FoundPassages) -> DraftAnswer:
    """The report, not yet recorded."""
    quotations = sum(len(line.sentence.words) for line in lines)
    elements = [element for number, line in enumerate(lines) for element in _elements(number, line, passages)]
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
    claim = line.told
    entailed = sum(element.relation == "entailed" for element in claim.elements)
    coverage = entailed / (len(claim.elements) or 1)
    judgement = ClaimJudgement(Label(claim.verdict), claim.confidence, coverage)
    cited = tuple(NamedNode(cited_source) for cited_source in claim.cited_sources)
    return JudgedSentence(claim.start, claim.end, judgement, cited, claim.cited_supports)


def _elements(number: int, line: ReportLine, passages: FoundPassages) -> Iterator[JudgedElement]:
    for element in line.checked.judgement.elements:
        quotation = passages.words(element.evidence).quotation_of_chunk if element.evidence else None
        yield JudgedElement(
            element.text,
            element.start,
            element.end,
            element.role,
            element.relation,
            element.why,
            quotation,
            number,
        )
