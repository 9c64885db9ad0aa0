"""The vocabulary of relations is whole, and its Turtle says the same."""

from __future__ import annotations

from pathlib import Path

from pyoxigraph import RdfFormat, parse

from provgraph.reading.propositions import ENTITY_TYPES
from provgraph.reading.relations import vocabulary
from provgraph.reading.relations_turtle import turtle

_TYPES = {*ENTITY_TYPES, "Date", "Number", "Role", "-"}


def test_every_relation_is_defined_once_with_known_types() -> None:
    relations = vocabulary().relations
    assert 80 <= len(relations) <= 170
    for relation in relations.values():
        assert relation.domain <= _TYPES, relation.id
        assert relation.range <= _TYPES, relation.id
        for other in relation.implies | relation.excludes | ({relation.inverse} - {""}):
            assert other in relations, (relation.id, other)


def test_labels_are_unique() -> None:
    labels = [relation.label for relation in vocabulary().relations.values()]
    assert len(labels) == len(set(labels))


def test_what_follows_from_a_relation_follows_step_by_step() -> None:
    assert "educated-at" in vocabulary().implied("graduated-from")
    assert "leads" in vocabulary().implied("mayor")
    assert vocabulary().implied("no such relation") == {"no such relation"}


def test_inverses_hold_both_ways() -> None:
    known = vocabulary()
    assert known.inverse_of("parent") == "child"
    assert known.inverse_of("child") == "parent"
    assert known.inverse_of("spouse") == "spouse"
    assert known.inverse_of("born-on-date") == ""


def test_the_published_vocabulary_is_the_one_in_use() -> None:
    published = Path(__file__).parents[3] / "ontology" / "relations.ttl"
    assert published.read_text("utf-8") == turtle(), "run: python -m provgraph.reading.relations_turtle"
    assert len(list(parse(turtle(), RdfFormat.TURTLE))) > 500


def test_a_relation_says_which_types_its_ends_never_have() -> None:
    assert "Person" in vocabulary()["founded-on-date"].never_of
    assert vocabulary()["increases"].never_to == {"Person"}
    assert not vocabulary()["born-in-place"].never_of
