"""Query provenance: one question's session, grounding, retrieval, selection and answer, as quads.

Each function describes one step; the steps follow each other by `prov:wasDerivedFrom`, so that a path query
leads from an answer to its question. The types of TrustGraph's clients (`tg:Grounding`, `tg:Exploration`,
`tg:Focus`, `tg:Synthesis`) stand beside ours. Every example in a docstring is parsed by a test and conforms to
the shapes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from provgraph.provenance.flows import GRAPH_RAG, FlowName
from provgraph.provenance.nodes import entity_quads
from provgraph.rdf import literals
from provgraph.rdf.iris import SessionNames, agent_iri, collection_iri, digest
from provgraph.rdf.terms import NamedNode, Quad, Triple
from provgraph.rdf.vocabulary import PROV, RDF, RDFS, TG


@dataclass(frozen=True)
class RankedBy:
    """The way of ranking, by name, and the numbers that it was given or has by default."""

    method: str = ""
    parameters: Mapping[str, float] = field(default_factory=dict)


UNKNOWN: Final = RankedBy()


@dataclass(frozen=True)
class RetrievalPath:
    """What led to an edge (`found_by`: words, passage, exact label …), and the labels from its seed to it."""

    found_by: str = ""
    path: tuple[str, ...] = ()

    @property
    def along(self) -> str:
        return " → ".join(self.path)


def ranking_quads(retrieval: NamedNode, ranked: RankedBy, graph: NamedNode) -> list[Quad]:
    """How a retrieval ranked; nothing where that is not known.

    <urn:trustgraph:prov:retrieval:1> tg:retrievalMethod "bm25" ; tg:retrievalParameter "k1=1.5" .
    """
    if not ranked.method:
        return []
    numbers = (f"{name}={number:g}" for name, number in sorted(ranked.parameters.items()))
    return [
        Quad(retrieval, TG.retrieval_method, literals.text(ranked.method), graph),
        *(Quad(retrieval, TG.retrieval_parameter, literals.text(number), graph) for number in numbers),
    ]


def retrieval_path_quads(edge: NamedNode, way: RetrievalPath, graph: NamedNode) -> Iterator[Quad]:
    """What led to an edge that was selected or passed over; nothing where that is not known.

    <urn:trustgraph:prov:edge:1:0> tg:foundBy "exact label" ; tg:foundAlong "Pierre Curie → Marie Curie" .
    """
    if way.found_by:
        yield Quad(edge, TG.found_by, literals.text(way.found_by), graph)
    if way.path:
        yield Quad(edge, TG.found_along, literals.text(way.along), graph)


def rescored(edge: NamedNode, score: float | None, graph: NamedNode) -> Iterator[Quad]:
    """What a reranking gave an edge, where there was one."""
    if score is not None:
        yield Quad(edge, TG.rerank_score, literals.decimal(score), graph)


class SessionOutcome(StrEnum):
    """How a session ended. One without an outcome is still running."""

    ANSWERED = "answered"
    REFUSED = "refused"
    FAILED = "failed"
    CUT_OFF = "cut off"
    INTERRUPTED = "interrupted"


class Origin(StrEnum):
    """How the words of a sentence of an answer came about."""

    QUOTED = "quoted"
    """They stand in a document."""
    DERIVED = "derived"
    """Rules made them from facts."""
    GENERATED = "generated"
    """A language model wrote them."""


@dataclass(frozen=True)
class TraceScope:
    """Where a trace is written, and under which names."""

    names: SessionNames
    graph: NamedNode
    flow: FlowName = GRAPH_RAG


@dataclass(frozen=True)
class Selected:
    """An edge that was chosen: `reasoning` in the words of `agent`, who chose it.

    `rerank_score` (0…10) is what the reranking gave it, where there was one.
    """

    edge: Triple
    score: float
    concepts: tuple[str, ...]
    reasoning: str
    agent: str
    rerank_score: float | None = None
    way: RetrievalPath = RetrievalPath()


@dataclass(frozen=True)
class SentenceSupport:
    """One sentence of the answer: its span in the answer, the selections behind it, the quotations cited.

    `overlap` is the share of its words that the quotations hold, where that was measured.
    """

    start: int
    end: int
    behind: tuple[NamedNode, ...]
    quotations: tuple[NamedNode, ...]
    overlap: float | None = None
    origin: Origin | None = None


def session_quads(scope: TraceScope, question: str, collection: str, at: datetime) -> list[Quad]:
    """A session as it begins, and its question.

    <urn:trustgraph:session:1> a prov:Activity, tg:Session ; rdfs:label "GraphRAG query session" ;
        tg:query "Who discovered polonium?" ; tg:collection <urn:trustgraph:collection:default> ;
        prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime ; prov:used <urn:trustgraph:question:1> ;
        prov:wasAssociatedWith <urn:trustgraph:agent:graph-rag> .
    <urn:trustgraph:question:1> a prov:Entity, tg:Question, tg:GraphRagQuestion ;
        tg:query "Who discovered polonium?" .
    <urn:trustgraph:agent:graph-rag> a prov:Agent ; rdfs:label "ProvGraph graph-rag" .
    """
    session, asked, graph = scope.names.session, scope.names.question, scope.graph
    flow = scope.flow
    agent = agent_iri(flow.agent)
    return [
        Quad(session, RDF.type, PROV.Activity, graph),
        Quad(session, RDF.type, TG.Session, graph),
        Quad(session, RDFS.label, literals.text(f"{flow.label} query session"), graph),
        Quad(session, TG.query, literals.text(question), graph),
        Quad(session, TG.collection, collection_iri(collection), graph),
        Quad(session, PROV.started_at_time, literals.date_time(at), graph),
        Quad(session, PROV.used, asked, graph),
        Quad(session, PROV.was_associated_with, agent, graph),
        *entity_quads(asked, TG.Question, graph),
        Quad(asked, RDF.type, flow.question, graph),
        Quad(asked, TG.query, literals.text(question), graph),
        Quad(agent, RDF.type, PROV.Agent, graph),
        Quad(agent, RDFS.label, literals.text(f"ProvGraph {flow.agent}"), graph),
    ]


def grounding_quads(
    scope: TraceScope, concepts: Sequence[str], step: str = "grounding", origin: NamedNode | None = None
) -> list[Quad]:
    """What the question is about, or the reformulation of it that is the `origin` of a second `step`.

    <urn:trustgraph:prov:grounding:1> a prov:Entity, tg:Grounding ; rdfs:label "Grounding" ;
        prov:wasGeneratedBy <urn:trustgraph:session:1> ; prov:wasDerivedFrom <urn:trustgraph:question:1> ;
        tg:concept "polonium" .
    """
    node = scope.names.step(step)
    return [
        *described_step(scope, node, TG.Grounding, "Grounding", origin or scope.names.question),
        *(Quad(node, TG.concept, literals.text(concept), scope.graph) for concept in concepts),
    ]


def retrieval_quads(
    scope: TraceScope,
    edge_count: int,
    seeds: Sequence[NamedNode],
    number: str = "",
    ranked: RankedBy = UNKNOWN,
) -> list[Quad]:
    """How many edges were retrieved, from which entities, and how they were ranked; a second one has a number.

    <urn:trustgraph:prov:retrieval:1> a prov:Entity, tg:Exploration ; rdfs:label "Retrieved edges" ;
        prov:wasGeneratedBy <urn:trustgraph:session:1> ;
        prov:wasDerivedFrom <urn:trustgraph:prov:grounding:1> ; tg:edgeCount 50 ; tg:entity e:polonium .
    """
    node = scope.names.step(f"retrieval{number}")
    return [
        *described_step(
            scope, node, TG.Exploration, "Retrieved edges", scope.names.step(f"grounding{number}")
        ),
        Quad(node, TG.edge_count, literals.integer(edge_count), scope.graph),
        *(Quad(node, TG.entity, seed, scope.graph) for seed in seeds),
        *ranking_quads(node, ranked, scope.graph),
    ]


def selection_quads(
    scope: TraceScope, selected: Sequence[Selected], origins: Sequence[str] = ("retrieval",)
) -> list[Quad]:
    """The edges chosen, each with score, reason, and who gave the reason; `origins` are the steps they come from.

    <urn:trustgraph:prov:selection:1> a prov:Entity, tg:Focus ; rdfs:label "Selected edges" ;
        prov:wasGeneratedBy <urn:trustgraph:session:1> ;
        prov:wasDerivedFrom <urn:trustgraph:prov:retrieval:1> ;
        tg:selectedEdge <urn:trustgraph:prov:edge:1:0> .
    <urn:trustgraph:prov:edge:1:0> a prov:Entity, tg:EdgeSelection ;
        tg:edge <<( e:curie e:discovered e:polonium )>> ; tg:score 0.87 ; tg:rerankScore 9.0 ;
        tg:concept "polonium" ; tg:reasoning "Meets 2 of 2 terms: discovered, polonium." ;
        prov:wasAttributedTo <urn:trustgraph:agent:evidence-selector> .
    <urn:trustgraph:agent:evidence-selector> a prov:Agent ; rdfs:label "evidence-selector" .
    """
    node, graph = scope.names.step("selection"), scope.graph
    quads = selection_step(scope, "Selected edges", origins)
    for index, choice in enumerate(selected):
        edge = scope.names.edge(index)
        quads += [
            Quad(node, TG.selected_edge, edge, graph),
            *entity_quads(edge, TG.EdgeSelection, graph),
            Quad(edge, TG.edge, choice.edge, graph),
            Quad(edge, TG.score, literals.decimal(choice.score), graph),
            *rescored(edge, choice.rerank_score, graph),
            *retrieval_path_quads(edge, choice.way, graph),
            *(Quad(edge, TG.concept, literals.text(concept), graph) for concept in choice.concepts),
            Quad(edge, TG.reasoning, literals.text(choice.reasoning), graph),
            *attribution(edge, choice.agent, graph),
        ]
    return quads


def selection_step(scope: TraceScope, label: str, origins: Sequence[str]) -> list[Quad]:
    """The step that chose among what the steps `origins` found."""
    node = scope.names.step("selection")
    first, *others = map(scope.names.step, origins)
    return [
        *described_step(scope, node, TG.Focus, label, first),
        *(Quad(node, PROV.was_derived_from, origin, scope.graph) for origin in others),
    ]


def answer_quads(scope: TraceScope) -> list[Quad]:
    """The answer, announced before its text.

    <urn:trustgraph:prov:answer:1> a prov:Entity, tg:Synthesis, tg:Answer ; rdfs:label "GraphRAG answer" ;
        prov:wasGeneratedBy <urn:trustgraph:session:1> ;
        prov:wasDerivedFrom <urn:trustgraph:prov:selection:1> ; tg:document <urn:trustgraph:answer:1> .
    """
    node, graph = scope.names.step("answer"), scope.graph
    return [
        *described_step(
            scope, node, TG.Synthesis, f"{scope.flow.label} answer", scope.names.step("selection")
        ),
        Quad(node, RDF.type, TG.Answer, graph),
        Quad(node, TG.document, scope.names.answer_text, graph),
    ]


def answer_hash_quads(scope: TraceScope, text: bytes) -> list[Quad]:
    """Which text the library must hold for the answer: the first 32 hexadecimal digits of the SHA-256 of its UTF-8.

    <urn:trustgraph:prov:answer:1> tg:contentHash "2c26b46b68ffc68ff99b453c1d304134" .
    """
    return [Quad(scope.names.step("answer"), TG.content_hash, literals.text(digest(text)), scope.graph)]


def support_quads(scope: TraceScope, sentences: Sequence[SentenceSupport]) -> list[Quad]:
    """What is known of an answer when its text is complete: its sentences and their support.

    <urn:trustgraph:prov:sentence:1:0> a prov:Entity, tg:AnswerSentence ;
        tg:sentenceOf <urn:trustgraph:prov:answer:1> ; tg:sentenceIndex 0 ;
        tg:charOffset 0 ; tg:charLength 26 ; tg:supported true ; tg:origin "generated" ;
        tg:supportedBy <urn:trustgraph:prov:edge:1:0> ; tg:quotation <subgraph/quotation/0> ; tg:overlap 0.75 .
    """
    answer, graph = scope.names.step("answer"), scope.graph
    quads: list[Quad] = []
    for index, sentence in enumerate(sentences):
        node = scope.names.sentence(index)
        quads += [
            *entity_quads(node, TG.AnswerSentence, graph),
            Quad(node, TG.sentence_of, answer, graph),
            Quad(node, TG.sentence_index, literals.integer(index), graph),
            Quad(node, TG.char_offset, literals.integer(sentence.start), graph),
            Quad(node, TG.char_length, literals.integer(sentence.end - sentence.start), graph),
            Quad(node, TG.supported, literals.boolean(bool(sentence.behind)), graph),
            *(Quad(node, TG.supported_by, selected, graph) for selected in sentence.behind),
            *(Quad(node, TG.quotation, quotation, graph) for quotation in sentence.quotations),
        ]
        if sentence.overlap is not None:
            quads.append(Quad(node, TG.overlap, literals.decimal(sentence.overlap), graph))
        if sentence.origin is not None:
            quads.append(Quad(node, TG.origin, literals.text(sentence.origin), graph))
    return quads


def ending_quads(scope: TraceScope, outcome: SessionOutcome, at: datetime, failure: str = "") -> list[Quad]:
    """How a session ended.

    <urn:trustgraph:session:1> prov:endedAtTime "2026-01-02T03:04:06Z"^^xsd:dateTime ; tg:outcome "failed" ;
        tg:failure "The model could not be reached. Check its address, then ask again." .
    """
    session, graph = scope.names.session, scope.graph
    quads = [
        Quad(session, PROV.ended_at_time, literals.date_time(at), graph),
        Quad(session, TG.outcome, literals.text(outcome.value), graph),
    ]
    if failure:
        quads.append(Quad(session, TG.failure, literals.text(failure), graph))
    return quads


def attribution(node: NamedNode, agent_name: str, graph: NamedNode) -> list[Quad]:
    """Who said it."""
    agent = agent_iri(agent_name)
    return [
        Quad(node, PROV.was_attributed_to, agent, graph),
        Quad(agent, RDF.type, PROV.Agent, graph),
        Quad(agent, RDFS.label, literals.text(agent_name), graph),
    ]


def described_step(
    scope: TraceScope, node: NamedNode, kind: NamedNode, label: str, derived_from: NamedNode
) -> list[Quad]:
    graph = scope.graph
    return [
        *entity_quads(node, kind, graph),
        Quad(node, RDFS.label, literals.text(label), graph),
        Quad(node, PROV.was_generated_by, scope.names.session, graph),
        Quad(node, PROV.was_derived_from, derived_from, graph),
    ]
