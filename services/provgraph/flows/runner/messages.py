"""Events of a session → the messages that clients read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from provgraph.errors import Unavailable
from provgraph.flows.runner.events import (
    CitedSentence,
    ClaimElement,
    ClaimFinding,
    ClaimVerdict,
    Event,
    Explained,
    Finished,
    TextAdded,
)
from provgraph.provenance.verification_trace import Stance
from provgraph.rdf.graphs import retrieval_graph
from provgraph.rdf.json_terms import quad_to_json
from provgraph.traces.views import cited_source
from provgraph.wire.answer import (
    Answer,
    AnswerError,
    AnswerMessage,
    Citation,
    Evidence,
    EvidenceFact,
    ShortAnswer,
    SourceDocument,
    Verdict,
    VerdictElement,
)


def message(event: Event, explain_collection: str) -> AnswerMessage:
    match event:
        case Explained():
            return AnswerMessage(
                message_type="explain",
                explain_id=event.entity.value,
                explain_graph=retrieval_graph(explain_collection).value,
                explain_collection=explain_collection,
                explain_triples=[quad_to_json(quad) for quad in event.quads],
            )
        case TextAdded():
            return AnswerMessage(message_type="chunk", response=event.text)
        case Finished():
            return _last(event)


def whole(events: Sequence[Event], explain_collection: str) -> Answer:
    """A finished session in one JSON; raises the error of one that failed, `Unavailable` for one cut off."""
    finished = events[-1] if events else None
    if not isinstance(finished, Finished):
        raise Unavailable("The session ended before the answer was complete. Ask again.")
    if finished.error:
        raise finished.error
    last = _last(finished)
    return Answer(
        response=finished.answer,
        outcome=finished.outcome,
        session=finished.session.value,
        explain_collection=explain_collection,
        explain=[message(event, explain_collection) for event in events if isinstance(event, Explained)],
        sources=last.sources or [],
        citations=last.citations or [],
        in_token=last.in_token,
        out_token=last.out_token,
        duration_ms=last.duration_ms,
        model=last.model,
        warnings=last.warnings,
        highlights=last.highlights,
        verdict=last.verdict,
        understood_as=last.understood_as,
        short_answer=last.short_answer,
    )


def _last(event: Finished) -> AnswerMessage:
    usage = event.usage
    return AnswerMessage(
        message_type="chunk",
        response="",
        end_of_stream=True,
        end_of_session=True,
        error=AnswerError(type=event.error.slug, message=str(event.error)) if event.error else None,
        sources=_documents(event.sentences),
        citations=[_citation(sentence) for sentence in event.sentences],
        in_token=usage.in_tokens,
        out_token=usage.out_tokens,
        duration_ms=usage.duration_ms if usage.model else None,
        model=usage.model or None,
        warnings=list(event.warnings) or None,
        highlights=event.highlights,
        verdict=_verdict(event.verdict) if event.verdict else None,
        understood_as=event.understood_as or None,
        short_answer=_short_answer(event),
    )


def _short_answer(event: Finished) -> ShortAnswer | None:
    short = event.short_answer
    if short is None or event.derivation is None:
        return None
    return ShortAnswer(text=short.text, kind=short.kind.value, derivation=event.derivation.value)


def _verdict(verdict: ClaimVerdict) -> Verdict:
    def evidence(stance: Stance) -> list[Evidence]:
        return [_evidence(finding) for finding in verdict.findings if finding.stance is stance]

    return Verdict(
        label=verdict.judgement.label.value,
        confidence=round(verdict.judgement.confidence, 3),
        coverage=round(verdict.judgement.coverage, 3),
        explanation=verdict.explanation,
        elements=[_element(element) for element in verdict.elements],
        missing=verdict.missing,
        supporting=evidence(Stance.FOR),
        opposing=evidence(Stance.AGAINST),
        notes=list(verdict.notes),
    )


def _element(element: ClaimElement) -> VerdictElement:
    return VerdictElement(
        element=element.text,
        start=element.start,
        end=element.end,
        role=element.role,
        evidence=cited_source(element.words) if element.words else None,
        relation=element.relation,
        why=element.why,
    )


def _evidence(finding: ClaimFinding) -> Evidence:
    facts = [
        EvidenceFact(
            edge=fact.edge.value if fact.edge else None,
            subject=fact.labels[0],
            relation=fact.labels[1],
            object=fact.labels[2],
            confidence=fact.confidence,
        )
        for fact in finding.facts
    ]
    return Evidence(
        reason=finding.reason,
        confidence=round(finding.confidence, 3),
        source=cited_source(finding.words),
        facts=facts,
    )


def _documents(sentences: Iterable[CitedSentence]) -> list[SourceDocument]:
    titles = {
        source.place.document.value: source.place.title
        for sentence in sentences
        for source in sentence.sources
    }
    return [SourceDocument(uri=uri, title=title) for uri, title in titles.items()]


def _citation(sentence: CitedSentence) -> Citation:
    return Citation(
        start=sentence.start,
        end=sentence.end,
        supported=bool(sentence.edges or sentence.chunks),
        edges=[edge.value for edge in sentence.edges],
        chunks=[chunk.value for chunk in sentence.chunks],
        sources=[cited_source(source) for source in sentence.sources],
        origin=sentence.origin.value,
    )
