"""What a plain text is called: a heading that it begins with, and no sentence."""

from __future__ import annotations

import pytest

from provgraph.documents.readers.text import open_text


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("Ferry Operator Suspends Winter Service", "Ferry Operator Suspends Winter Service"),
        ("How to mend a net", "How to mend a net"),
        ("What is a peer", "What is a peer"),
        ("Notes on mending", "Notes on mending"),
        ("The meeting was held in the town hall on Monday", "letter"),
        ("Dear all, we met on Monday in the town hall", "letter"),
        ("Halden Steel has sold its mill in Moss to a rival", "letter"),
    ],
)
def test_a_first_line_is_a_title_unless_it_is_a_sentence(line: str, title: str) -> None:
    assert open_text(f"{line}\n\nMore of it.".encode(), "letter.txt").header.title == title
