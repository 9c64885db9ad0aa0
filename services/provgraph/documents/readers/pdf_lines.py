"""MuPDF's structured text of a page → lines with their places: the only module that knows MuPDF's format.

MuPDF writes it as JSON in C and Python parses it in C, which takes a third of the time of `get_text("dict")`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

import pymupdf
from pymupdf import mupdf

if TYPE_CHECKING:
    from provgraph.documents.readers.pdf_table_parts import FoundTable

_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
SCALE = 10  # MuPDF rounds to whole units: tenths of a point are fine enough for any layout
_CELL_GAP = 1.5  # in ems: a wider gap on one row is a gap between cells or columns, not between words
_SAME_ROW = 0.45  # in ems: how far baselines of one row may differ, so that raised figures stay on it
_MARK = re.compile(r"\S{1,4}|(?:\(\w{1,2}\)[,\s]*)+")
_RAISED = 0.8  # of the size beside it: smaller type that overlaps a line is a mark on that line


@dataclass(slots=True, eq=False)
class PdfLine:
    """A run of text on one baseline. Places are in tenths of a point, `y` downwards, `base` the baseline.

    `parts` are the pieces it was joined from, as MuPDF cut them at wide spaces; empty where there is one. `spans` are
    its words with their places, where they are needed to part it. `table` is there where the line stands for a whole
    table in its place.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    text: str
    is_bold: bool = False
    is_italic: bool = False
    parts: list[PdfLine] = field(default_factory=list)
    table: FoundTable | None = None
    spans: Sequence[_Word] = ()

    @property
    def upright(self) -> bool:
        return self.y1 - self.y0 <= 2 * (self.x1 - self.x0) or len(self.text) < 3

    @property
    def pieces(self) -> Sequence[PdfLine]:
        return self.parts or (self,)

    @property
    def words(self) -> str:
        """The text with every run of white space as one space."""
        return " ".join(self.text.split())


def page_lines(document: pymupdf.Document, index: int) -> list[PdfLine]:
    """The lines of page `index` (from 0) as MuPDF meets them, the page's rotation applied."""
    structured = structured_page(document, index)
    buffer = mupdf.fz_new_buffer(1 << 14)
    output = mupdf.FzOutput(buffer)
    mupdf.fz_print_stext_page_as_json(output, structured, SCALE)
    output.fz_close_output()
    blocks = json.loads(mupdf.fz_buffer_extract_copy(buffer), strict=False)["blocks"]
    words = _words(structured) if _needs_words(blocks) else {}
    return _raised(
        [
            line
            for number, block in enumerate(blocks)
            if block["type"] == "text"
            for line in _block_lines(block, number, words)
        ]
    )


def structured_page(document: pymupdf.Document, index: int) -> mupdf.FzStextPage:
    """MuPDF's own structure of page `index`: blocks of lines of characters."""
    page = mupdf.fz_load_page(document.this, index)
    options = mupdf.FzStextOptions()
    options.flags = _FLAGS
    return mupdf.FzStextPage(page, options)


def directions(document: pymupdf.Document, index: int) -> Counter[tuple[int, int]]:
    """How many characters of page `index` run in each direction, right (1, 0), down (0, 1), left or up, as it is shown;
    those that run aslant are in none of these."""
    page: Any = pymupdf.TextPage(structured_page(document, index))  # type: ignore[no-untyped-call]
    counts: Counter[tuple[int, int]] = Counter()
    for line in (line for block in page.extractDICT()["blocks"] for line in block.get("lines", ())):
        across, down = line["dir"]
        counts[round(across, 2), round(down, 2)] += sum(len(span["text"]) for span in line["spans"])
    return counts


def joined(parts: Sequence[PdfLine]) -> PdfLine:
    """Pieces of one line as one, a space between those that stand apart."""
    first = parts[0]
    if len(parts) == 1:
        return first
    line = PdfLine(
        first.x0,
        first.y0,
        first.x1,
        first.y1,
        first.base,
        first.size,
        first.text,
        first.is_bold,
        first.is_italic,
    )
    for part in parts[1:]:
        _append(line, part)
    line.parts = list(parts)
    return line


_Word = tuple[float, float, str]
"""From x, to x, and its characters."""

_MAY_HOLD_CELLS = re.compile(r"[$€£¥]|\d\s+(?:[\d(—–−$-]|FY)|[)%—–−]\s+[\d(—–−$-]|\s{3}").search
_AMOUNT = re.compile(r"[(\-−–]*\d[\d,.]*\)?%?|[—–−-]|[$€£¥]|(?:FY)?\d{2,4}/\d{2,4}|FY'?\d{2,4}")
"""An amount, a sign or a year, which stands in a cell of its own."""
_SIGN = re.compile(r"[$€£¥]")


def _needs_words(blocks: Sequence[dict[str, Any]]) -> bool:
    """Whether a line may have to be parted at a word: where cells may stand in it, or a raised mark."""
    lines = [raw for block in blocks if block["type"] == "text" for raw in block["lines"]]
    body = max((raw["font"]["size"] for raw in lines), default=0)
    return any(
        _MAY_HOLD_CELLS(raw["text"]) or (raw["font"]["size"] < _RAISED * body and len(raw["text"]) < 10)
        for raw in lines
    )


def _words(structured: mupdf.FzStextPage) -> dict[tuple[int, int], list[_Word]]:
    """The words of each line, by the numbers of its block and its own."""
    words: dict[tuple[int, int], list[_Word]] = {}
    page: Any = pymupdf.TextPage(structured)  # type: ignore[no-untyped-call]
    for x0, _, x1, _, text, block, line, _ in page.extractWORDS():
        words.setdefault((block, line), []).append((x0 * SCALE, x1 * SCALE, text))
    return words


def _cut(line: PdfLine, words: Sequence[_Word]) -> list[PdfLine]:
    """A line in which amounts of several cells stand, cut between them: before a currency sign, between two amounts,
    and at a gap that is wide for a space."""
    if len(words) < 2 or "".join(text for _, _, text in words) != "".join(line.text.split()):
        return [line]
    groups = [[words[0]]]
    for word, following in pairwise(words):
        gap = following[0] - word[1]
        amounts = (
            _AMOUNT.fullmatch(word[2]) and _AMOUNT.fullmatch(following[2]) and not _SIGN.fullmatch(word[2])
        )
        sign = _SIGN.fullmatch(following[2]) and word[2][-1:] not in "(-–−" and gap > 0.5 * line.size
        if sign or (amounts and gap > 0.5 * line.size) or (gap > 0.8 * line.size and not line.text.isspace()):
            groups.append([])
        groups[-1].append(following)
    if len(groups) == 1:
        return [line]
    return [_of_words(line, group) for group in groups]


def _block_lines(
    block: dict[str, Any], number: int, words: dict[tuple[int, int], list[_Word]]
) -> Iterator[PdfLine]:
    """The block's lines, those joined again that MuPDF cut at a wide space."""
    open_parts: list[PdfLine] = []
    for at, raw in enumerate(block["lines"]):
        text = raw["text"]
        if not text or text.isspace():
            continue
        box, font = raw["bbox"], raw["font"]
        x0, y0 = box["x"], box["y"]
        name = font["name"]
        line = PdfLine(
            x0,
            y0,
            x0 + box["w"],
            y0 + box["h"],
            raw["y"],
            font["size"] or 1,
            text,
            font["weight"] == "bold" or "Bold" in name or "Black" in name,
            font["style"] == "italic" or "Italic" in name or "Oblique" in name,
        )
        line.spans = words.get((number, at), ())
        for piece in _cut(line, line.spans) if _MAY_HOLD_CELLS(text) else [line]:
            if open_parts and not _reads_on(open_parts, piece):
                yield joined(open_parts)
                open_parts = []
            open_parts.append(piece)
    if open_parts:
        yield joined(open_parts)


def _reads_on(parts: Sequence[PdfLine], following: PdfLine) -> bool:
    line = parts[-1]
    size = max(line.size, following.size)
    if abs(parts[0].base - following.base) > _SAME_ROW * size:
        return False
    gap = max(following.x0 - line.x1, line.x0 - following.x1)  # to the right, or to the left as Arabic runs
    return -0.5 * size < gap < _CELL_GAP * size


def _append(line: PdfLine, following: PdfLine) -> None:
    gap = max(following.x0 - line.x1, line.x0 - following.x1)
    spaced = line.text[-1].isspace() or following.text[0].isspace() or gap < 0.12 * line.size
    line.text += following.text if spaced else " " + following.text
    line.x0, line.x1 = min(line.x0, following.x0), max(line.x1, following.x1)
    line.y0, line.y1 = min(line.y0, following.y0), max(line.y1, following.y1)
    line.size = max(line.size, following.size)


def _raised(lines: list[PdfLine]) -> list[PdfLine]:
    """The lines, marks in small type put on the baseline of the line beside which they stand: "53rd", "volume(b)"."""
    parted: dict[int, list[PdfLine]] = {}
    body = max((line.size for line in lines), default=0)
    for mark in lines:
        if not _MARK.fullmatch(mark.text.strip()) or mark.size >= _RAISED * body:
            continue
        beside = min(
            (line for line in lines if _is_beside(mark, line)),
            key=lambda line: abs(line.base - mark.base),
            default=None,
        )
        if beside is not None:
            mark.base = beside.base
            parted.setdefault(id(beside), []).append(mark)
    return [piece for line in lines for piece in _parted_at(line, parted.get(id(line), ()))]


def _parted_at(line: PdfLine, marks: Sequence[PdfLine]) -> list[PdfLine]:
    """A line in two or more, where raised marks stand between its words: "the 53", "rd", "week"."""
    inside = [mark for mark in marks if line.x0 < mark.x0 and mark.x1 < line.x1]
    if inside and line.parts:
        edges = [mark.x0 for mark in inside]
        runs = groupby(line.parts, key=lambda part: sum(edge < (part.x0 + part.x1) / 2 for edge in edges))
        return [joined(list(run)) for _, run in runs]
    words = list(line.spans)
    if not inside or "".join(text for _, _, text in words) != "".join(line.text.split()):
        return [line]
    pdf_lines, at = list[PdfLine](), 0
    for mark in sorted(inside, key=lambda mark: mark.x0):
        end = next(
            (number for number, word in enumerate(words) if (word[0] + word[1]) / 2 > mark.x0), len(words)
        )
        if at < end < len(words):
            pdf_lines.append(_of_words(line, words[at:end]))
            at = end
    return [*pdf_lines, _of_words(line, words[at:])]


def _of_words(line: PdfLine, words: Sequence[_Word]) -> PdfLine:
    text = " ".join(text for _, _, text in words)
    return replace(line, x0=words[0][0], x1=words[-1][1], text=text, spans=words)


def _is_beside(mark: PdfLine, line: PdfLine) -> bool:
    """Whether a small mark touches a line of larger type."""
    if line is mark or mark.size >= _RAISED * line.size:
        return False
    overlap = min(mark.y1, line.y1) - max(mark.y0, line.y0)
    gap = max(mark.x0 - line.x1, line.x0 - mark.x1)
    return overlap > 0.4 * (mark.y1 - mark.y0) and gap < 0.4 * line.size
