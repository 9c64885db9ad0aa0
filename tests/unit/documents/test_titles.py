"""Titles: what a person would call a document."""

from __future__ import annotations

import pytest

from provgraph.documents.readers.titles import is_title, title_of


@pytest.mark.parametrize(
    "said",
    [
        "Microsoft Word - draft.doc",
        "Table of Contents",
        "2.3.59 (Rev 12/22)",
        "Form 10-K",
        "0000012927-23-000007",
        "report_final.pdf",
        "Untitled 3",
        "(anonymous)",
        "Page 1 of 9",
        "x" * 200,
        "",
    ],
)
def test_what_no_person_would_choose_is_no_title(said: str) -> None:
    assert not is_title(said)
    assert title_of((said, "Understanding Radium"), "a.pdf") == "Understanding Radium"


@pytest.mark.parametrize(
    "said", ["Annual report 2022", "Form 10-K for Pepsico INC", "On Radium", "C++ in 21 days"]
)
def test_what_names_the_document_is_its_title(said: str) -> None:
    assert title_of((said,), "a.pdf") == said


def test_the_last_resort_is_the_file_name() -> None:
    assert title_of(("Contents", ""), "PEPSICO_2022_10K.pdf") == "PEPSICO_2022_10K"
