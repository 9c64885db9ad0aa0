"""Markdown → the text that a reader sees: no link targets, emphasis marks or front matter.

Headings keep their `#`, for they tell where a section begins; code keeps every character.
"""

from __future__ import annotations

import re

from provgraph.documents.document import Header
from provgraph.documents.readers.dates import iso_date
from provgraph.documents.readers.text import (
    TextDocument,
    decode,
    one_line,
    split_pages,
    title_from_name,
    writable,
)

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
        title=one_line(fields.get("title", "")) or _first_heading(source) or title_from_name(name),
        media_type=MEDIA_TYPE,
        page_count=len(split_pages(text)),
        creators=(creator,) if creator else (),
        date=iso_date(fields.get("date", "")),
    )
    return TextDocument(header, content, text)


def readable(source: str) -> str:
    """Markdown `source` as text: marks gone, lines as they were; lines of fenced code untouched."""
    lines: list[str] = []
    fence = ""
    for line in source.split("\n"):
        found = _FENCE.match(line)
        if found and fence in ("", found[1]):
            fence = "" if fence else found[1]
        elif fence:
            lines.append(line)
        elif not (_is_rule(line) or _DEFINITION.match(line)):
            lines.append(_without_marks(line))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def _is_rule(line: str) -> bool:
    """Whether the line is drawn only: a thematic break, the underline of a heading or of a table's head."""
    marks = "".join(line.split())
    drawn = set(marks)
    return len(marks) > 1 and (
        drawn in ({"="}, {"-"}, {"*"}, {"_"}) or {"|", "-"} <= drawn <= {"|", "-", ":"}
    )


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
    found = _HEADING.search(source) or _UNDERLINED.search(source)
    return one_line(_inline(found[1].strip(" \t#"))) if found else ""
