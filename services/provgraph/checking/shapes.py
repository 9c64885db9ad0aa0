"""Quads against the SHACL shapes of the ontology.

Knows nothing of stores: it is given quads that belong together and says which break which rule. Triple terms
are projected to nodes first, for pyshacl reads RDF 1.1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import pyshacl
import rdflib
from rdflib.namespace import RDF, RDFS, SH

from provgraph.rdf.ontology_files import ontology_text
from provgraph.rdf.projection import project_triple_terms
from provgraph.rdf.terms import BlankNode, Literal, NamedNode, Quad
from provgraph.rdf.vocabulary import XSD

SHAPES_NAMESPACE = "https://trustgraph.ai/ns/shapes/"


@dataclass(frozen=True)
class Violation:
    """`shape` is the local name of the broken rule; `reason` says in words what it asks for."""

    shape: str
    subject: str
    reason: str


def shape_violations(quads: Iterable[Quad], beyond: Sequence[Quad] = ()) -> list[Violation]:
    """The rules that these quads break, by subject; none for quads that conform.

    The quads must be complete: all of a node's own, and of the nodes that it links to at least the types, which may
    stand in `beyond`; of these nothing is told. About 8,000 triples a second.
    """
    data = _projected([*quads, *beyond])
    if not (asked := _asked_of(data)):
        return []
    conforms, report, _ = pyshacl.validate(data, shacl_graph=_shapes(), use_shapes=asked)
    if conforms:
        return []
    assert isinstance(report, rdflib.Graph)
    others = {str(_node(quad.subject)) for quad in beyond}
    violations = {_violation(report, result) for result in report.objects(None, SH.result)}
    violations = {violation for violation in violations if violation.subject not in others}
    return sorted(violations, key=lambda violation: (violation.subject, violation.shape, violation.reason))


@cache
def _shapes() -> rdflib.Graph:
    return rdflib.Graph().parse(data=ontology_text("shapes.ttl"), format="turtle")


def _asked_of(data: rdflib.Graph) -> list[str]:
    """The shapes that have a target in the data, in order; pyshacl takes longer to find that the others have none.

    Every shape of ours says its targets by class, or by a predicate that leads from or to them (SHACL, section 2.1.3).
    """
    there = {*data.predicates(unique=True), *data.objects(None, RDF.type, unique=True)}
    if RDFS.subClassOf in there:  # an instance of a class is one of the classes above it
        return sorted(set().union(*_targets().values()))
    return sorted(set().union(*(_targets().get(term, set()) for term in there)))


@cache
def _targets() -> dict[rdflib.term.Node, set[str]]:
    """What makes a node a target, a class or a predicate, with the shapes that it is asked for, by name."""
    shapes = _shapes()
    targets: dict[rdflib.term.Node, set[str]] = defaultdict(set)
    for kind in (SH.targetClass, SH.targetSubjectsOf, SH.targetObjectsOf):
        for shape, term in shapes.subject_objects(kind):
            parts = shapes.transitiveClosure(_components, shape)
            targets[term] |= {str(each) for each in (shape, *parts) if isinstance(each, rdflib.URIRef)}
    return targets


def _components(shape: rdflib.term.Node, shapes: rdflib.Graph) -> Iterator[rdflib.term.Node]:
    """What a shape is made of: shapes with and without a name, and lists of them."""
    for part in shapes.objects(shape):
        if isinstance(part, rdflib.BNode) or str(part).startswith(SHAPES_NAMESPACE):
            yield part


def _violation(report: rdflib.Graph, result: rdflib.term.Node) -> Violation:
    shape = str(report.value(result, SH.sourceShape)).removeprefix(SHAPES_NAMESPACE)
    subject = report.value(result, SH.focusNode)
    message = report.value(result, SH.resultMessage)
    return Violation(shape, str(subject), str(message))


def _projected(quads: Iterable[Quad]) -> rdflib.Graph:
    graph = rdflib.Graph()
    for subject, predicate, object_ in project_triple_terms(quad.triple for quad in quads):
        graph.add((_node(subject), _node(predicate), _node(object_)))
    return graph


def _node(term: object) -> rdflib.term.Node:
    match term:
        case NamedNode():
            return rdflib.URIRef(term.value)
        case BlankNode():
            return rdflib.BNode(term.value)
        case Literal() if term.language or term.datatype == XSD.string:
            return rdflib.Literal(term.value, lang=term.language)
        case Literal():
            return rdflib.Literal(term.value, datatype=rdflib.URIRef(term.datatype.value), normalize=False)
    raise TypeError(f"{term} is not a term of RDF 1.1")
