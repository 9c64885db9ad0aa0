"""A text cut by its structure: headings, numbered clauses, bullets, rows, paragraphs; long ones by their sentences.

Every span is exact. Cutting goes on from one text to the next by the outline: a chunk that begins inside clause 3.1
knows that it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from provgraph.documents.outline import NO_OUTLINE, Outline, mark_of
from provgraph.language.sentences import sentence_spans

PieceKind = Literal["heading", "clause", "bullet", "row", "paragraph"]

LONGEST: Final = 900
"""Characters of a piece above which it is cut where a sentence ends."""

_LINE: Final = re.compile(r"[^\r\n\v\f\u2028\u2029]+")
_BULLET: Final = re.compile(r"[ \t]*[-*•‣◦▪●■–—][ \t]+")
_HEADING: Final = re.compile(r"[ \t]*#{1,6}[ \t]+")
_ROW: Final = re.compile(r"[ \t]*\|")
_LEADS: Final = re.compile(r"(?:[:—–]|\b(?:shall|must|may|will|should))\s*\Z")
_TITLE: Final = 80
_SECOND: Final = re.compile(r"[a-z]{2}[.;] (?:[A-Z]\w*,?|[A-Z]) \w+ \w+")


@dataclass(frozen=True)
class Piece:
    """`text[start:end]`, which says what it says from `words` on, behind its number or bullet.

    `clause` is how the clause that it is of is cited, empty outside of clauses; `lead` what introduces it as an item;
    `title` the heading that it stands below.
    """

    start: int
    end: int
    words: int
    kind: PieceKind
    clause: str = ""
    lead: str = ""
    title: str = ""


@dataclass(frozen=True)
class Cut:
    """The pieces of a text in their order, and the outline where it ends."""

    pieces: tuple[Piece, ...]
    outline: Outline


@dataclass(frozen=True)
class _Block:
    """Lines that belong together; `after_blank` where an empty line, or nothing, is before them."""

    start: int
    end: int
    after_blank: bool


def cut(text: str, outline: Outline = NO_OUTLINE) -> Cut:
    """Pieces that do not overlap and leave out nothing but white space. Linear in the text."""
    pieces: list[Piece] = []
    for block in _blocks(text, outline):
        piece, outline = _piece(text, block, outline)
        pieces += _in_lengths(text, piece)
    return Cut(tuple(pieces), outline)


def _blocks(text: str, outline: Outline) -> Iterator[_Block]:
    """A block begins after an empty line, at a number, a bullet, a heading or a row, and after a heading."""
    block: _Block | None = None
    expected, previous_end, was_heading = outline, 0, False
    for match in _LINE.finditer(text):
        line = match.group()
        if not line.strip():
            continue
        blank = block is None or text.count("\n", previous_end, match.start()) > 1
        mark = mark_of(line, expected, blank)
        begins = (
            blank or was_heading or mark or _BULLET.match(line) or _HEADING.match(line) or _ROW.match(line)
        )
        start, end = _trimmed(text, match.start(), match.end())
        if block and begins:
            yield block
            block = None
        block = replace(block, end=end) if block else _Block(start, end, blank)
        if mark:
            expected = expected.entered(mark)
        was_heading = bool(_HEADING.match(line)) or bool(mark and _is_title(line[mark.words :]))
        previous_end = match.end()
    if block:
        yield block


def _piece(text: str, block: _Block, outline: Outline) -> tuple[Piece, Outline]:
    first = _LINE.match(text, block.start, block.end)
    line = first.group() if first else ""
    mark = mark_of(line, outline, block.after_blank)
    if mark:
        return _clause(text, block, outline.entered(mark), mark.words)
    heading, bullet = _HEADING.match(line), _BULLET.match(line)
    said = text[block.start : block.end]
    if heading:
        piece = Piece(block.start, block.end, block.start + heading.end(), "heading", title=_title(outline))
        return piece, Outline()
    if bullet:
        piece = Piece(
            block.start,
            block.end,
            block.start + bullet.end(),
            "bullet",
            outline.number,
            outline.lead,
            _title(outline),
        )
        return piece, outline
    if _ROW.match(line):
        return Piece(
            block.start, block.end, block.start, "row", outline.number, title=_title(outline)
        ), outline
    inside = outline.beside() if block.after_blank else outline
    piece = Piece(block.start, block.end, block.start, "paragraph", inside.number, title=_title(inside))
    return piece, replace(inside if inside.is_beside else inside.saying(said), lead=_lead(said))


def _clause(text: str, block: _Block, outline: Outline, words: int) -> tuple[Piece, Outline]:
    at = min(block.start + words, block.end)
    said = text[at : block.end]
    last = outline.clauses[-1]
    below = last.kind != "section"
    lead = outline.lead if below else ""
    is_title = not said or (not lead and _is_title(said))
    kind: PieceKind = "heading" if is_title else "clause"
    piece = Piece(block.start, block.end, at, kind, outline.number, lead, _title(outline))
    introduces = _lead(said)
    if lead:
        introduces = f"{lead.rstrip(':—– ')} {said}"[-2 * LONGEST :] if introduces else lead
    if not is_title and not below and last.number.isdigit():
        outline = outline.as_item()
    return piece, replace(outline.saying(said), lead=introduces)


def _lead(said: str) -> str:
    """The sentence that introduces items, where one ends the words."""
    if not _LEADS.search(said[-12:]):
        return ""
    start, end = sentence_spans(said)[-1] if said.strip() else (0, 0)
    return " ".join(said[start:end].split())


def _is_title(words: str) -> bool:
    said = words.strip()
    return (
        bool(said)
        and len(said) <= _TITLE
        and said[-1] not in ".;,:"
        and "\n" not in said
        and _few_verbs(said)
    )


def _few_verbs(said: str) -> bool:
    """A heading has no modal verb, and no second sentence begins in it: "The Supplier shall deliver" without its full
    stop is no heading, nor "Trademarks. This License does not grant the use of"."""
    return not _SECOND.search(said) and not re.search(
        r"\b(?:shall|must|may|will|should|is|are|was|were|means)\b", said, re.IGNORECASE
    )


def _title(outline: Outline) -> str:
    """The words of the outermost open clause, where they are a heading."""
    for clause in outline.clauses[:-1]:
        if clause.words and _is_title(clause.words):
            return clause.words
    return ""


def _in_lengths(text: str, piece: Piece) -> Iterator[Piece]:
    """The piece, or where it is long its sentences, as many together as fit; a longer sentence is cut at a space."""
    if piece.end - piece.start <= LONGEST:
        yield piece
        return
    start = piece.start
    for stop in _stops(text, piece):
        yield replace(
            piece, start=start, end=_trimmed(text, start, stop)[1], words=max(start, min(piece.words, stop))
        )
        start = _trimmed(text, stop, piece.end)[0]


def _stops(text: str, piece: Piece) -> Iterator[int]:
    """Where the parts of a long piece end."""
    begun = piece.start
    ends = [piece.start + end for _, end in sentence_spans(text[piece.start : piece.end])]
    last = piece.start
    for end in [*ends, piece.end]:
        if end - begun > LONGEST and last > begun:
            yield last
            begun = _trimmed(text, last, piece.end)[0]
        while end - begun > LONGEST:
            space = text.rfind(" ", begun + LONGEST // 2, begun + LONGEST)
            stop = space if space > begun else begun + LONGEST
            yield stop
            begun = _trimmed(text, stop, piece.end)[0]
        last = end
    if begun < piece.end:
        yield piece.end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
