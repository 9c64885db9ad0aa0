"""Line items by other names."""

from __future__ import annotations

from provgraph.language.terms import terms
from provgraph.retrieval.synonyms import synonyms_of


def test_a_line_item_that_a_question_names_has_its_other_names() -> None:
    (names,) = synonyms_of(terms("How much was capex in 2022?"))
    assert tuple(terms("purchases of property, plant and equipment")) in names
    assert tuple(terms("capex")) not in names


def test_a_question_that_names_no_line_item_has_none() -> None:
    assert synonyms_of(terms("Who discovered radium?")) == []
