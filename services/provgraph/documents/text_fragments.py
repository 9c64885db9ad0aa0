"""Addresses that open a document of the web at the words that are cited from it."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, urldefrag

from provgraph.rdf.iris import is_iri

_WHOLE: Final = 200
"""Characters up to which the words stand in the address; longer ones are named by their first and last words."""
_ENDS: Final = 6
_SCHEMES: Final = ("http://", "https://")


def web_address(document: str, source: str) -> str:
    """Where a document can be fetched: the address that it was read from, or its id where that is one; else nothing."""
    return next(
        (each for each in (source, document) if each.lower().startswith(_SCHEMES) and is_iri(each)), ""
    )


def cited_address(document: str, source: str, page_number: int, text: str) -> str:
    """The address of a document, at the words: a text fragment, or of a PDF its page. Nothing without an address.

    (URL Fragment Text Directives, https://wicg.github.io/scroll-to-text-fragment/; RFC 8118, section 3.)
    """
    address = urldefrag(web_address(document, source)).url
    if not address or not text.strip():
        return address
    if address.partition("?")[0].lower().endswith(".pdf"):
        return f"{address}#page={page_number}"
    return f"{address}#:~:text={text_directive(text)}"


def text_directive(text: str) -> str:
    """The words as a browser is asked for them. Percent-encoded: commas, dashes and ampersands separate parts."""
    words = text.split()
    whole = " ".join(words)
    if len(whole) <= _WHOLE or len(words) <= 2 * _ENDS:
        return _encoded(whole)
    return f"{_encoded(' '.join(words[:_ENDS]))},{_encoded(' '.join(words[-_ENDS:]))}"


def _encoded(words: str) -> str:
    return quote(words, safe="").replace("-", "%2D")
