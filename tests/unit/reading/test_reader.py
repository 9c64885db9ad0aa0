"""What sentences say, and what a sentence that cannot be read costs."""

from __future__ import annotations

import pytest

from provgraph.reading.reader import read, read_parsed
from provgraph.reading.syntax import ParsedSentence
from unit.reading.reading_fixtures import parser, propositions, said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Ada Novak was born in Graz in 1950.",
            {"Ada Novak | born-in-place | Graz", "Ada Novak | born-on-date | 1950"},
        ),
        ("The institute was founded by Ada Novak.", {"institute | founded-by | Ada Novak"}),
        ("Ada Novak founded the institute.", {"institute | founded-by | Ada Novak"}),
        (
            "The discovery of polonium by Marie Curie surprised many.",
            {"polonium | discovered-by | Marie Curie"},
        ),
        ("Red Sand was directed by Ada Novak.", {"Red Sand | director | Ada Novak"}),
        (
            "Red Sand was written, produced and directed by Ada Novak.",
            {f"Red Sand | {role} | Ada Novak" for role in ("author", "producer", "director")},
        ),
        (
            "Red Sand is a children's book series written and illustrated by Ada Novak.",
            {"Red Sand | instance-of | children's book series", "Red Sand | author | Ada Novak"},
        ),
        (
            "It was written by Ingrid Dahl and Tomas Berg, and published on 3 March 2023.",
            {"It | author | Ingrid Dahl", "It | author | Tomas Berg"},
        ),
        ("Ada Novak wrote and directed the film.", {"film | author | Ada Novak"}),
        ("The museum moved its library to Linz.", {"library | moved-to | Linz"}),
        ("Ada Novak moved to Linz.", {"Ada Novak | moved-to | Linz"}),
        ("Vienna is the capital of Austria.", {"Vienna | capital-of | Austria"}),
        ("The capital of Austria is Vienna.", {"Vienna | capital-of | Austria"}),
        ("Acme was acquired by Globex.", {"Acme | acquired-by | Globex"}),
        ("The station is owned by Hochman Hawaii, Inc.", {"station | owned-by | Hochman Hawaii"}),
        (
            "Tom Reed is a Polish physicist.",
            {"Tom Reed | nationality | Poland", "Tom Reed | occupation | physicist"},
        ),
        ("The population of Graz was 280,000 in 2019.", {"Graz | population | 280,000"}),
        ("The river is 350 km long.", {"river | length | 350 km"}),
        (
            "Tom Reed graduated from the University of Paris.",
            {"Tom Reed | graduated-from | University of Paris"},
        ),
        ("Tom Reed died in 1889.", {"Tom Reed | died-on-date | 1889"}),
        ("The final took place in Graz.", {"final | took-place-in | Graz"}),
        (
            "Ada Bell was born in Graz, the daughter of the chemist Tom Bell.",
            {"Tom Bell | daughter | Ada Bell"},
        ),
    ],
)
def test_what_a_sentence_says(text: str, expected: set[str]) -> None:
    assert expected <= said(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Elena Petrova, a botanist, wrote the guide.", "Elena Petrova | occupation | botanist"),
        ("Petrova's brother, the chemist Tom Reed, married Anna Bell.", "Petrova | brother | Tom Reed"),
        ("Petrova's brother, the chemist Tom Reed, married Anna Bell.", "Tom Reed | spouse | Anna Bell"),
        ("Petrova's brother-in-law, Tom Reed, left.", "Petrova | relative | Tom Reed"),
        (
            "The film, directed by Ada Novak and produced by Tom Reed, was a success.",
            "film | director | Ada Novak",
        ),
        (
            "The film, directed by Ada Novak and produced by Tom Reed, was a success.",
            "film | producer | Tom Reed",
        ),
        ("Ada Novak (7 May 1867 – 4 July 1934) was a physicist.", "Ada Novak | died-on-date | 4 July 1934"),
        ("Ada Novak (1867–1934) was a physicist.", "Ada Novak | born-on-date | 1867"),
        ("Paul Reed is the son of John Reed and Mary Bell.", "Mary Bell | son | Paul Reed"),
        ("She lives in Graz, Austria.", "Graz | located-in | Austria"),
        ("Red Sand is a 1999 film.", "Red Sand | release-date | 1999"),
    ],
)
def test_what_phrases_say_by_themselves(text: str, expected: str) -> None:
    assert expected in said(text)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("Marie Curie studied at the University of Paris.", "Marie Curie | born-in-place | Paris"),
        ("The Curie Institute was founded by Marie Curie.", "Marie Curie | founded-by | Curie Institute"),
        ("Tom Reed was born in 1889.", "Tom Reed | died-on-date | 1889"),
        ("The expedition (1911–14) mapped the coast.", "expedition | born-on-date | 1911"),
        ("Ada Novak did not direct Red Sand.", "Red Sand | director | Ada Novak"),
        ("Ada Novak may have directed Red Sand.", "Red Sand | director | Ada Novak"),
        ("If Ada Novak directed Red Sand, critics were wrong.", "Red Sand | director | Ada Novak"),
        ("Bell denied that Reed founded Acme.", "Acme | founded-by | Reed"),
        ("Acme plans to acquire Globex.", "Globex | acquired-by | Acme"),
    ],
)
def test_what_a_sentence_does_not_say(text: str, never: str) -> None:
    assert never not in said(text)


def test_active_and_passive_are_one() -> None:
    active = said("Ada Novak discovered the comet.")
    passive = said("The comet was discovered by Ada Novak.")
    assert "comet | discovered-by | Ada Novak" in active & passive


def test_spans_are_the_exact_characters() -> None:
    text = "In 1903, Ada Novak founded the Graz Institute with Tom Reed."
    for each in propositions(text):
        assert text[each.sentence.start : each.sentence.end] == each.sentence.text
        for argument in (each.subject, each.object, *each.arguments):
            if argument is not None:
                assert text[argument.span.start : argument.span.end] == argument.span.text
                assert argument.head.text in argument.span.text


def test_a_number_keeps_the_noun_it_counts() -> None:
    (found,) = (p for p in propositions("Acme has 30 employees.") if p.relation == "employees")
    assert found.object is not None
    assert getattr(found.object.value, "noun", "") == "employee"


def test_a_sentence_that_cannot_be_read_costs_that_sentence_only() -> None:
    text = "Ada Novak founded Acme."
    (good,) = parser().parse(text, [(0, len(text))])
    broken = ParsedSentence((good.tokens[1], good.tokens[0]), 0, 5)
    reading = read_parsed(text, [broken, good])
    assert any(p.relation == "founded-by" for p in reading.propositions)
    assert sum(reading.failures.values()) <= 1


@pytest.mark.parametrize("text", ["", "   ", "?!", "12 34 56", "a" * 5000, "– – –", "(((", "\n\n"])
def test_odd_input_is_read_without_failing(text: str) -> None:
    assert not read(text, parser()).failures


def test_the_title_of_the_document_is_one_name() -> None:
    text = "Mad Bear and Gold is a 1993 film directed by Ada Novak."
    assert "Mad Bear and Gold | release-date | 1993" in said(text, "Mad Bear and Gold")
