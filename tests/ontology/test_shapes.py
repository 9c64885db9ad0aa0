"""The shapes accept every valid example, and each one refuses the example made for it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from pyoxigraph import Quad, RdfFormat, parse
from rdflib import RDF, SH, Graph, URIRef
from rdflib.collection import Collection

from provgraph.checking.shapes import SHAPES_NAMESPACE, shape_violations
from provgraph.provenance.trace import SessionOutcome
from provgraph.rdf.ontology_files import ontology_text

VALID: Final = sorted((Path(__file__).parents[2] / "ontology/examples/valid").glob("*.trig"))
INVALID: Final = sorted((Path(__file__).parents[2] / "ontology/examples/invalid").glob("*.trig"))
BROKEN: Final = "https://example.org/broken"
SHAPES: Final = Graph().parse(data=ontology_text("shapes.ttl"), format="turtle")
# What breaks one of these rules of PROV-O has a type or property too many, which its class's own shape tells as well.
PROV_RULES: Final = {
    "ActivityIsNoAgent",
    "ActivityIsNoEntity",
    "DerivedIsEntity",
    "TimesOfActivities",
    "TimesOfEntities",
}
ASKS_NOTHING: Final = {
    RDF.type,
    SH.property,
    SH.message,
    SH.targetClass,
    SH.targetObjectsOf,
    SH.targetSubjectsOf,
}


def breakable_shapes() -> set[str]:
    """The names of the shapes that ask something themselves, and not only by their property shapes."""
    shapes = {*SHAPES.subjects(RDF.type, SH.NodeShape), *SHAPES.subjects(RDF.type, SH.PropertyShape)}
    asking = {shape for shape in shapes if set(SHAPES.predicates(shape)) - ASKS_NOTHING}
    return {str(shape).removeprefix(SHAPES_NAMESPACE) for shape in asking}


def quads(path: Path) -> list[Quad]:
    return list(parse(path=str(path), format=RdfFormat.TRIG))


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_a_valid_example_conforms(path: Path) -> None:
    assert shape_violations(quads(path)) == []


@pytest.mark.parametrize("path", INVALID, ids=lambda path: path.stem)
def test_a_shape_reports_the_example_that_breaks_it(path: Path) -> None:
    broken = {violation.shape for violation in shape_violations(quads(path)) if violation.subject == BROKEN}
    assert path.stem in broken
    if path.stem not in PROV_RULES:
        assert broken == {path.stem}


def test_there_is_a_wrong_example_for_each_shape_and_no_other() -> None:
    assert {path.stem for path in INVALID} == breakable_shapes()


def test_every_shape_has_a_name() -> None:
    anonymous = [
        shape
        for kind in (SH.NodeShape, SH.PropertyShape)
        for shape in SHAPES.subjects(RDF.type, kind)
        if not isinstance(shape, URIRef)
    ]
    assert anonymous == []


def test_the_shapes_know_every_outcome() -> None:
    (listed,) = SHAPES.objects(URIRef(SHAPES_NAMESPACE + "session-outcome"), SH["in"])
    assert {str(outcome) for outcome in Collection(SHAPES, listed)} == {
        outcome.value for outcome in SessionOutcome
    }
