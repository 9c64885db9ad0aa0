"""Words that the collection does not have: what they may have meant."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.language.terms import terms
from provgraph.retrieval.collection_index import CollectionIndex, IndexChanges
from provgraph.retrieval.keyword_index import Entry
from provgraph.retrieval.question import CORRECTED, analysed, edit_distance

TEXT = "Marie Curie discovered polonium. James Chadwick was discovering neutrons at the university. A jam."


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CollectionIndex]:
    opened = CollectionIndex(tmp_path_factory.mktemp("index"))
    opened.put(IndexChanges(chunks=[Entry("c", {}, weak=terms(TEXT)), Entry("d", {}, weak=["else"])]))
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("discoverd", "discov"),
        ("dicsovered", "discov"),
        ("discver", "discov"),
        ("polonum", "polonium"),
        ("Chadwik", "chadwick"),
        ("neutorns", "neutron"),
        ("univercity", "universiti"),
    ],
)
def test_a_misspelt_word_counts_as_the_one_it_is_nearest_to(
    wrong: str, meant: str, index: CollectionIndex
) -> None:
    (term,) = analysed(f"Who {wrong}?", index).terms
    assert meant in term.variants
    assert not term.known
    assert term.worth == CORRECTED


@pytest.mark.parametrize("unknown", ["xyzzy", "plutonium", "frobnicate", "cat", "C++", "Jim"])
def test_an_unlike_word_and_a_short_one_mean_nothing_else(unknown: str, index: CollectionIndex) -> None:
    (term,) = analysed(f"Who {unknown}?", index).terms
    assert len(term.variants) == 1


def test_a_word_that_the_collection_has_is_taken_as_it_stands(index: CollectionIndex) -> None:
    (term,) = analysed("polonium", index).terms
    assert (term.known, term.variants) == (True, frozenset({"polonium"}))


def test_no_weight_is_negative_even_when_all_entries_have_the_word(index: CollectionIndex) -> None:
    assert all(term.weight > 0 for term in analysed(TEXT, index).terms)


@given(st.text("abc", max_size=6), st.text("abc", max_size=6), st.integers(0, 3))
def test_edit_distance_is_symmetric_and_stops_at_the_most(one: str, other: str, most: int) -> None:
    distance = edit_distance(one, other, most)
    assert distance == edit_distance(other, one, most)
    assert (distance == 0) == (one == other)
    assert distance <= most + 1


@pytest.mark.parametrize(
    ("one", "other", "distance"), [("neutorn", "neutron", 1), ("curie", "cure", 1), ("ab", "cd", 2)]
)
def test_a_swap_of_neighbours_is_one_edit(one: str, other: str, distance: int) -> None:
    assert edit_distance(one, other, 3) == distance
