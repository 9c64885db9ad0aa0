"""What two spellings of one name have in common, and what no rule may join."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.language.name_forms import name_forms, shared_rule

names = st.text(st.sampled_from("ABab éöüßø.,'-& DrSir"), max_size=16) | st.sampled_from(
    ["Kurt Gödel", "Kurt Godel", "Goedel, Kurt", "Dr. Kurt Gödel", "U.S.", "US", "Ford Motor Co.", "김철수"]
)


@pytest.mark.parametrize(
    ("one", "other", "rule"),
    [
        ("Kurt Gödel", "Kurt Godel", "diacritics"),
        ("Kurt Gödel", "Kurt Goedel", "diacritics"),
        ("Skłodowska", "Sklodowska", "diacritics"),
        ("U.S.", "US", "abbreviation"),
        ("U. S.", "U.S.", "abbreviation"),
        ("J.R.R. Tolkien", "J. R. R. Tolkien", "spelling"),
        ("Jean-Paul Sartre", "Jean Paul Sartre", "spelling"),
        ("Johnson & Johnson", "Johnson and Johnson", "spelling"),
        ("World Health Organisation", "World Health Organization", "spelling"),
        ("Dr. Marie Curie", "Marie Curie", "title"),
        ("Prof. Dr. Max Planck", "Max Planck", "title"),
        ("Jane Roe, Ph.D.", "Jane Roe", "title"),
        ("President Abraham Lincoln", "Abraham Lincoln", "title"),
        ("Curie, Marie", "Marie Curie", "order of names"),
        ("Ford Motor Company, Inc.", "Ford Motor", "legal form"),
        ("Siemens AG", "Siemens", "legal form"),
        ("The Rolling Stones", "Rolling Stones", "article"),
    ],
)
def test_two_spellings_of_one_name_are_one_by_a_rule(one: str, other: str, rule: str) -> None:
    assert shared_rule(one, other) == rule


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Dr. Watson", "Watson"),
        ("Godel", "Goedel"),
        ("US", "us"),
        ("C++", "C"),
        ("C#", "C"),
        ("The Who", "Who"),
        ("Martin Luther King Jr.", "Martin Luther King"),
        ("Elizabeth I", "Elizabeth II"),
        ("Apollo 11", "Apollo 12"),
        ("John Smith", "Jane Smith"),
        ("résumé", "resume"),
        ("the band", "band"),
        ("Paris, Texas", "Paris"),
    ],
)
def test_what_differs_in_more_stays_two(one: str, other: str) -> None:
    assert shared_rule(one, other) == ""


@given(names, names)
def test_the_order_of_two_names_does_not_matter(one: str, other: str) -> None:
    assert shared_rule(one, other) == shared_rule(other, one)


@given(names)
def test_a_name_shares_a_form_with_itself(name: str) -> None:
    assert not name_forms(name) or shared_rule(name, name)
