"""Sentence spans: where sentences end, where they do not, and what holds for any text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.language.sentences import after_list_mark, sentence_spans


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "one",
    [
        "Dr. Smith met Prof. J. K. Rowling in St. Petersburg.",
        "Metals, e.g. iron and i.e. steel, cost 4.50 dollars.",
        "As Kim et al. Showed nothing, see Fig. 3 and No. 5 of Vol. 2.",
        "The U.S. Senate voted in Washington, D.C. yesterday.",
        "He waited ... and left.",
        "“Is it true?” he asked.",
        "Version 3.11.2 of example.org runs.",
        "Yahoo! was founded by two students.",
        "Warren G. Harding and J.R.R. Tolkien never met.",
        "The bill was signed on Jan. 5 by the mayor.",
        "1. Mix the flour.",
        "Die Halle wurde am 14. Juni eröffnet.",
    ],
)
def test_stops_inside_a_sentence_do_not_end_it(one: str) -> None:
    assert sentences(one) == [one]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She won. He lost!  Why?", ["She won.", "He lost!", "Why?"]),
        ("He said “Go.” Then he left.", ["He said “Go.”", "Then he left."]),
        ("(It was late.) They went home.", ["(It was late.)", "They went home."]),
        ("She moved to the U.S. The war had ended.", ["She moved to the U.S.", "The war had ended."]),
        ("It contains vitamin C. It is sour.", ["It contains vitamin C.", "It is sour."]),
        ("It rained…  Nobody came.", ["It rained…", "Nobody came."]),
        ("It was known.[12] Others disagreed.", ["It was known.[12]", "Others disagreed."]),
        ("Sales rose. iPhone sales fell.", ["Sales rose.", "iPhone sales fell."]),
        ("It ended in 1990. 40 people came.", ["It ended in 1990.", "40 people came."]),
        ("我爱你。他走了！好吗？", ["我爱你。", "他走了！", "好吗？"]),
        ("هل أنت هنا؟ نعم.", ["هل أنت هنا؟", "نعم."]),
        ("राम घर गया। सीता आई।", ["राम घर गया।", "सीता आई।"]),
        ("“你好。”他说。", ["“你好。”", "他说。"]),
    ],
)
def test_stops_at_the_end_of_a_sentence_end_it(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Without a stop\n\nSecond part", ["Without a stop", "Second part"]),
        ("A line that runs\nover two lines.", ["A line that runs\nover two lines."]),
        ("She was born in\nWarsaw in 1867.", ["She was born in\nWarsaw in 1867."]),
        ("# Early life\nShe was born.", ["# Early life", "She was born."]),
        ("Introduction\nWe show that it works.", ["Introduction", "We show that it works."]),
        ("2.1 Methods\nWe used a pump.", ["2.1 Methods", "We used a pump."]),
        ("RESULTS\nAll was well.", ["RESULTS", "All was well."]),
        (
            "Results of the study\nThe pump moved four litres of water in every minute.",
            ["Results of the study", "The pump moved four litres of water in every minute."],
        ),
        ("We need:\n- flour\n- two eggs\n", ["We need:", "- flour", "- two eggs"]),
        ("Steps:\n1. Mix it\n2. Bake it\n", ["Steps:", "1. Mix it", "2. Bake it"]),
        ("| a | b |\n| 1 | 2 |", ["| a | b |", "| 1 | 2 |"]),
        ("First.\r\n\r\nSecond.\r\n", ["First.", "Second."]),
    ],
)
def test_lines_end_a_sentence_only_where_they_end_on_purpose(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


PROSE = st.lists(
    st.sampled_from(
        ["The", "Dr.", "U.S.", "cat", "1.", "- ", "\n", "\n\n", " ", ".", "?", "。", "”", "(", "4.5", "[1]"]
    )
).map(lambda parts: "".join(part if part.isspace() else f"{part} " for part in parts))


def test_a_long_line_may_begin_with_many_spaces() -> None:
    text = "Notes\n" + " " * 30 + "word " * 300
    assert [text[start:end].split()[0] for start, end in sentence_spans(text)] == ["Notes"]


@given(st.one_of(st.text(), PROSE))
def test_spans_are_trimmed_ordered_and_cover_all_but_white_space(text: str) -> None:
    position = 0
    for start, end in sentence_spans(text):
        assert position <= start < end <= len(text)
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()


@given(PROSE, PROSE)
def test_a_blank_line_separates_as_if_the_parts_stood_alone(left: str, right: str) -> None:
    assert sentences(f"{left}\n\n{right}") == sentences(left) + sentences(right)


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        "x",
        ".",
        ". ",
        "a.",
        "A. ",
        "\n",
        "\n ",
        "[1]",
        '."',
        "(",
        "e.g. ",
        "1. ",
        "-\n",
        "\x00",
        "。",
        " \t",
        "A\n",
    ],
)
def test_hostile_repetition_of_any_unit_is_read_in_linear_time(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    started = time.process_time()
    spans = sentence_spans(text)
    assert time.process_time() - started < 5
    assert all(text[start:end].strip() for start, end in spans)


def test_the_words_of_a_list_item_begin_behind_its_mark() -> None:
    for text, words in (
        ("• Polonium is rare.", "Polonium is rare."),
        ("1. It glows.", "It glows."),
        ("—", "—"),
    ):
        ((start, end),) = sentence_spans(text)
        assert text[after_list_mark(text, start, end) : end] == words
