"""Labels: one thing spelt two ways gets one label, two things never do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.extraction.labels import MAX_LENGTH, clean_label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("the Curies' laboratory", "Curies laboratory"),
        ("Curies laboratory", "Curies laboratory"),
        ("The Curies’ laboratory", "Curies laboratory"),
        ("Marie\n  Curie", "Marie Curie"),
        ("a photo-\nvoltaic cell", "photovoltaic cell"),
        ("her second husband", "second husband"),
        ("“Yesterday”", "Yesterday"),
        ("(the mill)", "mill"),
        ("the mill,", "mill"),
        ("Apple Inc.", "Apple Inc."),
        ("the U.S.", "U.S."),
        ("the old mill.", "old mill"),
        ("A Tale of Two Cities", "A Tale of Two Cities"),
        ("A small mill", "small mill"),
        ("a National Historic Landmark", "National Historic Landmark"),
        ("some of the tracks", "some of the tracks"),
        ("McDonald's", "McDonald's"),
        ("Mercury (planet)", "Mercury (planet)"),
        ("C", "C"),
        ("C++", "C++"),
        ("C#", "C#"),
        (".NET", ".NET"),
        ("김민준", "김민준"),
        ("김민지", "김민지"),
        ("محمد", "محمد"),
        ("the", "the"),
        ("…", ""),
        ("", ""),
        ("x" * (MAX_LENGTH + 1), ""),
    ],
)
def test_a_label_is_the_name_without_its_wrapping(text: str, label: str) -> None:
    assert clean_label(text) == label


@given(st.text())
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert clean_label(clean_label(text)) == clean_label(text)


@given(st.text(), st.sampled_from([" ", "\n", "\t  "]))
def test_labels_hold_no_line_breaks_doubled_spaces_or_control_characters(text: str, gap: str) -> None:
    label = clean_label(gap.join([text, text]))
    assert label == " ".join(label.split())
    assert all(character.isprintable() or ord(character) > 0xA0 for character in label)


@given(st.text(alphabet=st.characters(categories=["Lu", "Ll", "Lo"]), min_size=1, max_size=MAX_LENGTH))
def test_a_bare_name_in_any_script_is_left_as_it_is(name: str) -> None:
    assert clean_label(name) == name
