"""Markdown → the text that a reader sees: no link targets, emphasis marks or front matter.

Headings keep their `#`, for they tell where a section begins; code keeps every character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from provgraph.documents import tables
from provgraph.documents.document import Header
from provgraph.documents.readers.dates import iso_date
from provgraph.documents.readers.text import (
    TextDocument,
    decode,
    one_line,
    split_pages,
)
from provgraph.documents.readers.titles import title_of
from provgraph.documents.readers.writable import writable

MEDIA_TYPE = "text/markdown"

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"^([A-Za-z_]+):[ \t]*(\S.*)$", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t](.*)$", re.MULTILINE)
_UNDERLINED = re.compile(r"^ {0,3}(\S.*)\n {0,3}=+[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(```|~~~)")
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]{1,200}\]:[ \t]+\S+")
_INLINE = (
    (re.compile(r"<!--.{0,1000}?-->"), ""),
    (re.compile(r"!?\[([^\[\]\n]{0,500})\]\([^()\s]{0,2000}(?:[ \t]+\"[^\"\n]{0,500}\")?\)"), r"\1"),
    (re.compile(r"!?\[([^\[\]\n]{1,500})\]\[[^\[\]\n]{0,200}\]"), r"\1"),
    (re.compile(r"<(https?://[^<>\s]{1,2000})>"), r"\1"),
    (re.compile(r"(?<![*\w])(\*{1,3})(?=\S)([^*\n]{1,1000})(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"(?<![_\w])(_{1,3})(?=\S)([^_\n]{1,1000})(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"`([^`\n]{1,1000})`"), r"\1"),
    (re.compile(r"</?[a-zA-Z][^<>\n]{0,500}>"), ""),
    (re.compile(r"\\([\\`*_{}\[\]()#+\-.!|>~])"), r"\1"),
)


def open_markdown(content: bytes, name: str, charset: str = "") -> TextDocument:
    """The document in `content`; title, author and date from its front matter, else its first heading."""
    source = writable(decode(content, name, charset))
    front = _FRONT_MATTER.match(source)
    fields = {key.lower(): value.strip(" \t\"'") for key, value in _FIELD.findall(front[1] if front else "")}
    text = readable(source[front.end() :] if front else source)
    creator = one_line(fields.get("author", "").strip("[]"))
    header = Header(
        title=title_of((fields.get("title", ""), _first_heading(source)), name),
        media_type=MEDIA_TYPE,
        page_count=len(split_pages(text)),
        creators=(creator,) if creator else (),
        date=iso_date(fields.get("date", "")),
    )
    return TextDocument(header, content, text)


def readable(source: str) -> str:
    """Markdown `source` as text: marks gone, lines as they were; lines of fenced code untouched."""
    parts = [text for _, text in _parts(source)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).strip("\n")


def _parts(source: str) -> Iterator[tuple[bool, str]]:
    """Runs of lines that are code, and runs of lines that are not."""
    for is_code, lines in groupby(_lines(source), key=lambda line: line[0]):
        texts = [text for _, text in lines]
        yield is_code, "\n".join(texts if is_code else _without_drawing(texts))


def _lines(source: str) -> Iterator[tuple[bool, str]]:
    """Each line, and whether it is code; fences are none."""
    fence = ""
    for line in source.split("\n"):
        match = _FENCE.match(line)
        if match and fence in ("", match[1]):
            fence = "" if fence else match[1]
        else:
            yield bool(fence), line


def _without_drawing(lines: Sequence[str]) -> Iterator[str]:
    """Lines without marks, rules and link definitions; those of a table as rows, also without bars around them."""
    in_table = False
    for index, line in enumerate(lines):
        below = lines[index + 1] if index + 1 < len(lines) else ""
        heads = "|" in line and tables.is_rule(below) and not tables.is_rule(line)
        if tables.is_rule(line):
            if in_table:
                yield tables.rule(len(tables.cells(line)))
            continue
        in_table = heads or (in_table and "|" in line)
        if in_table:
            yield tables.row([_inline(cell.strip()) for cell in tables.cells(line.replace("\\|", "¦"))])
        elif not (_is_rule(line) or _DEFINITION.match(line)):
            yield _without_marks(line)


def _is_rule(line: str) -> bool:
    """Whether the line is drawn only: a thematic break or the underline of a heading."""
    marks = "".join(line.split())
    return len(marks) > 1 and set(marks) in ({"="}, {"-"}, {"*"}, {"_"})


def _without_marks(line: str) -> str:
    line = re.sub(r"^[ \t]*(?:>[ \t]?)+", "", line)
    if line.lstrip().startswith("|"):
        cells = [_inline(cell.strip()) for cell in line.strip().strip("|").split("|")]
        return f"| {' | '.join(cells)} |"
    return _inline(line)


def _inline(text: str) -> str:
    for pattern, replacement in _INLINE:
        text = pattern.sub(replacement, text)
    return text


def _first_heading(source: str) -> str:
    match = _HEADING.search(source) or _UNDERLINED.search(source)
    return one_line(_inline(match[1].strip(" \t#"))) if match else ""
