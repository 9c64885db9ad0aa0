"""Lineages, verdicts and short answers with their steps → the messages that clients read, alike in a trace and for a
fact alone."""

from __future__ import annotations

from collections.abc import Iterator

from provgraph.catalogue.contradictions import Contradiction
from provgraph.catalogue.lineage import FactLineage, Lineages
from provgraph.catalogue.naming import fact_terms
from provgraph.catalogue.sources import Extraction, Source, Words
from provgraph.language.mentions import mentions
from provgraph.provenance.derivation import TracedStep
from provgraph.provenance.flows import EXTRACTIVE
from provgraph.provenance.receipt import Receipt
from provgraph.provenance.trace_reading import TracedSentence
from provgraph.provenance.verification_trace import TracedClaim, TracedElement
from provgraph.rdf.json_terms import triple_to_json
from provgraph.rdf.terms import NamedNode, Triple
from provgraph.traces.reader import OpenedTrace
from provgraph.wire import lineage as wire
from provgraph.wire.answer import VerdictElement
from provgraph.wire.highlights import HighlightedMention
from provgraph.wire.text import CitedSource
from provgraph.wire.trace import TraceClaim, TraceDerivationStep, TraceShortAnswer, TraceVerdict


def lineage_view(lineages: Lineages, fact: Triple) -> wire.Lineage:
    lineage = lineages.of[fact]
    return wire.Lineage(
        fact=triple_to_json(fact),
        subject=lineages.labels[fact.subject],
        relation=lineages.labels[fact.predicate],
        object=lineages.labels[fact.object],
        documents=lineage.documents,
        subgraphs=len(lineage.subgraphs),
        sources=source_views(lineages, lineage),
        contradictions=contradiction_views(lineages, lineage),
    )


def mention_views(opened: OpenedTrace, sentence: TracedSentence) -> list[HighlightedMention]:
    """The quantities and names in a sentence of an answer by extraction, found as when it was given; none in others."""
    if opened.trace.session.flow != EXTRACTIVE.agent:
        return []
    text = opened.answer[sentence.start : sentence.end]
    return [
        HighlightedMention(
            type=mention.type,
            start=sentence.start + mention.start,
            end=sentence.start + mention.end,
            text=text[mention.start : mention.end],
        )
        for mention in mentions(text, opened.answer)
    ]


def source_views(lineages: Lineages, lineage: FactLineage) -> list[wire.FactSource]:
    return [source_view(source, lineages.extractions.get(source.subgraph)) for source in lineage.sources]


def contradiction_views(lineages: Lineages, lineage: FactLineage) -> list[wire.ContradictingFact]:
    return [_contradiction(lineages, rival) for rival in lineage.contradictions]


def _contradiction(lineages: Lineages, rival: Contradiction) -> wire.ContradictingFact:
    fact = rival.fact
    return wire.ContradictingFact(
        subject=lineages.labels[fact.subject],
        relation=lineages.labels[fact.predicate],
        object=lineages.labels[fact.object],
        triple=triple_to_json(fact),
        attribute=rival.attribute,
        documents=len({source.place.document for source in rival.sources}),
        sources=[source_view(source, lineages.extractions.get(source.subgraph)) for source in rival.sources],
    )


def source_view(source: Source, extraction: Extraction | None) -> wire.FactSource:
    return wire.FactSource(
        **cited_source(source).model_dump(),
        subgraph=source.subgraph.value,
        quotation=source.quotation.value,
        confidence=source.confidence,
        extraction=_extraction(extraction) if extraction else None,
    )


def _extraction(extraction: Extraction) -> wire.SourceExtraction:
    return wire.SourceExtraction(
        extractor=extraction.extractor,
        label=extraction.label,
        version=extraction.version,
        model=extraction.model or None,
        ontology=extraction.ontology or None,
        at=extraction.at,
        received=received_view(extraction.receipt),
    )


def received_view(receipt: Receipt | None) -> wire.ReceivedIn | None:
    """None for what was made here."""
    if receipt is None:
        return None
    return wire.ReceivedIn(file=receipt.file, sha256=receipt.content_hash, by=receipt.by, at=receipt.at)


def cited_source(source: Words) -> CitedSource:
    return CitedSource(
        document=source.place.document.value,
        title=source.place.title,
        page=source.page.value,
        page_number=source.page_number,
        chunk=source.place.chunk.value,
        chunk_number=source.place.chunk_index + 1,
        start=source.start,
        end=source.end,
        text=source.text,
        source=source.place.source,
        address=source.address,
    )


def verdict_view(opened: OpenedTrace) -> TraceVerdict | None:
    """None where no claim was judged."""
    verdict = opened.trace.verdict
    if verdict is None:
        return None
    return TraceVerdict(
        label=verdict.label,
        confidence=round(verdict.confidence, 3),
        coverage=round(verdict.coverage, 3),
        explanation=_explanation(opened, verdict.label),
        elements=[_element_view(opened, element) for element in opened.trace.elements],
    )


def claim_view(opened: OpenedTrace, claim: TracedClaim) -> TraceClaim:
    """A claim of a text that was checked."""
    return TraceClaim(
        start=claim.start,
        end=claim.end,
        text=opened.trace.session.query[claim.start : claim.end],
        label=claim.judgement.label,
        confidence=round(claim.judgement.confidence, 3),
        coverage=round(claim.judgement.coverage, 3),
        elements=[_element_view(opened, element) for element in claim.elements],
        cited_documents=[named_node.value for named_node in claim.cited],
        cited_supports=claim.cited_supports,
    )


def _element_view(opened: OpenedTrace, element: TracedElement) -> VerdictElement:
    words = opened.cited.get(element.quotation) if element.quotation else None
    return VerdictElement(
        element=element.text,
        start=element.start,
        end=element.end,
        role=element.role,
        evidence=cited_source(words) if words else None,
        relation=element.relation,
        why=element.why,
    )


def _explanation(opened: OpenedTrace, label: str) -> str:
    """What stands between the label and the first words that are quoted."""
    quoted = [sentence.start for sentence in opened.trace.sentences if sentence.stance]
    return opened.answer[: min(quoted, default=None)].removeprefix(f"{label}: ").strip()


def short_answer_view(opened: OpenedTrace) -> TraceShortAnswer | None:
    """None where nothing short was proved."""
    short = opened.trace.short_answer
    if short is None:
        return None
    return TraceShortAnswer(
        text=short.text,
        kind=short.kind.value,
        derivation=short.derivation.value,
        steps=[_step(opened, step) for step in short.steps],
    )


def _step(opened: OpenedTrace, step: TracedStep) -> TraceDerivationStep:
    return TraceDerivationStep(
        id=step.iri.value,
        operation=step.operation,
        inputs=list(_inputs(opened, step)),
        earlier=[node.value for node in step.earlier],
        used=[node.value for node in step.used],
        facts=[triple_to_json(fact) for fact in step.facts],
        quotations=[node.value for node in step.quotations],
        value=step.value,
        explanation=step.explanation,
        sparql=step.sparql or None,
    )


def _inputs(opened: OpenedTrace, step: TracedStep) -> Iterator[str]:
    """Facts in labels, sentences and quotations in their words; an input whose words are gone by its IRI."""
    for node in step.used:
        yield _entity_text(opened, node)
    for fact in step.facts:
        yield _fact_text(opened, fact)
    for quotation in step.quotations:
        words = opened.cited.get(quotation)
        yield f"“{words.text}”" if words else quotation.value


def _entity_text(opened: OpenedTrace, node: NamedNode) -> str:
    trace, names = opened.trace, opened.names
    for edge in trace.selected:
        if edge.iri == node:
            return _fact_text(opened, edge.edge)
    for index, sentence in enumerate(trace.sentences):
        if names.sentence(index) == node:
            return f"“{opened.answer[sentence.start : sentence.end]}”"
    for chunk in trace.chunks.selected:
        if chunk.iri == node and (place := opened.places.get(chunk.chunk)):
            return f"chunk {place.chunk_index + 1} of page {place.page_number}, {place.title}"
    return node.value


def _fact_text(opened: OpenedTrace, fact: Triple) -> str:
    return f"({', '.join(opened.labels[term] for term in fact_terms(fact))})"
