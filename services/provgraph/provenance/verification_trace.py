"""Query provenance of a claim that is judged: what differs from a question that is answered from chunks.

Retrieval, selection and the spans cited are those of `document_trace`, selected edges those of `trace`. Every example
in a docstring is parsed by a test and conforms to the shapes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from provgraph.provenance.document_trace import ChunkQuotation, span_of
from provgraph.provenance.nodes import Nodes, by_index, entity_quads
from provgraph.provenance.trace import Selected, TraceScope, selection_quads
from provgraph.rdf import literals
from provgraph.rdf.iris import person_iri
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, RDF, RDFS, TG


class Label(StrEnum):
    """What documents say of a claim."""

    SUPPORTS = "SUPPORTS"
    REFUTES = "REFUTES"
    NOT_ENOUGH_INFO = "NOT ENOUGH INFO"


Relation = Literal["entailed", "contradicted", "not said"]
_RELATIONS: Final[dict[str, Relation]] = {
    "entailed": "entailed",
    "contradicted": "contradicted",
    "not said": "not said",
}


class Stance(StrEnum):
    FOR = "for"
    AGAINST = "against"


@dataclass(frozen=True)
class ClaimJudgement:
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


@dataclass(frozen=True)
class JudgedElement:
    """One part of a claim, characters `start` to `end` of it, and the words that speak of it, if any do.

    `sentence` is the index of the sentence of a report that judges the claim; None where the whole answer does.
    """

    text: str
    start: int
    end: int
    role: str
    relation: Relation
    why: str = ""
    quotation: ChunkQuotation | None = None
    sentence: int | None = None


@dataclass(frozen=True)
class JudgedSentence:
    """A claim of a text that was checked, its characters `start` to `end`; `cited` are documents that it cites."""

    start: int
    end: int
    judgement: ClaimJudgement
    cited: tuple[NamedNode, ...] = ()
    cited_supports: bool | None = None


@dataclass(frozen=True)
class TracedElement:
    text: str
    start: int
    end: int
    role: str
    relation: Relation
    why: str
    quotation: NamedNode | None


@dataclass(frozen=True)
class TracedClaim:
    """A claim of a text that was checked, as a trace has it."""

    start: int
    end: int
    judgement: ClaimJudgement
    elements: tuple[TracedElement, ...]
    cited: tuple[NamedNode, ...] = ()
    cited_supports: bool | None = None


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


def verdict_quads(scope: TraceScope, judgement: ClaimJudgement) -> list[Quad]:
    """The verdict, as a property of the answer.

    <urn:trustgraph:prov:answer:1> tg:claimVerdict "REFUTES" ; tg:verdictConfidence 0.8 ; tg:verdictCoverage 1.0 .
    """
    return _verdict_of(scope.names.step("answer"), judgement, scope.graph)


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


def element_quads(
    scope: TraceScope, elements: Iterable[JudgedElement], first: int = 0, first_quotation: int = 0
) -> list[Quad]:
    """The table behind a verdict, element by element: indexes count from `first`, and those of quotations, which follow
    those of the sentences, from `first_quotation`.

    <urn:trustgraph:prov:element:1:0> a prov:Entity, tg:ClaimElement ;
        tg:elementOf <urn:trustgraph:prov:answer:1> ; tg:charOffset 33 ; tg:charLength 4 ; tg:elementText "1911" ;
        tg:elementRole "when" ; tg:elementRelation "contradicted" ; tg:reasoning "another value" ;
        tg:quotation <urn:trustgraph:prov:quotation:1:3> .
    <urn:trustgraph:prov:quotation:1:3> a prov:Entity, tg:ChunkQuotation ;
        prov:wasQuotedFrom <doc/version/9f86d0/page/1> ; tg:pageNumber 1 ; tg:sourceDocument <doc> ;
        tg:inChunk <doc/chunk/2c26b4-0> ; tg:chunkIndex 0 ;
        tg:sourceCharOffset 12 ; tg:sourceCharLength 26 .
    """
    names, graph = scope.names, scope.graph
    numbers = itertools.count(first_quotation)
    quads: list[Quad] = []
    for index, element in enumerate(elements, first):
        node = names.element(index)
        quads += [
            *entity_quads(node, TG.ClaimElement, graph),
            Quad(node, TG.element_of, _judging(scope, element.sentence), graph),
            Quad(node, TG.char_offset, literals.integer(element.start), graph),
            Quad(node, TG.char_length, literals.integer(element.end - element.start), graph),
            Quad(node, TG.element_text, literals.text(element.text), graph),
            Quad(node, TG.element_role, literals.text(element.role), graph),
            Quad(node, TG.element_relation, literals.text(element.relation), graph),
        ]
        if element.why:
            quads.append(Quad(node, TG.reasoning, literals.text(element.why), graph))
        if element.quotation:
            quotation = names.quotation(next(numbers))
            quads += [
                Quad(node, TG.quotation, quotation, graph),
                *span_of(quotation, element.quotation, graph),
            ]
    return quads


def checked_text_quads(scope: TraceScope, author: str, version: str) -> list[Quad]:
    """Who wrote a text that is checked, by the name that was given, and which version judges it.

    <urn:trustgraph:session:1> tg:softwareVersion "0.9.0" .
    <urn:trustgraph:claim:1> prov:wasAttributedTo <urn:trustgraph:person:another%20assistant> .
    <urn:trustgraph:person:another%20assistant> a prov:Agent ; rdfs:label "another assistant" .
    """
    writer, graph = person_iri(author), scope.graph
    return [
        Quad(scope.names.session, TG.software_version, literals.text(version), graph),
        Quad(scope.names.question, PROV.was_attributed_to, writer, graph),
        Quad(writer, RDF.type, PROV.Agent, graph),
        Quad(writer, RDFS.label, literals.text(author), graph),
    ]


def checked_claim_quads(scope: TraceScope, claims: Iterable[JudgedSentence]) -> list[Quad]:
    """The claims of a text that was checked: where each stands in it, and the verdict on it.

    <urn:trustgraph:prov:sentence:1:0> tg:claimOffset 12 ; tg:claimLength 26 ; tg:claimVerdict "REFUTES" ;
        tg:verdictConfidence 0.8 ; tg:verdictCoverage 1.0 ; tg:citedDocument <doc> ; tg:citedSupports false .
    """
    names, graph = scope.names, scope.graph
    quads: list[Quad] = []
    for index, claim in enumerate(claims):
        node = names.sentence(index)
        quads += [
            Quad(node, TG.claim_offset, literals.integer(claim.start), graph),
            Quad(node, TG.claim_length, literals.integer(claim.end - claim.start), graph),
            *_verdict_of(node, claim.judgement, graph),
            *(Quad(node, TG.cited_document, document, graph) for document in claim.cited),
        ]
        if claim.cited_supports is not None:
            quads.append(Quad(node, TG.cited_supports, literals.boolean(claim.cited_supports), graph))
    return quads


def _judging(scope: TraceScope, sentence: int | None) -> NamedNode:
    return scope.names.step("answer") if sentence is None else scope.names.sentence(sentence)


def _verdict_of(node: NamedNode, judgement: ClaimJudgement, graph: NamedNode) -> list[Quad]:
    return [
        Quad(node, TG.claim_verdict, literals.text(judgement.label), graph),
        Quad(node, TG.verdict_confidence, literals.decimal(judgement.confidence), graph),
        Quad(node, TG.verdict_coverage, literals.decimal(judgement.coverage), graph),
    ]


def read_elements(node: NamedNode, nodes: Nodes) -> tuple[TracedElement, ...]:
    """The table behind the verdict of an answer, or of a sentence of a report."""
    return tuple(
        _element(named_node, nodes) for named_node in by_index(nodes.pointing_to(TG.element_of, node))
    )


def _element(node: NamedNode, nodes: Nodes) -> TracedElement:
    start = nodes.integer(node, TG.char_offset)
    return TracedElement(
        text=nodes.text(node, TG.element_text),
        start=start,
        end=start + nodes.integer(node, TG.char_length),
        role=nodes.text(node, TG.element_role),
        relation=_RELATIONS[nodes.text(node, TG.element_relation)],
        why=nodes.text(node, TG.reasoning),
        quotation=next(iter(nodes.iris(node, TG.quotation)), None),
    )


def read_checked_claim(sentence: NamedNode, nodes: Nodes) -> TracedClaim | None:
    """None for a sentence of an answer, which judges nothing."""
    judgement = read_verdict(sentence, nodes)
    if judgement is None or not nodes.has(sentence, TG.claim_offset):
        return None
    start = nodes.integer(sentence, TG.claim_offset)
    supports = nodes.text(sentence, TG.cited_supports)
    return TracedClaim(
        start=start,
        end=start + nodes.integer(sentence, TG.claim_length),
        judgement=judgement,
        elements=read_elements(sentence, nodes),
        cited=tuple(nodes.iris(sentence, TG.cited_document)),
        cited_supports=supports == "true" if supports else None,
    )


def read_verdict(answer: NamedNode, nodes: Nodes) -> ClaimJudgement | None:
    """None where no claim was judged, and where the verdict was taken back with its evidence."""
    label = nodes.text(answer, TG.claim_verdict)
    if not label:
        return None
    confidence, coverage = (
        float(nodes.text(answer, term)) for term in (TG.verdict_confidence, TG.verdict_coverage)
    )
    return ClaimJudgement(Label(label), confidence, coverage)


def read_stance(sentence: NamedNode, nodes: Nodes) -> Stance | None:
    """How the words of a sentence of an answer stand to the claim; None where they do not, as in other answers."""
    stance = nodes.text(sentence, TG.stance)
    return Stance(stance) if stance else None
