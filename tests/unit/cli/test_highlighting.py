"""What stands out in an answer by extraction: in colours, in labels, and never as a command to the terminal."""

from __future__ import annotations

import io
from typing import Any, Final

import pytest

from provgraph.cli.answer_stream import highlight_lines, highlighted, wants_colour

TEXT = "Marie Curie saw 138 days."
MENTIONS: Final[list[dict[str, Any]]] = [
    {"type": "ENTITY", "start": 0, "end": 11},
    {"type": "METRIC", "start": 16, "end": 24},
]


def test_names_are_green_and_quantities_blue() -> None:
    assert highlighted(TEXT, MENTIONS, 0, colour=True) == (
        "\x1b[32m\x1b[1mMarie Curie\x1b[0m saw \x1b[34m\x1b[1m138 days\x1b[0m."
    )


def test_without_colours_they_have_labels() -> None:
    assert highlighted(TEXT, MENTIONS, 0, colour=False) == "[Marie Curie: ENTITY] saw [138 days: METRIC]."


def test_mentions_may_be_told_in_characters_of_the_page() -> None:
    moved = [{**each, "start": each["start"] + 70, "end": each["end"] + 70} for each in MENTIONS]
    assert highlighted(TEXT, moved, 70, colour=False) == highlighted(TEXT, MENTIONS, 0, colour=False)


def test_words_of_documents_are_no_commands() -> None:
    assert "\x1b" not in highlighted(
        "\x1b[2JMarie\x1b[0m", [{"type": "ENTITY", "start": 4, "end": 9}], 0, False
    )


@pytest.mark.parametrize(
    ("chosen", "environment", "expected"),
    [(None, "", False), (None, "1", False), (True, "1", True), (False, "", False)],
)
def test_colours_are_for_terminals_or_where_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, chosen: bool | None, environment: str, expected: bool
) -> None:
    monkeypatch.setenv("NO_COLOR", environment)
    assert wants_colour(chosen, io.StringIO()) is expected


def test_a_document_is_shown_with_what_made_its_score_and_its_evidence_with_its_number() -> None:
    sentence: dict[str, Any] = {"page_number": 1, "start": 0, "end": 25, "score": 0.5, "text": TEXT}
    sentence |= {"coverage": 0.25, "density": 0.5, "chance": 0.6}
    document = {
        "title": "A page",
        "score": 5.0,
        "terms": [{"text": "curie", "count": 2, "weight": 2.0, "score": 4.0}, {"text": "saw", "score": 1.0}],
        "evidence": [{**sentence, "mentions": [], "cited": 0}, {**sentence, "mentions": []}],
    }
    found = {"method": "bm25", "documents": [document], "graph": {"nodes": [], "edges": []}, "facts": []}
    counted = "        coverage 0.25 × (0.75 + 0.25 × density 0.50) + 0.5 × answer read 0.60"
    assert list(highlight_lines({**found, "cut_off": 0.4}, colour=False)) == [
        "Sentences that score 0.40 or more answer (--near).",
        "Documents, by bm25",
        "  5.00  A page: curie 2 × 2 + saw 1",
        "    [1] 0.50  page 1, characters 0–25",
        counted,
        f"        {TEXT}",
        "        0.50  page 1, characters 0–25",
        counted,
        f"        {TEXT}",
    ]
