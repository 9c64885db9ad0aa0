"""Lineages and verdicts → the messages that clients read, alike in a trace and for a fact alone."""

from __future__ import annotations

from provgraph.catalogue.contradictions import Contradiction
from provgraph.catalogue.lineage import FactLineage, Lineages
from provgraph.catalogue.sources import Extraction, Source, Words
from provgraph.provenance.receipt import Receipt
from provgraph.provenance.verification_trace import TracedClaim, TracedElement
from provgraph.rdf.json_terms import triple_to_json
from provgraph.rdf.terms import Triple
from provgraph.traces.reader import OpenedTrace
from provgraph.wire import lineage as wire
from provgraph.wire.answer import VerdictElement
from provgraph.wire.text import CitedSource
from provgraph.wire.trace import TraceClaim, TraceVerdict


def lineage_view(found: Lineages, fact: Triple) -> wire.Lineage:
    lineage = found.of[fact]
    return wire.Lineage(
        fact=triple_to_json(fact),
        subject=found.labels[fact.subject],
        relation=found.labels[fact.predicate],
        object=found.labels[fact.object],
        documents=lineage.documents,
        subgraphs=len(lineage.subgraphs),
        sources=source_views(found, lineage),
        contradictions=contradiction_views(found, lineage),
    )


def source_views(found: Lineages, lineage: FactLineage) -> list[wire.FactSource]:
    return [source_view(source, found.extractions.get(source.subgraph)) for source in lineage.sources]


def contradiction_views(found: Lineages, lineage: FactLineage) -> list[wire.ContradictingFact]:
    return [_contradiction(found, rival) for rival in lineage.contradictions]


def _contradiction(found: Lineages, rival: Contradiction) -> wire.ContradictingFact:
    fact = rival.fact
    return wire.ContradictingFact(
        subject=found.labels[fact.subject],
        relation=found.labels[fact.predicate],
        object=found.labels[fact.object],
        triple=triple_to_json(fact),
        attribute=rival.attribute,
        documents=len({source.place.document for source in rival.sources}),
        sources=[source_view(source, found.extractions.get(source.subgraph)) for source in rival.sources],
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
        elements=[_element_view(opened, each) for each in opened.trace.elements],
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
        elements=[_element_view(opened, each) for each in claim.elements],
        cited_documents=[each.value for each in claim.cited],
        cited_supports=claim.cited_supports,
    )


def _element_view(opened: OpenedTrace, each: TracedElement) -> VerdictElement:
    words = opened.cited.get(each.quotation) if each.quotation else None
    return VerdictElement(
        element=each.text,
        start=each.start,
        end=each.end,
        role=each.role,
        evidence=cited_source(words) if words else None,
        relation=each.relation,
        why=each.why,
    )


def _explanation(opened: OpenedTrace, label: str) -> str:
    """What stands between the label and the first words that are quoted."""
    quoted = [sentence.start for sentence in opened.trace.sentences if sentence.stance]
    return opened.answer[: min(quoted, default=None)].removeprefix(f"{label}: ").strip()
