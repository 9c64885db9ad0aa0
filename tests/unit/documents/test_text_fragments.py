"""Addresses that open a document at the words that are cited from it."""

from __future__ import annotations

from urllib.parse import unquote

import pytest

from provgraph.documents.text_fragments import cited_address, text_directive, web_address

PAGE = "https://example.org/curie.html"


def test_words_of_a_page_of_the_web_have_an_address() -> None:
    words = "Radium-226, found by M. & P. Curie: 50% purer."
    address = cited_address("urn:doc:1", f"{PAGE}#top", 1, words)
    page, _, directive = address.partition("#:~:text=")
    assert page == PAGE
    assert not set(directive) & set(",&- ")
    assert unquote(directive) == words


def test_long_words_are_named_by_their_ends() -> None:
    words = " ".join(f"word{number}" for number in range(60))
    start, _, end = text_directive(words).partition(",")
    assert words.startswith(unquote(start))
    assert words.endswith(unquote(end))


def test_of_a_pdf_the_page_is_opened() -> None:
    assert (
        cited_address("https://example.org/a.PDF?v=2", "a.pdf", 7, "words")
        == "https://example.org/a.PDF?v=2#page=7"
    )


@pytest.mark.parametrize(
    ("document", "source", "address"),
    [
        ("urn:doc:1", "curie.html", ""),
        ("urn:doc:1", PAGE, PAGE),
        (PAGE, "curie.html", PAGE),
        ("urn:doc:1", "https://no address.example", ""),
        ("javascript:alert(1)", "file:///etc/passwd", ""),
    ],
)
def test_a_document_without_an_address_on_the_web_has_none(document: str, source: str, address: str) -> None:
    assert web_address(document, source) == address
