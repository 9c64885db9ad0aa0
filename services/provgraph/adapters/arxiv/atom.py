"""arXiv's Atom feed → papers. The feed is somebody else's: no entity is expanded, and no address in it is followed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from provgraph.errors import Unavailable
from provgraph.ports.paper_search import FoundPaper, UnusableEntry

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_ATOM: Final = "{http://www.w3.org/2005/Atom}"
_ARXIV: Final = "{http://arxiv.org/schemas/atom}"
_ABSTRACT_PAGE: Final = re.compile(
    r"https?://[^/\s]+/abs/((?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d{1,3})?)"
)
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_DOI: Final = re.compile(r"10\.\d{4,9}/[^\s<>\"]+")
_ERRORS: Final = "/api/errors"
_LONGEST_TITLE: Final = 500
_LONGEST_ABSTRACT: Final = 20_000
_MOST_CREATORS: Final = 500


def read_feed(feed: bytes, base: str) -> list[FoundPaper | UnusableEntry]:
    """The entries in their order. PDFs are addressed at `base`, by the id alone: `/abs/` → `/pdf/`.

    Raises `Unavailable` for what is not an Atom feed, declares entities, or reports an error.
    """
    try:
        root = fromstring(feed, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise Unavailable(
            f"What {base} sent is not an Atom feed that can be trusted ({type(error).__name__}). Check "
            "PROVGRAPH_ARXIV_URL, then build again."
        ) from error
    if root.tag != f"{_ATOM}feed":
        raise Unavailable(
            f"What {base} sent is not an Atom feed. Check PROVGRAPH_ARXIV_URL, then build again."
        )
    return [_entry(entry, base) for entry in root.iter(f"{_ATOM}entry")]


def _entry(entry: Element, base: str) -> FoundPaper | UnusableEntry:
    address, title = _text(entry, f"{_ATOM}id"), _text(entry, f"{_ATOM}title")[:_LONGEST_TITLE]
    if _ERRORS in address:
        raise Unavailable(
            f"arXiv refused the search: {_text(entry, f'{_ATOM}summary')[:200]}. Change the topic."
        )
    found = _ABSTRACT_PAGE.fullmatch(address)
    if not found:
        return UnusableEntry(
            title or "A result", f"It has no address on arXiv, but {address[:120]!r}. Look it up there."
        )
    number = found[1]
    bare = re.sub(r"v\d+\Z", "", number)
    doi = _DOI.search(_text(entry, f"{_ARXIV}doi"))
    return FoundPaper(
        id=f"https://arxiv.org/abs/{bare}",
        version=f"arXiv:{number}",
        title=title or number,
        creators=tuple(_names(entry)),
        published=(_DATE.match(_text(entry, f"{_ATOM}published")) or [""])[0],
        abstract=_text(entry, f"{_ATOM}summary")[:_LONGEST_ABSTRACT],
        identifiers=(f"arXiv:{number}", *([f"doi:{doi[0]}"] if doi else [])),
        address=f"{base}/pdf/{number}",
    )


def _names(entry: Element) -> list[str]:
    authors = list(entry.iter(f"{_ATOM}author"))[:_MOST_CREATORS]
    return [name[:200] for author in authors if (name := _text(author, f"{_ATOM}name"))]


def _text(element: Element, tag: str) -> str:
    """The words of a child, in one line."""
    return " ".join((element.findtext(tag) or "").split())
