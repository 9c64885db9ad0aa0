"""The short answer of a trace as a message: its steps, with what each used in words."""

from __future__ import annotations

from collections.abc import Iterator

from provgraph.catalogue.naming import fact_terms
from provgraph.provenance.derivation import TracedStep
from provgraph.rdf.json_terms import triple_to_json
from provgraph.rdf.terms import NamedNode, Triple
from provgraph.traces.reader import OpenedTrace
from provgraph.wire.trace import TraceDerivationStep, TraceShortAnswer


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
