"""The title of a PDF by how it is printed on its first pages, where the file does not tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from provgraph.documents.readers.pdf_lines import PdfLine
from provgraph.documents.readers.pdf_text import PageText
from provgraph.documents.readers.text import one_line

_SIZES: Final = 3
_LARGER: Final = 1.1
_CLEARLY_LARGER: Final = 1.2
_TITLE_LINES: Final = 2
_ALONE: Final = 1.5
"""Of a line's size: the gap above it, where it stands by itself."""


def printed_titles(page: PageText) -> list[str]:
    """What may be the title of a document by how it is printed on a page, the likeliest first.

    Type clearly larger than the body's tells, the largest first. Where it is hardly larger, headings of sections
    and the lines of a cover page have it too: then what stands first of all in bold type, and what stands by itself.
    """
    lines = [piece.line for piece in page.pieces if piece.line.upright and piece.line.text.strip()]
    sizes = sorted({line.size for line in lines if line.size >= _LARGER * page.body_size}, reverse=True)
    found: list[str] = []
    for size in sizes[:_SIZES]:
        runs = _runs(lines, partial(_is_of, size))
        if size < _CLEARLY_LARGER * page.body_size:
            runs = [*_first_in_bold(lines), *(run for run in runs if _stands_alone(run, lines))]
        found += [_words_of(run) for run in runs]
    return found or [_words_of(run) for run in _first_in_bold(lines)]


def _is_of(size: float, line: PdfLine) -> bool:
    return 0.95 * size <= line.size <= 1.05 * size


def _runs(lines: Sequence[PdfLine], belongs: Callable[[PdfLine], bool]) -> list[list[PdfLine]]:
    """Lines after one another that belong together, with no gap between them."""
    runs: list[list[PdfLine]] = []
    before: PdfLine | None = None
    for line in lines:
        if belongs(line):
            if before and belongs(before) and line.y0 - before.y1 < line.size:
                runs[-1].append(line)
            else:
                runs.append([line])
        before = line
    return runs


def _first_in_bold(lines: Sequence[PdfLine]) -> list[list[PdfLine]]:
    """The first lines, if they are bold and few, and body follows them after a gap."""
    runs = _runs(lines, lambda line: line.is_bold)
    first = runs[0] if runs and lines and runs[0][0] is lines[0] else []
    after = lines[len(first)] if len(first) < len(lines) else None
    if not first or len(first) > _TITLE_LINES or after is None:
        return []
    is_top = all(first[0].y0 <= line.y0 for line in lines)
    return [first] if is_top and after.y0 - first[-1].y1 >= first[-1].size and not after.is_bold else []


def _stands_alone(run: Sequence[PdfLine], lines: Sequence[PdfLine]) -> bool:
    first = run[0]
    above = max((line.y1 for line in lines if line.y0 < first.y0), default=float("-inf"))
    return len(run) <= _TITLE_LINES and first.y0 - above >= _ALONE * first.size


def _words_of(run: Iterable[PdfLine]) -> str:
    return one_line(" ".join(line.text for line in run))
