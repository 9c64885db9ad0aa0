"""The vocabulary in code and the ontology are the same terms, and what the ontology says of them holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, parse
from rdflib import OWL, RDF, RDFS, Graph, URIRef
from rdflib.collection import Collection
from rdflib.term import Node

from provgraph.rdf.ontology_files import ontology_text
from provgraph.rdf.vocabulary import ENTITY_CLASSES, PREFIXES, TG

EXAMPLES = sorted((Path(__file__).parents[2] / "ontology/examples/valid").glob("*.trig"))
IN_CODE = {term.value for name, term in vars(TG).items() if isinstance(term, NamedNode)}
ONTOLOGY = Graph().parse(data=ontology_text("provgraph.ttl"), format="turtle")
DECLARED = {
    str(term)
    for kind in (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, RDFS.Datatype)
    for term in ONTOLOGY.subjects(RDF.type, kind)
    if isinstance(term, URIRef) and term.startswith(PREFIXES["tg"])
}
PROPERTIES = sorted(
    str(term)
    for kind in (OWL.ObjectProperty, OWL.DatatypeProperty)
    for term in ONTOLOGY.subjects(RDF.type, kind)
    if str(term).startswith(PREFIXES["tg"])
)
PROPOSITION = PREFIXES["rdfs"] + "Proposition"


def test_every_term_in_code_is_declared_and_every_declared_term_is_in_code() -> None:
    assert IN_CODE == DECLARED


def test_every_class_of_entities_is_declared_and_is_no_prov_entity() -> None:
    for entity_class in ENTITY_CLASSES:
        assert (URIRef(entity_class.value), RDF.type, OWL.Class) in ONTOLOGY
        assert not list(ONTOLOGY.objects(URIRef(entity_class.value), RDFS.subClassOf))


@pytest.mark.parametrize("term", sorted(DECLARED))
def test_a_term_has_a_label_a_comment_and_an_owner(term: str) -> None:
    owners = {PREFIXES["tg"], PREFIXES["tg"] + "provgraph"}
    assert ONTOLOGY.value(URIRef(term), RDFS.label)
    assert str(ONTOLOGY.value(URIRef(term), RDFS.comment)).endswith(".")
    assert str(ONTOLOGY.value(URIRef(term), RDFS.isDefinedBy)) in owners


def test_the_ontology_opens_in_editors_of_owl_as_it_is() -> None:
    """A header with a label, and a declaration of each class that an axiom names; nothing has to be fetched."""
    (header,) = ONTOLOGY.subjects(RDF.type, OWL.Ontology)
    assert ONTOLOGY.value(header, RDFS.label)
    assert not list(ONTOLOGY.objects(None, OWL.imports))
    classes = set(ONTOLOGY.subjects(RDF.type, OWL.Class))
    named = {
        o for link in (RDFS.subClassOf, OWL.disjointWith, RDFS.domain) for o in ONTOLOGY.objects(None, link)
    }
    ranges = {o for o in ONTOLOGY.objects(None, RDFS.range) if not str(o).startswith(PREFIXES["xsd"])}
    datatypes = {RDFS.Literal, *ONTOLOGY.subjects(RDF.type, RDFS.Datatype), OWL.Thing}
    assert {each for each in named | ranges if isinstance(each, URIRef)} - classes - datatypes == set()


@pytest.mark.parametrize("term", PROPERTIES)
def test_a_property_has_one_domain_and_one_range(term: str) -> None:
    assert len(list(ONTOLOGY.objects(URIRef(term), RDFS.domain))) == 1
    assert len(list(ONTOLOGY.objects(URIRef(term), RDFS.range))) == 1


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_domains_and_ranges_hold_in_the_examples(path: Path) -> None:
    quads = list(parse(path=str(path), format=RdfFormat.TRIG))
    types: dict[str, set[str]] = {}
    for quad in quads:
        if quad.predicate.value == str(RDF.type) and isinstance(quad.object, NamedNode):
            types.setdefault(str(quad.subject), set()).update(with_superclasses(quad.object.value))
    for quad in quads:
        if quad.predicate.value in PROPERTIES:
            property_ = URIRef(quad.predicate.value)
            domain, range_ = ONTOLOGY.value(property_, RDFS.domain), ONTOLOGY.value(property_, RDFS.range)
            assert types[str(quad.subject)] & named_classes(domain), quad
            assert is_in(quad.object, named_classes(range_), types), quad


def is_in(value: object, classes: set[str], types: dict[str, set[str]]) -> bool:
    """Whether a value belongs to one of the classes; nodes that are described elsewhere may."""
    match value:
        case Literal():
            return value.datatype.value in classes
        case Triple():
            return classes == {PROPOSITION}
    return str(OWL.Thing) in classes or bool(types.get(str(value), classes) & classes)


def named_classes(described: Node | None) -> set[str]:
    """The class itself, or the members of a union."""
    union = ONTOLOGY.value(described, OWL.unionOf)
    members = Collection(ONTOLOGY, union) if union else [described]
    return {str(member) for member in members}


def with_superclasses(term: str) -> set[str]:
    return {str(above) for above in ONTOLOGY.transitive_objects(URIRef(term), RDFS.subClassOf)}
