"""docs/conformance.md is what the code, the shapes and the examples say now, and leaves nothing out."""

from __future__ import annotations

from pathlib import Path

from pyoxigraph import NamedNode

from ontology.conformance_table import builders_by_term, page, shapes_by_term, short_name, terms
from provgraph.rdf.vocabulary import ENTITY_CLASSES, PREFIXES, TG

ROOT = Path(__file__).parents[2]


def test_the_page_is_not_stale() -> None:
    assert (ROOT / "docs/conformance.md").read_text() == page()


def test_every_term_of_ours_is_written_by_a_builder() -> None:
    of_facts = {*ENTITY_CLASSES, TG.quantity}
    ours = {term.value for term in vars(TG).values() if isinstance(term, NamedNode) and term not in of_facts}
    assert ours - set(builders_by_term()) == set()


def test_every_term_that_a_builder_writes_is_asked_for_by_a_shape() -> None:
    known = {iri for _, iri in terms()}
    written = {term for term in builders_by_term() if not term.startswith(PREFIXES["e"])}
    assert written <= known
    assert {short_name(term) for term in written - set(shapes_by_term())} <= {"rdf:type"}
