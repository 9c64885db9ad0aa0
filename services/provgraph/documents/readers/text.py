"""Plain text: bytes → characters → pages split at form feeds. The other text formats build on it.

Knows encodings and nothing of markup.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

from provgraph.documents.document import Header, Page
from provgraph.documents.readers.structure import UNMARKED, Markup, layouts
from provgraph.documents.readers.writable import writable
from provgraph.errors import UnreadableDocument
from provgraph.passwords import without_passwords

MEDIA_TYPE = "text/plain"

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is how this one begins
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_TITLE_LENGTH = 200
_FEW_PAGES = 50
_LEAST_OF_A_PAGE = 50  # characters that pages have at least, taken together, where there are many
_NOT_FOR_TEXT = frozenset(
    ("idna", "punycode", "raw-unicode-escape", "unicode-escape")
)  # the second in squared time


_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|had|will|would|can|could|did|does|must|may|should)\b")
_SPEAKING = re.compile(r"(?:I|We|He|She|It|They|You|This|There|Dear)\b")
_ASKING = re.compile(r"(?:How|What|Why|When|Where|Who|Which)\b")
_HEADING = re.compile(r"\s*(\w[^\n]{2,98}[^\s.!?;:,])[ \t]*\n(?:[=\-~*]{3,}[ \t]*\n|[ \t]*\n)\s*\S")
_HEADING_LINES = re.compile(
    r"\s*([^\Wa-z][^\n]{2,78}[^\s.!?;:,])[ \t]*\n([^\Wa-z][^\n]{2,118}[^\s.!?;:,])[ \t]*\n"
    r"(?:(\w[^\n]{2,118}[^\s.!?;:,])[ \t]*\n)?[ \t]*\n\s*\S"
)
_IN_CAPITALS = re.compile(r"\s*([^\Wa-z_\d][^\na-z]{4,78}[^\sa-z.!?;:,])[ \t]*\n\s*\S")
_SHORT = 4  # letters; a shorter word in capitals may be an abbreviation
_SMALL = frozenset("a an the and or of for to at by from with under over as nor but off per via".split())
_WORD = re.compile(r"[^\W\d_]+")
_LOOKED_AT = 20_000  # characters in which the words of a heading are looked for


@dataclass(frozen=True)
class TextDocument:
    """A document whose text is all there: one page for each part between form feeds; `markup` tells what of it is a
    heading or a table."""

    header: Header
    content: bytes
    text: str
    markup: Markup = UNMARKED

    def pages(self) -> Iterator[Page]:
        if not self.text.strip():
            raise UnreadableDocument(f"“{self.header.title}” holds no text. Give a document with text in it.")
        texts = split_pages(self.text)
        for number, (text, layout) in enumerate(
            zip(texts, layouts(texts, self.markup), strict=True), start=1
        ):
            yield Page(number, text, layout=layout)


def open_text(content: bytes, name: str, charset: str = "") -> TextDocument:
    """The document in `content`; its title is a heading that it begins with, else the file's name."""
    text = writable(decode(content, name, charset))
    header = Header(
        title=_heading(text) or title_from_name(name),
        media_type=MEDIA_TYPE,
        page_count=len(split_pages(text)),
    )
    return TextDocument(header, content, text)


def _heading(text: str) -> str:
    """The first line where it stands like a title: short, without a full stop, no sentence, and followed by a blank
    line, or by one or two lines of the kind before that; or a first line in capitals."""
    match = _HEADING.match(text) or _HEADING_LINES.match(text) or _IN_CAPITALS.match(text)
    if match is None or any(_is_clause(line) for line in match.groups() if line):
        return ""
    return one_line(_in_small_letters(match[1], text))


def _in_small_letters(line: str, text: str) -> str:
    """A line in capitals with its words as the text spells them where they have one capital, else with one."""
    if not line.isupper():
        return line
    spelt = {word.casefold(): word for word in _WORD.findall(text[len(line) : _LOOKED_AT]) if word.istitle()}
    words = _WORD.sub(
        lambda match: (
            match[0].casefold()
            if match[0].casefold() in _SMALL
            else spelt.get(match[0].casefold(), match[0] if len(match[0]) < _SHORT else match[0].capitalize())
        ),
        line,
    )
    return words[:1].upper() + words[1:]


def _is_clause(line: str) -> bool:
    """Whether a line is a sentence without its full stop: most words in small letters, with a verb, no question."""
    words = line.split()
    small = sum(word[0].islower() for word in words)
    if words[0] == "Dear":
        return True
    if len(words) < 4 or 2 * small <= len(words) or _ASKING.match(line):
        return False
    return bool(_FINITE.search(line)) or bool(_SPEAKING.match(line))


def split_pages(text: str) -> list[str]:
    """The parts between form feeds; what follows the last one is no page when it is blank.

    Where there are more form feeds than pages can be, they part lines: each page is kept and named by itself, which
    takes thousands of times what a form feed does.
    """
    if text.count("\f") > _FEW_PAGES + len(text) // _LEAST_OF_A_PAGE:
        text = text.replace("\f", "\n")
    pages = text.split("\f")
    while len(pages) > 1 and not pages[-1].strip():
        pages.pop()
    return pages


def decode(content: bytes, name: str, charset: str = "") -> str:
    """`content` as characters: by its byte order mark, else by `charset` where it was declared, else UTF-8.

    Raises `UnreadableDocument` with the offset of the first byte that is not in that encoding.
    """
    mark, encoding = next(
        ((mark, encoding) for mark, encoding in _BYTE_ORDER_MARKS if content.startswith(mark)),
        (b"", _known_encoding(charset)),
    )
    try:
        return content[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        raise UnreadableDocument(
            f"{name} is not {encoding.upper()}: byte {error.start + len(mark)} is part of no character. "
            "Convert the file to UTF-8, for example with `iconv -f WINDOWS-1252 -t UTF-8`."
        ) from error


def _known_encoding(charset: str) -> str:
    """The encoding of that name, else UTF-8. What Python calls encodings and no text is written in does not count."""
    try:
        name = codecs.lookup(charset).name if charset else "utf-8"
        b"a".decode(name)
    except (LookupError, UnicodeError):
        return "utf-8"
    return "utf-8" if name in _NOT_FOR_TEXT else name


def title_from_name(name: str) -> str:
    """The file name without folders and extension, or `Untitled`: the last resort for a title."""
    stem = re.split(r"[\\/]", name)[-1].strip()
    return one_line(re.sub(r"(?<=.)\.[A-Za-z0-9]{1,8}$", "", stem)) or "Untitled"


def one_line(text: str) -> str:
    """`text` with every run of white space as one space, cut at a word where it is too long for a title."""
    line = without_passwords(" ".join(writable(text).split()))
    return line if len(line) <= _TITLE_LENGTH else line[:_TITLE_LENGTH].rsplit(" ", 1)[0] + "…"
