"""A trace → the graph that shows why: what was selected, which sentence rests on it, and what lies around it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from provgraph.catalogue.naming import fact_terms, is_statement, labels, patterns_around
from provgraph.pictures.graph import DrawnEdge, DrawnNode, Emphasis, Graph, NodeKind
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import knowledge_graph
from provgraph.rdf.terms import Literal, NamedNode, Term, Triple
from provgraph.rdf.vocabulary import RDF, TG, XSD
from provgraph.traces.drawings import Drawing
from provgraph.traces.reader import OpenedTrace

_NUMBERS: Final = (XSD.integer, XSD.decimal, TG.quantity)
_OF_ONE_NODE: Final = 60
_SENTENCE: Final = 90


@dataclass
class DrawnParts:
    """What goes into the drawing, by id."""

    nodes: dict[str, DrawnNode] = field(default_factory=dict)
    edges: dict[str, DrawnEdge] = field(default_factory=dict)
    terms: dict[str, Term] = field(default_factory=dict)
    facts: dict[str, Triple] = field(default_factory=dict)
    sentences: dict[str, list[int]] = field(default_factory=dict)

    def drawing(self, title: str) -> Drawing:
        graph = Graph(tuple(self.nodes.values()), tuple(self.edges.values()), title)
        return Drawing(graph, self.terms, self.facts, self.sentences)


async def trace_graph(store: QuadStore, opened: OpenedTrace, around: int) -> Drawing:
    """The selected edges of a session and up to `around` facts that touch them; its chunks, where it has no edges."""
    parts, title = DrawnParts(sentences=_sentences(opened)), opened.trace.session.query
    if opened.trace.chunks.selected and not opened.trace.selected:
        _add_chunks(parts, opened)
        return parts.drawing(title)
    knowledge = knowledge_graph(opened.trace.session.collection)
    triples = [edge.edge for edge in opened.trace.selected]
    context = await _context(store, knowledge, opened, around)
    nodes = [node for fact in (*triples, *context) for node in (fact.subject, fact.object)]
    shown = {**await labels(store, knowledge, [t for f in context for t in fact_terms(f)]), **opened.labels}
    types = await types_of(store, knowledge, nodes)
    most = max((edge.score for edge in opened.trace.selected), default=0) or 1
    for edge in opened.trace.selected:
        cited = parts.sentences.get(edge.iri.value, [])
        label = " ".join([shown[edge.edge.predicate], *(f"[{number}]" for number in cited)])
        emphasis = Emphasis.CITED if cited else Emphasis.CHOSEN
        drawn = DrawnEdge(
            edge.iri.value, *ends_of(edge.edge, edge.iri.value), label, max(0, edge.score / most), emphasis
        )
        add_fact(parts, edge.edge, drawn, shown, types)
    for fact in context:
        drawn = DrawnEdge(str(fact), *ends_of(fact, str(fact)), shown[fact.predicate], 0, Emphasis.CONTEXT)
        add_fact(parts, fact, drawn, shown, types)
    return parts.drawing(title)


def ends_of(fact: Triple, edge: str) -> tuple[str, str]:
    """The ids of a fact's two nodes. A value is a node of its own each time: two things of one year are not one."""
    ends = [str(term) if isinstance(term, NamedNode) else f"{edge} {term}" for term in fact_terms(fact)]
    return ends[0], ends[2]


def add_fact(
    parts: DrawnParts, fact: Triple, edge: DrawnEdge, shown: Mapping[Term, str], types: Mapping[Term, str]
) -> None:
    for node, term in ((edge.subject, fact.subject), (edge.object, fact.object)):
        parts.nodes.setdefault(node, DrawnNode(node, shown[term], kind_of(term), types.get(term, "")))
        parts.terms[node] = term
    parts.edges[edge.id] = edge
    parts.facts[edge.id] = fact


def kind_of(term: Term) -> NodeKind:
    if isinstance(term, Literal):
        return NodeKind.METRIC if term.datatype in _NUMBERS else NodeKind.VALUE
    return NodeKind.ENTITY


def _sentences(opened: OpenedTrace) -> dict[str, list[int]]:
    """For each selected edge or chunk, the numbers of the sentences that rest on it."""
    found: dict[str, list[int]] = defaultdict(list)
    for number, sentence in enumerate(opened.trace.sentences, 1):
        for edge in sentence.edges if sentence.supported else ():
            found[edge.value].append(number)
    return dict(found)


async def _context(store: QuadStore, knowledge: NamedNode, opened: OpenedTrace, around: int) -> list[Triple]:
    """Facts around the selected ones: first those between two things that are shown, then those that were retrieved and
    passed over, then the others, of each thing in turn."""
    triples = {edge.edge for edge in opened.trace.selected}
    shown = {
        node: None for fact in triples for node in (fact.subject, fact.object) if isinstance(node, NamedNode)
    }
    nodes = sorted(shown, key=lambda node: node.value)
    found = await store.match(patterns_around(nodes, knowledge), limit=_OF_ONE_NODE) if around else []
    passed = {edge.edge: edge.score for edge in opened.trace.passed_over}
    ranked: dict[Triple, tuple[bool, float, int, str]] = {}
    for quads in found:
        facts = {q.triple for q in quads if is_statement(q.triple)} - triples
        for turn, fact in enumerate(sorted(facts, key=str)):
            inside = fact.subject in shown and fact.object in shown
            ranked.setdefault(fact, (not inside, -passed.get(fact, -1), turn, str(fact)))
    return sorted(ranked, key=ranked.__getitem__)[:around]


async def types_of(store: QuadStore, knowledge: NamedNode, nodes: Sequence[Term]) -> dict[Term, str]:
    """The labels of each thing's types, as one text."""
    things = [node for node in dict.fromkeys(nodes) if isinstance(node, NamedNode)]
    found = await store.match([QuadPattern(node, RDF.type, None, knowledge) for node in things], limit=8)
    named = await labels(store, knowledge, [quad.object for quads in found for quad in quads])
    return {
        node: ", ".join(sorted({named[quad.object] for quad in quads}))
        for node, quads in zip(things, found, strict=True)
    }


def _add_chunks(parts: DrawnParts, opened: OpenedTrace) -> None:
    """Sentences of the answer → the chunks they rest on → the documents these are parts of."""
    selected = {chunk.iri for chunk in opened.trace.chunks.selected}
    for number, sentence in enumerate(opened.trace.sentences, 1):
        own = f"sentence {number}"
        text = opened.answer[sentence.start : sentence.end].strip()
        said = text if len(text) <= _SENTENCE else f"{text[: _SENTENCE - 1]}…"
        parts.nodes[own] = DrawnNode(own, f"[{number}] {said}", NodeKind.VALUE)
        for node in selected.intersection(sentence.edges if sentence.supported else ()):
            edge = DrawnEdge(f"{own} {node.value}", own, node.value, "rests on", 0.5, Emphasis.CITED)
            parts.edges[edge.id] = edge
    for chunk in opened.trace.chunks.selected:
        place = opened.places.get(chunk.chunk)
        label = f"page {place.page_number}, chunk {place.chunk_index + 1}" if place else "no longer there"
        parts.nodes[chunk.iri.value] = DrawnNode(chunk.iri.value, label, NodeKind.ENTITY, "chunk")
        parts.terms[chunk.iri.value] = chunk.chunk
        if place:
            document = place.document.value
            parts.nodes.setdefault(document, DrawnNode(document, place.title, NodeKind.DOCUMENT, "document"))
            parts.terms[document] = place.document
            edge = DrawnEdge(f"{chunk.iri.value} {document}", chunk.iri.value, document, "part of", 0.5)
            parts.edges[edge.id] = edge
