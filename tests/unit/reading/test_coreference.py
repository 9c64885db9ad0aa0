"""Who is meant by pronouns, descriptions and short names."""

from __future__ import annotations

import pytest

from unit.reading.reading_fixtures import propositions, said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Novak is an actress. She was born in Graz.", "Ada Novak | born-in-place | Graz"),
        ("Ada Novak is an actress. Her father, Tom Reed, was a lawyer.", "Ada Novak | father | Tom Reed"),
        ("Red Sand is a film. It was directed by Ada Novak.", "Red Sand | director | Ada Novak"),
        ("Red Sand is a film. The film was directed by Ada Novak.", "Red Sand | director | Ada Novak"),
        ("Ada Novak is an actress. Novak founded Acme.", "Acme | founded-by | Ada Novak"),
        ("Ada Novak wrote the guide and died in 1990.", "Ada Novak | died-on-date | 1990"),
        (
            "Donald Frew drowned. After Frew's death his brother-in-law, Hector Munro, took over. Munro kept the "
            "light. He was born in Graz.",
            "Hector Munro | born-in-place | Graz",
        ),
    ],
)
def test_what_is_safe_is_resolved(text: str, expected: str) -> None:
    assert expected in said(text)


@pytest.mark.parametrize(
    "text",
    [
        "It was directed by Ada Novak.",
        "Adam Bell met Tom Reed, and Karl Hall met Paul Moss. He died in Graz.",
        "They moved to Paris.",
        "August was the busiest month. The port belongs to the city of Lunden, which bought it in 1998.",
    ],
)
def test_what_is_not_safe_is_left_open(text: str) -> None:
    assert any(not each.stands_alone for each in propositions(text))


@pytest.mark.parametrize(
    ("text", "title", "antecedent"),
    [
        ("Acme Widgets, Inc. (“Acme,” “we” or “our”) is a firm. We acquired Solvang Ltd.", "", True),
        ("“We” and “our” refer to Acme Widgets, Inc. and its units. We acquired Solvang Ltd.", "", True),
        ("We acquired Solvang Ltd in 2021.", "Acme Widgets, Inc.", False),
    ],
)
def test_we_is_the_organisation_that_the_document_names_as_its_author(
    text: str, title: str, antecedent: bool
) -> None:
    bought = next(each for each in propositions(text, title) if each.relation == "acquired-by")
    assert bought.object is not None
    resolution = bought.object.resolution
    assert resolution is not None
    assert (resolution.stands_for, resolution.written.text) == ("Acme Widgets, Inc.", "We")
    assert (resolution.antecedent is not None) == antecedent
    assert resolution.reason.startswith("we: ")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("We acquired Solvang Ltd in 2021.", "How we grew"),
        ("“We acquired Solvang Ltd after a long search,” said Bell of Zenith Bank.", "Acme Widgets, Inc."),
    ],
)
def test_we_is_left_open_where_somebody_else_may_speak(text: str, title: str) -> None:
    assert "Solvang Ltd | acquired-by | Acme Widgets, Inc." not in said(text, title)


def test_a_resolution_says_what_was_written_and_why() -> None:
    text = "Ada Novak is an actress. She was born in Graz."
    found = next(each for each in propositions(text) if each.relation == "born-in-place")
    resolution = found.subject.resolution
    assert resolution is not None
    assert resolution.written.text == "She"
    assert resolution.stands_for == "Ada Novak"
    assert resolution.reason
    assert resolution.antecedent is not None
    assert text[resolution.antecedent.start : resolution.antecedent.end] == "Ada Novak"


def test_no_pronoun_is_an_entity() -> None:
    text = "He and she met them there, and it was theirs."
    assert not any(each.subject.kind == "entity" for each in propositions(text))


def test_the_title_tells_what_the_document_is_about() -> None:
    assert "Red Sand | director | Ada Novak" in said(
        "The film was directed by Ada Novak.", "Red Sand (film)"
    ) | said("It was directed by Ada Novak.", "Red Sand (film)")


def test_a_thing_named_only_later_is_not_meant() -> None:
    text = "The company, which employs 320 people, was sold to Orval Inc."
    assert not any(line.startswith("Orval Inc.") for line in said(text))
