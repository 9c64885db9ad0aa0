"""Query provenance of a claim that is judged: what differs from a question that is answered from chunks.

Retrieval, selection and the spans cited are those of `document_trace`, selected edges those of `trace`. Every example
in a docstring is parsed by a test and conforms to the shapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from provgraph.provenance.trace import Selected, TraceScope, selection_quads
from provgraph.provenance.trace_nodes import Nodes
from provgraph.rdf import literals
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import TG


class Label(StrEnum):
    """What documents say of a claim."""

    SUPPORTS = "SUPPORTS"
    REFUTES = "REFUTES"
    NOT_ENOUGH_INFO = "NOT ENOUGH INFO"


class Stance(StrEnum):
    FOR = "for"
    AGAINST = "against"


@dataclass(frozen=True)
class Judgement:
    """A label, how sure the judge is of it, and the share of the claim that the evidence speaks of (both 0…1)."""

    label: Label
    confidence: float
    coverage: float


@dataclass(frozen=True)
class Stand:
    """That a sentence of the answer speaks for or against the claim, and the indexes of the selected edges behind."""

    sentence: int
    stance: Stance
    edges: tuple[int, ...] = ()


def local_graph_quads(scope: TraceScope, selected: Sequence[Selected]) -> list[Quad]:
    """The edges of the local graph that the judge reads, beside the selected chunks.

    <urn:trustgraph:prov:selection:1> tg:selectedEdge <urn:trustgraph:prov:edge:1:0> .
    <urn:trustgraph:prov:edge:1:0> a prov:Entity, tg:EdgeSelection ;
        tg:edge <<( e:curie e:discovered e:polonium )>> ; tg:score 0.87 ;
        tg:concept "polonium" ; tg:reasoning "Rank 1 of the local graph." ;
        prov:wasAttributedTo <urn:trustgraph:agent:local-graph> .
    <urn:trustgraph:agent:local-graph> a prov:Agent ; rdfs:label "local-graph" .
    """
    node = scope.names.step("selection")
    said_already = {quad.predicate for quad in selection_quads(scope, ()) if quad.subject == node}
    return [
        quad
        for quad in selection_quads(scope, selected)
        if quad.subject != node or quad.predicate not in said_already
    ]


def verdict_quads(scope: TraceScope, judgement: Judgement) -> list[Quad]:
    """The verdict, as a property of the answer.

    <urn:trustgraph:prov:answer:1> tg:claimVerdict "REFUTES" ; tg:verdictConfidence 0.8 ; tg:verdictCoverage 1.0 .
    """
    answer, graph = scope.names.step("answer"), scope.graph
    return [
        Quad(answer, TG.claim_verdict, literals.text(judgement.label), graph),
        Quad(answer, TG.verdict_confidence, literals.decimal(judgement.confidence), graph),
        Quad(answer, TG.verdict_coverage, literals.decimal(judgement.coverage), graph),
    ]


def stance_quads(scope: TraceScope, stands: Iterable[Stand]) -> list[Quad]:
    """Which sentences of the answer speak for the claim and which against it, and the edges behind them.

    <urn:trustgraph:prov:sentence:1:1> tg:stance "against" ; tg:supportedBy <urn:trustgraph:prov:edge:1:0> .
    """
    names, graph = scope.names, scope.graph
    quads: list[Quad] = []
    for stand in stands:
        node: NamedNode = names.sentence(stand.sentence)
        quads.append(Quad(node, TG.stance, literals.text(stand.stance), graph))
        quads += [Quad(node, TG.supported_by, names.edge(edge), graph) for edge in stand.edges]
    return quads


def read_verdict(answer: NamedNode, nodes: Nodes) -> Judgement | None:
    """None where no claim was judged, and where the verdict was taken back with its evidence."""
    label = nodes.text(answer, TG.claim_verdict)
    if not label:
        return None
    confidence, coverage = (
        float(nodes.text(answer, term)) for term in (TG.verdict_confidence, TG.verdict_coverage)
    )
    return Judgement(Label(label), confidence, coverage)


def read_stance(sentence: NamedNode, nodes: Nodes) -> Stance | None:
    """How the words of a sentence of an answer stand to the claim; None where they do not, as in other answers."""
    stance = nodes.text(sentence, TG.stance)
    return Stance(stance) if stance else None
