"""Query provenance read back: the quads of one session → what happened, as values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from provgraph.provenance.derivation import TracedShortAnswer, read_short_answer
from provgraph.provenance.document_trace import TracedChunks, read_chunks
from provgraph.provenance.flows import flow_of_agents
from provgraph.provenance.nodes import Nodes, agent_of, by_index
from provgraph.provenance.trace import Origin
from provgraph.provenance.verification_trace import (
    ClaimJudgement,
    Stance,
    TracedClaim,
    TracedElement,
    read_checked_claim,
    read_elements,
    read_stance,
    read_verdict,
)
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.terms import NamedNode, Quad, Triple
from provgraph.rdf.vocabulary import PROV, TG

STEPS: Final = (
    "grounding",
    "retrieval",
    "check",
    "reformulation",
    "grounding:1",
    "retrieval:1",
    "check:1",
    "reranking",
    "selection",
    "answer",
)
"""Every step that a session may take, in their order; those from `check` to `reranking` only where they are wanted."""


@dataclass(frozen=True)
class TracedSession:
    """`ended` and `outcome` are empty while a session runs; times are ISO 8601 in UTC. `flow` is the way of asking.
    `author` wrote the text that is checked, `version` is of what judged it; both are empty for a question. One with a
    `receipt` was answered elsewhere."""

    iri: NamedNode
    question: NamedNode
    query: str
    collection: str
    started: str
    ended: str
    outcome: str
    failure: str
    author: str = ""
    version: str = ""
    receipt: NamedNode | None = None
    flow: str = ""


@dataclass(frozen=True)
class TracedEdge:
    """A selected edge (`agent` gave the reason) or one passed over (no agent); `rerank_score` if it was reranked."""

    iri: NamedNode
    edge: Triple
    score: float
    concepts: tuple[str, ...]
    reasoning: str
    agent: str
    rerank_score: float | None = None
    found_by: str = ""
    found_along: str = ""


@dataclass(frozen=True)
class TracedCheck:
    """A check of a retrieval; `relevant` is None where it could not be made."""

    relevant: bool | None
    reasoning: str
    agent: str


@dataclass(frozen=True)
class TracedReformulation:
    """The question in other words, whose they are, and what was retrieved by them."""

    query: str
    agent: str
    concepts: tuple[str, ...]
    edge_count: int


@dataclass(frozen=True)
class TracedReranking:
    """How many edges, or chunks, were scored again, and by whom."""

    edge_count: int
    agent: str
    ignored_lines: int


@dataclass(frozen=True)
class TracedResolution:
    """Two entities that were taken as one, by which rule and why; `quotations` say so."""

    entities: tuple[NamedNode, ...]
    rule: str
    reasoning: str
    quotations: tuple[NamedNode, ...]


@dataclass(frozen=True)
class TracedCall:
    """A call of a language model in a step; counts are None where its endpoint does not count.

    `prompt` and `reply` are what it read and answered, by the IRIs under which the library holds them.
    """

    step: str
    model: str
    in_tokens: int | None
    out_tokens: int | None
    duration_ms: int
    prompt: NamedNode
    reply: NamedNode


@dataclass(frozen=True)
class TracedSentence:
    """`answer[start:end]`; the selected edges and the quotations behind it, and how they stand to a claim.

    `origin` is None in traces that are older than it, `claim` where it judges none.
    """

    start: int
    end: int
    supported: bool
    edges: tuple[NamedNode, ...]
    quotations: tuple[NamedNode, ...]
    stance: Stance | None = None
    origin: Origin | None = None
    claim: TracedClaim | None = None


@dataclass(frozen=True)
class Trace:
    session: TracedSession
    concepts: tuple[str, ...]
    edge_count: int
    seeds: tuple[NamedNode, ...]
    resolutions: tuple[TracedResolution, ...]
    selected: tuple[TracedEdge, ...]
    passed_over: tuple[TracedEdge, ...]
    sentences: tuple[TracedSentence, ...]
    calls: tuple[TracedCall, ...]
    warnings: tuple[str, ...]
    ignored_lines: int
    checks: tuple[TracedCheck, ...] = ()
    reformulation: TracedReformulation | None = None
    reranking: TracedReranking | None = None
    method: str = ""
    parameters: tuple[str, ...] = ()
    chunks: TracedChunks = TracedChunks()
    verdict: ClaimJudgement | None = None
    elements: tuple[TracedElement, ...] = ()
    short_answer: TracedShortAnswer | None = None


def read_session(session: NamedNode, quads: Iterable[Quad]) -> TracedSession:
    """The session itself, from the quads of which it is the subject."""
    return _session(Nodes(quads), session)


def read_trace(names: SessionNames, quads: Iterable[Quad]) -> Trace:
    """Everything of one session; steps that it did not reach are empty."""
    nodes = Nodes(quads)
    answer = names.step("answer")
    edges = nodes.iris(names.step("selection"), TG.selected_edge)
    candidates = [
        node
        for step in ("retrieval", "retrieval:1")
        for node in nodes.pointing_to(TG.candidate_of, names.step(step))
    ]
    sentences = nodes.pointing_to(TG.sentence_of, answer)
    return Trace(
        session=_session(nodes, names.session),
        concepts=tuple(sorted(nodes.texts(names.step("grounding"), TG.concept))),
        edge_count=nodes.integer(names.step("retrieval"), TG.edge_count),
        seeds=tuple(sorted(nodes.iris(names.step("retrieval"), TG.entity), key=lambda node: node.value)),
        resolutions=tuple(
            _resolution(nodes, node)
            for step in ("retrieval", "retrieval:1")
            for node in by_index(nodes.pointing_to(TG.resolution_of, names.step(step)))
        ),
        selected=tuple(_edge(nodes, node, TG.edge) for node in by_index(edges)),
        passed_over=tuple(
            _edge(nodes, node, TG.candidate_edge)
            for node in by_index(candidates)
            if nodes.has(node, TG.candidate_edge)
        ),
        sentences=tuple(_sentence(nodes, node) for node in by_index(sentences)),
        calls=tuple(_calls(nodes, names)),
        warnings=tuple(text for step in STEPS for text in nodes.texts(names.step(step), TG.warning)),
        ignored_lines=nodes.integer(names.step("selection"), TG.ignored_lines),
        checks=tuple(_checks(nodes, names)),
        reformulation=_reformulation(nodes, names),
        reranking=_reranking(nodes, names.step("reranking")),
        method=nodes.text(names.step("retrieval"), TG.retrieval_method),
        parameters=tuple(sorted(nodes.texts(names.step("retrieval"), TG.retrieval_parameter))),
        chunks=read_chunks(names, nodes),
        verdict=read_verdict(answer, nodes),
        elements=read_elements(answer, nodes),
        short_answer=read_short_answer(names, nodes),
    )


def _session(nodes: Nodes, session: NamedNode) -> TracedSession:
    collection = next(iter(nodes.iris(session, TG.collection)), None)
    return TracedSession(
        iri=session,
        question=next(iter(nodes.iris(session, PROV.used)), session),
        query=nodes.text(session, TG.query),
        collection=collection.value.rpartition(":")[2] if collection else "",
        started=nodes.text(session, PROV.started_at_time),
        ended=nodes.text(session, PROV.ended_at_time),
        outcome=nodes.text(session, TG.outcome),
        failure=nodes.text(session, TG.failure),
        author=next((agent_of(nodes, named_node) for named_node in nodes.iris(session, PROV.used)), ""),
        version=nodes.text(session, TG.software_version),
        receipt=next(iter(nodes.iris(session, TG.received_in)), None),
        flow=flow_of_agents(nodes.iris(session, PROV.was_associated_with)),
    )


def _edge(nodes: Nodes, node: NamedNode, predicate: NamedNode) -> TracedEdge:
    return TracedEdge(
        iri=node,
        edge=nodes.triple(node, predicate),
        score=float(nodes.text(node, TG.score)),
        concepts=tuple(sorted(nodes.texts(node, TG.concept))),
        reasoning=nodes.text(node, TG.reasoning),
        agent=agent_of(nodes, node),
        rerank_score=nodes.number(node, TG.rerank_score),
        found_by=nodes.text(node, TG.found_by),
        found_along=nodes.text(node, TG.found_along),
    )


def _checks(nodes: Nodes, names: SessionNames) -> Iterator[TracedCheck]:
    for node in (names.step("check"), names.step("check:1")):
        if nodes.iris(node, PROV.was_derived_from):
            said = nodes.text(node, TG.relevant)
            yield TracedCheck(
                said == "true" if said else None, nodes.text(node, TG.reasoning), agent_of(nodes, node)
            )


def _reformulation(nodes: Nodes, names: SessionNames) -> TracedReformulation | None:
    node = names.step("reformulation")
    query = nodes.text(node, TG.query)
    if not query:
        return None
    concepts = nodes.texts(names.step("grounding:1"), TG.concept)
    count = nodes.integer(names.step("retrieval:1"), TG.edge_count)
    return TracedReformulation(query, agent_of(nodes, node), tuple(sorted(concepts)), count)


def _reranking(nodes: Nodes, node: NamedNode) -> TracedReranking | None:
    if not nodes.iris(node, PROV.was_derived_from):
        return None
    count = nodes.integer(node, TG.edge_count) or nodes.integer(node, TG.chunk_count)
    ignored = nodes.integer(node, TG.ignored_lines)
    return TracedReranking(count, agent_of(nodes, node), ignored)


def _resolution(nodes: Nodes, node: NamedNode) -> TracedResolution:
    return TracedResolution(
        entities=tuple(sorted(nodes.iris(node, TG.resolved_entity), key=lambda entity: entity.value)),
        rule=nodes.text(node, TG.rule),
        reasoning=nodes.text(node, TG.reasoning),
        quotations=tuple(nodes.iris(node, TG.quotation)),
    )


def _calls(nodes: Nodes, names: SessionNames) -> Iterator[TracedCall]:
    for step in STEPS:
        node = names.step(step)
        if model := nodes.text(node, TG.llm_model):
            counts = [nodes.text(node, term) for term in (TG.in_token, TG.out_token)]
            in_tokens, out_tokens = (int(count) if count else None for count in counts)
            duration = nodes.integer(node, TG.llm_duration_ms)
            yield TracedCall(
                step, model, in_tokens, out_tokens, duration, names.prompt(step), names.reply(step)
            )


def _sentence(nodes: Nodes, node: NamedNode) -> TracedSentence:
    start = nodes.integer(node, TG.char_offset)
    return TracedSentence(
        start=start,
        end=start + nodes.integer(node, TG.char_length),
        supported=nodes.text(node, TG.supported) == "true",
        edges=tuple(by_index(nodes.iris(node, TG.supported_by))),
        quotations=tuple(nodes.iris(node, TG.quotation)),
        stance=read_stance(node, nodes),
        origin=Origin(origin) if (origin := nodes.text(node, TG.origin)) else None,
        claim=read_checked_claim(node, nodes),
    )
