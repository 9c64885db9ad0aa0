"""HTML → lines of text: headings, paragraphs, list items and table rows, without the page's furniture.

Built on the standard library's parser: it forgives broken markup and adds nothing to the install.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from provgraph.documents.document import Header
from provgraph.documents.readers.dates import iso_date
from provgraph.documents.readers.text import TextDocument, decode, one_line, title_from_name, writable

MEDIA_TYPE = "text/html"


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DROPPED = _names(
    "script style noscript template nav aside form button select svg math iframe canvas object dialog"
)
_PARAGRAPHS = _names(
    "p div section article header footer main h1 h2 h3 h4 h5 h6 ul ol dl table figure figcaption blockquote "
    "pre hr address details summary body fieldset"
)
_LINES = _names("br li dt dd tr caption option")
_CELLS = frozenset(("td", "th"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{1,40})""", re.IGNORECASE)
_AUTHORS = frozenset(("author", "dc.creator", "citation_author", "article:author"))
_DATES = frozenset(
    ("date", "dc.date", "citation_date", "citation_publication_date", "article:published_time")
)


def open_html(content: bytes, name: str, charset: str = "") -> TextDocument:
    """The document in `content`; encoding, title, author and date as its head declares them."""
    declared = _CHARSET.search(content[:4096])
    source = writable(decode(content, name, charset or (declared[1].decode("ascii") if declared else "")))
    parser = _TextParser()
    parser.feed(source)
    parser.close()
    header = Header(
        title=one_line(parser.title) or one_line(parser.heading) or title_from_name(name),
        media_type=MEDIA_TYPE,
        page_count=1,
        creators=tuple(parser.creators),
        date=parser.date,
    )
    return TextDocument(header, content, parser.text())


class _TextParser(HTMLParser):
    """Collects lines; `_pending` is the break that stands before the next word."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.heading = ""
        self.creators: list[str] = []
        self.date = ""
        self._parts: list[str] = []
        self._pending = ""
        self._dropped: list[str] = []
        self._inside = ""
        self._preformatted = False
        self._cells = 0

    def text(self) -> str:
        return "".join(self._parts).strip()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "meta":
            self._read_meta({key: value or "" for key, value in attrs})
        elif tag in _DROPPED:
            self._dropped.append(tag)
        elif tag == "title" or (tag in _HEADINGS and not self.heading):
            self._inside = tag
        if tag == "pre":
            self._preformatted = True
        self._break(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _DROPPED:  # `<svg/>` opens nothing that a later tag would close
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._dropped:
            del self._dropped[self._dropped.index(tag) :]
        if tag == self._inside:
            self._inside = ""
        if tag == "pre":
            self._preformatted = False
        if tag not in _CELLS:
            self._break(tag)

    def handle_data(self, data: str) -> None:
        if self._dropped:
            return
        if self._inside == "title":
            self.title += data
            return
        if self._inside:
            self.heading += data
        self._write(data)

    def _write(self, data: str) -> None:
        words = data.strip("\n") if self._preformatted else " ".join(data.split())
        if not words.strip():
            self._pending = self._pending or (" " if data else "")
            return
        if self._parts and not self._parts[-1].endswith("| "):
            self._parts.append(self._pending or (" " if data[0].isspace() else ""))
        self._parts.append(words)
        self._pending = " " if data[-1].isspace() else ""

    def _break(self, tag: str) -> None:
        if self._dropped:
            return
        if tag in ("tr", "table") and self._cells:
            self._parts.append(" |")
            self._cells = 0
        if tag in _CELLS:
            self._parts.append(" | " if self._cells else f"{self._pending}| ")
            self._cells += 1
            self._pending = ""
        elif self._cells and tag in _PARAGRAPHS | _LINES:
            self._pending = " "
        elif tag in _PARAGRAPHS:
            self._pending = "\n\n"
        elif tag in _LINES and self._pending != "\n\n":
            self._pending = "\n"

    def _read_meta(self, attributes: dict[str, str]) -> None:
        name = (attributes.get("name") or attributes.get("property") or "").lower()
        value = one_line(attributes.get("content", ""))
        if name in _AUTHORS and value and not value.startswith("http") and value not in self.creators:
            self.creators.append(value)
        if name in _DATES:
            self.date = self.date or iso_date(value.replace("/", "-"))
