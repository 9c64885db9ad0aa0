"""What a question asks, in chains, alternatives and comparisons."""

from __future__ import annotations

import pytest

from provgraph.reading.questions import ANSWER
from unit.reading.reading_fixtures import line, question


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("Who founded Acme?", "who", "Person"),
        ("When did Tom Reed die?", "when", "Date"),
        ("Where was Ada Novak born?", "where", "Place"),
        ("How many employees does Acme have?", "how-many", "Number"),
        ("Did Marie Curie discover polonium?", "yes-no", "Boolean"),
        ("Is Graz the capital of Austria?", "yes-no", "Boolean"),
        ("Which film was released first, Red Sand or Blue Sea?", "which-of", "Work"),
        ("What is photosynthesis?", "definition", ""),
        ("List the films directed by Ada Novak.", "list", "Work"),
        ("What is the largest city in Austria?", "superlative", "Place"),
    ],
)
def test_what_kind_of_answer_is_asked(text: str, kind: str, expected: str) -> None:
    found = question(text)
    assert (found.kind, found.expected_type) == (kind, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who founded Acme?", "Acme | founded-by | Who"),
        ("Who is the director of Red Sand?", "Red Sand | director | Who"),
        ("When did Tom Reed die?", "Tom Reed | died-on-date | When"),
        ("Who is Tom Reed's brother-in-law?", "Tom Reed | relative | Who"),
        ("What award did Tom Reed receive?", "Tom Reed | award-received | award"),
        ("Which university did Tom Reed attend?", "Tom Reed | educated-at | university"),
        ("Did Marie Curie discover polonium?", "polonium | discovered-by | Marie Curie"),
    ],
)
def test_a_question_is_a_proposition_with_an_open_argument(text: str, expected: str) -> None:
    found = question(text)
    assert expected in {line(each) for each in found.propositions}
    assert all(each.modality == "asked" for each in found.propositions)


def test_two_steps_share_a_variable() -> None:
    found = question("What is the capital of the country where Ada Novak was born?")
    relations = {each.relation: each for each in found.propositions}
    capital, birth = relations["capital-of"], relations["born-in-place"]
    assert capital.subject.variable == ANSWER
    assert capital.object is not None
    assert birth.object is not None
    assert capital.object.variable == birth.object.variable != ""
    assert found.bridges == (birth.object.variable,)


def test_names_constraints_and_alternatives() -> None:
    found = question("Which film did Ada Novak direct before 1990, Red Sand or Blue Sea?")
    assert [each.text for each in found.alternatives] == ["Red Sand", "Blue Sea"]
    assert "Ada Novak" in {each.text for each in found.names}
    assert [each.kind for each in found.constraints] == ["time"]


def test_a_comparison_names_what_is_compared() -> None:
    found = question("Who was born earlier, Ada Novak or Tom Reed?")
    assert found.comparison is not None
    assert (found.comparison.relation, found.comparison.direction) == ("born-on-date", "least")


@pytest.mark.parametrize("text", ["", "   ", "?", "hello", "Graz", "x" * 3000, "Why?"])
def test_odd_questions_are_read_without_failing(text: str) -> None:
    assert question(text).text == text
