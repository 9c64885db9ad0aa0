"""The ontologies are OWL 2 as editors read it: Protégé shows a property that is not declared as an annotation."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from rdflib import OWL, RDF, RDFS, Graph, URIRef
from rdflib.namespace import SKOS

ROOT = Path(__file__).parents[2]
FILES = [
    ROOT / "ontology" / name for name in ("provgraph.ttl", "relations.ttl", "line-items.ttl", "research.ttl")
]
OWL_API = Path("/usr/share/java/owlapi-distribution.jar")
PROPERTY_KINDS = (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty)
BUILT_IN = (str(OWL), str(RDF), str(RDFS))
PROPOSITION = "UseOfReservedVocabularyForClassIRI rdfs:Proposition"
"""RDF 1.2 has the class of triple terms in a namespace that OWL 2 keeps for itself."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_property_and_class_is_declared_as_one_kind(file: Path) -> None:
    graph = Graph().parse(file)
    assert list(graph.subjects(RDF.type, OWL.Ontology))
    kinds = {kind: set(graph.subjects(RDF.type, kind)) for kind in PROPERTY_KINDS}
    declared = [term for terms in kinds.values() for term in terms]
    assert len(declared) == len(set(declared))
    properties = {*graph.predicates(), *graph.objects(None, OWL.inverseOf)}
    properties |= {term for pair in graph.subject_objects(RDFS.subPropertyOf) for term in pair}
    assert {str(term) for term in properties if not is_built_in(term)} <= set(map(str, declared))
    symmetric = set(graph.subjects(RDF.type, OWL.SymmetricProperty))
    assert symmetric <= kinds[OWL.ObjectProperty]
    classes = {
        *graph.subjects(RDF.type, OWL.Class),
        OWL.Ontology,
        OWL.SymmetricProperty,
        OWL.FunctionalProperty,
    }
    named = {*graph.objects(None, RDF.type), *graph.objects(None, RDFS.domain)} - set(PROPERTY_KINDS)
    assert {term for term in named if isinstance(term, URIRef)} - {OWL.Class, RDFS.Datatype} <= classes
    assert (SKOS.Concept in named) == (file.stem == "line-items")


def is_built_in(term: object) -> bool:
    return str(term).startswith(BUILT_IN)


@pytest.mark.slow
def test_protege_s_own_library_reads_them_as_owl_2_dl() -> None:
    java = shutil.which("java")
    if java is None or not OWL_API.exists():
        pytest.skip("The OWL API is not installed (Debian: apt-get install libowlapi-java)")
    program = Path(__file__).parent / "LoadOntologies.java"
    command: list[str | Path] = [java, "-cp", f"{OWL_API.parent}/*", program, *FILES]
    printed = subprocess.run(command, capture_output=True, check=True, text=True, timeout=120).stdout
    loaded = {line.split("\t")[0]: line.split("\t")[1:] for line in printed.splitlines()}
    assert {name: set(columns[4:]) - {"", PROPOSITION} for name, columns in loaded.items()} == {
        file.name: set() for file in FILES
    }
    objects, values, annotations = map(int, loaded["relations.ttl"][1:4])
    assert objects > 100
    assert values > 20
    assert annotations < 5
