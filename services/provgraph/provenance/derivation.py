"""How a short answer was derived, step by step: values in, quads out; quads in, values out.

Each step is an activity that used facts, sentences or the values of earlier steps, and generated one value. The answer
is the value of the last step. The Turtle in the docstring is parsed by a test and conforms to the shapes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from provgraph.provenance.nodes import Nodes, by_index, entity_quads
from provgraph.provenance.trace import TraceScope
from provgraph.rdf import literals
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.terms import NamedNode, Quad, Triple
from provgraph.rdf.vocabulary import PROV, RDF, TG


class AnswerKind(StrEnum):
    """What kind of thing a short answer is."""

    ENTITY = "entity"
    DATE = "date"
    NUMBER = "number"
    YES_NO = "yes-no"
    LIST = "list"
    COUNT = "count"
    SPAN = "span"


@dataclass(frozen=True)
class EdgeInput:
    """A selected edge, by its index in the selection."""

    index: int


@dataclass(frozen=True)
class ChunkInput:
    """A selected chunk, by its index in the selection."""

    index: int


@dataclass(frozen=True)
class SentenceInput:
    """A sentence of the answer, by its index."""

    index: int


@dataclass(frozen=True)
class QuotationInput:
    """Words of a document, by the IRI of their quotation."""

    quotation: NamedNode


@dataclass(frozen=True)
class FactInput:
    """A fact that is not among the selected edges."""

    fact: Triple


@dataclass(frozen=True)
class StepInput:
    """The value of an earlier step, by the index of that step."""

    index: int


Input = EdgeInput | ChunkInput | SentenceInput | QuotationInput | FactInput | StepInput


@dataclass(frozen=True)
class DerivationStep:
    """One operation: its name ("count", "latest", "filter by year"), its inputs, the value that it gave, and why.

    `sparql` is a query that gives the same value, where there is one.
    """

    operation: str
    inputs: tuple[Input, ...]
    value: str
    explanation: str
    sparql: str | None = None


@dataclass(frozen=True)
class DerivedAnswer:
    """The answer in a few words; the last of `steps` gave `text`. Raises ValueError for steps that are not a
    derivation: there is at least one, each has an input, and a step uses the values of earlier steps only."""

    text: str
    kind: AnswerKind
    steps: tuple[DerivationStep, ...]

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError("a short answer has at least one step of derivation")
        for number, step in enumerate(self.steps):
            if not step.inputs:
                raise ValueError(f"step {number} of a derivation has no input")
            if any(isinstance(used, StepInput) and not 0 <= used.index < number for used in step.inputs):
                raise ValueError(f"step {number} of a derivation uses a step that is not before it")

    def iri(self, names: SessionNames) -> NamedNode:
        """The last step of the derivation, in the trace of these names."""
        return names.operation(len(self.steps) - 1)


def short_answer_quads(scope: TraceScope, answer: DerivedAnswer) -> list[Quad]:
    """A short answer and the steps that led to it.

    <urn:trustgraph:prov:answer:1> tg:shortAnswer "2" ; tg:shortAnswerKind "count" ;
        tg:derivation <urn:trustgraph:prov:operation:1:1> .
    <urn:trustgraph:prov:operation:1:0> a prov:Activity, tg:DerivationStep ;
        tg:derivationOf <urn:trustgraph:prov:answer:1> ; tg:operation "select objects" ;
        prov:used <urn:trustgraph:prov:edge:1:0> ; tg:usedFact <<( e:curie e:discovered e:radium )>> ;
        tg:reasoning "What Curie discovered, by two facts." ;
        tg:sparqlQuery "SELECT ?element { ?who ?discovered ?element }" .
    <urn:trustgraph:prov:value:1:0> a prov:Entity, tg:DerivedValue ; prov:value "polonium, radium" ;
        prov:wasGeneratedBy <urn:trustgraph:prov:operation:1:0> .
    <urn:trustgraph:prov:operation:1:1> a prov:Activity, tg:DerivationStep ;
        tg:derivationOf <urn:trustgraph:prov:answer:1> ; tg:operation "count" ;
        prov:used <urn:trustgraph:prov:value:1:0> ; tg:reasoning "There are two." .
    <urn:trustgraph:prov:value:1:1> a prov:Entity, tg:DerivedValue ; prov:value "2" ;
        prov:wasGeneratedBy <urn:trustgraph:prov:operation:1:1> .
    """
    names, graph, node = scope.names, scope.graph, scope.names.step("answer")
    quads = [
        Quad(node, TG.short_answer, literals.text(answer.text), graph),
        Quad(node, TG.short_answer_kind, literals.text(answer.kind), graph),
        Quad(node, TG.derivation, answer.iri(names), graph),
    ]
    for index, step in enumerate(answer.steps):
        quads += _step_quads(scope, index, step)
    return quads


def _step_quads(scope: TraceScope, index: int, step: DerivationStep) -> Iterator[Quad]:
    names, graph = scope.names, scope.graph
    operation, value = names.operation(index), names.value(index)
    yield Quad(operation, RDF.type, PROV.Activity, graph)
    yield Quad(operation, RDF.type, TG.DerivationStep, graph)
    yield Quad(operation, TG.derivation_of, names.step("answer"), graph)
    yield Quad(operation, TG.operation, literals.text(step.operation), graph)
    for used in dict.fromkeys(step.inputs):
        yield _input_quad(names, operation, used, graph)
    yield Quad(operation, TG.reasoning, literals.text(step.explanation), graph)
    if step.sparql:
        yield Quad(operation, TG.sparql_query, literals.text(step.sparql), graph)
    yield from entity_quads(value, TG.DerivedValue, graph)
    yield Quad(value, PROV.value, literals.text(step.value), graph)
    yield Quad(value, PROV.was_generated_by, operation, graph)


def _input_quad(names: SessionNames, operation: NamedNode, used: Input, graph: NamedNode) -> Quad:
    """What is in the trace is an entity that the step used; facts and quotations are of other graphs."""
    match used:
        case FactInput(fact):
            return Quad(operation, TG.used_fact, fact, graph)
        case QuotationInput(quotation):
            return Quad(operation, TG.quotation, quotation, graph)
        case EdgeInput(index):
            entity = names.edge(index)
        case ChunkInput(index):
            entity = names.chunk(index)
        case SentenceInput(index):
            entity = names.sentence(index)
        case StepInput(index):
            entity = names.value(index)
    return Quad(operation, PROV.used, entity, graph)


@dataclass(frozen=True)
class TracedStep:
    """A step as a trace has it: `used` are entities of the trace, `earlier` the steps whose values it used."""

    iri: NamedNode
    operation: str
    used: tuple[NamedNode, ...]
    facts: tuple[Triple, ...]
    quotations: tuple[NamedNode, ...]
    earlier: tuple[NamedNode, ...]
    value: str
    explanation: str
    sparql: str


@dataclass(frozen=True)
class TracedShortAnswer:
    text: str
    kind: AnswerKind
    derivation: NamedNode
    steps: tuple[TracedStep, ...]


def read_short_answer(names: SessionNames, nodes: Nodes) -> TracedShortAnswer | None:
    """None where nothing short was proved, as in all older traces, and where it was redacted."""
    answer = names.step("answer")
    text = nodes.text(answer, TG.short_answer)
    if not text:
        return None
    operations = by_index(nodes.pointing_to(TG.derivation_of, answer))
    values = {
        value: operation
        for operation in operations
        for value in nodes.pointing_to(PROV.was_generated_by, operation)
    }
    return TracedShortAnswer(
        text,
        AnswerKind(nodes.text(answer, TG.short_answer_kind)),
        next(iter(nodes.iris(answer, TG.derivation))),
        tuple(_read_step(nodes, operation, values) for operation in operations),
    )


def _read_step(nodes: Nodes, operation: NamedNode, values: Mapping[NamedNode, NamedNode]) -> TracedStep:
    used = nodes.iris(operation, PROV.used)
    own = next((value for value, origin in values.items() if origin == operation), operation)
    return TracedStep(
        iri=operation,
        operation=nodes.text(operation, TG.operation),
        used=tuple(sorted((node for node in used if node not in values), key=lambda node: node.value)),
        facts=tuple(nodes.triples(operation, TG.used_fact)),
        quotations=tuple(sorted(nodes.iris(operation, TG.quotation), key=lambda node: node.value)),
        earlier=tuple(by_index([values[node] for node in used if node in values])),
        value=nodes.text(own, PROV.value),
        explanation=nodes.text(operation, TG.reasoning),
        sparql=nodes.text(operation, TG.sparql_query),
    )
