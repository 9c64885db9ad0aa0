"""Which tables a question may be asked of: what it is about has to stand in a table, or in what heads it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Final

from provgraph.derivation.tables.amounts import CURRENCIES
from provgraph.derivation.tables.cell_periods import period_of_head
from provgraph.derivation.tables.formulas import formula_in
from provgraph.derivation.tables.grid import Grid
from provgraph.derivation.tables.item_names import names_in
from provgraph.derivation.tables.linking import CLOSE, alike
from provgraph.derivation.tables.question_words import TableQuestion
from provgraph.language.terms import FUNCTION_WORDS, terms

_CODE: Final = re.compile(r"\b[A-Za-z]\w*-\d[\w-]*|\b[A-Z]{2,}\d+\b")
_NUMBERED: Final = re.compile(
    r"\b(?:bus|boat|train|flight|tram|ferry|line|route|room|number|no\.|service|lot|item|order|bib|platform|gate|unit) "
    r"(\d{1,5})\b",
    re.IGNORECASE,
)
"""What is named by a number: "bus 1209"."""
_WHICH: Final = re.compile(
    r"\b(?i:which|list(?: all)?(?: of)?(?: the)?|name(?: all)? the)\s+(?:(?:[A-Z][\w&’'-]*|of|the)\s+){0,6}"
    r"(?P<rows>[a-z]{4,})",
)
"""Asks for rows by what they are."""
_HALF: Final = 0.5
_ANY_ROW: Final = frozenset(
    terms("game match time row entry item record event person people thing case occurrence member")
)
"""Words for what a row may be in any table."""
_OF_ANY_TABLE: Final = frozenset(
    terms(
        "table chart list listed row column entry shown given according amount number total year date month day "
        "used often frequently"
    )
)
"""Words that say nothing of which table is meant."""
_MOST_TABLES: Final = 6


def askable(text: str, grids: Sequence[Grid], is_named: bool) -> list[Grid]:
    """The tables that a question may be asked of, those that share most with it first.

    Where somebody said of which document it is asked (`is_named`), what its rows are need not stand in the table.
    """
    derived = formula_in(text)
    having = [grid for grid in grids if _has_rows_asked(text, grid)]
    return [
        grid
        for grid in relevant(text, having or grids, with_others=is_named)
        if (grid in having or not _is_of_report(grid) or share_said(text, _under_own_caption(grid)) == 1)
        and share_said(text, grid, is_named) >= _HALF
        and share_said(text, replace(grid, title=""), is_named, frozenset(terms(grid.title))) >= _HALF
        and (is_named or _has_counted(text, grid))
        and (derived is None or _names(derived.names, grid))
        and _has_codes(text, grid)
        and _has_names(text, grid)
    ]


def computable(text: str, grids: Sequence[Grid]) -> list[Grid]:
    """The tables of whose cells an answer to a question may be computed, where every word has to be accounted for:
    those with all its names and codes."""
    return [grid for grid in relevant(text, grids) if _has_codes(text, grid) and _has_names(text, grid)]


def _has_rows_asked(text: str, grid: Grid) -> bool:
    """Whether the column that names the rows is headed by what a question asks which of: "which departments"."""
    asked = _WHICH.search(text)
    if asked is None or grid.name_column is None:
        return False
    head = set(terms(grid.columns[grid.name_column].header))
    return any(term in head for term in terms(asked["rows"]))


def relevant(text: str, grids: Sequence[Grid], with_others: bool = False) -> list[Grid]:
    """The tables that share most with the question, best first; a word that few tables have counts more.

    `with_others` keeps those without a word of it.
    """
    asked = {term for term in terms(text) if term not in FUNCTION_WORDS}
    shared = [(_vocabulary(grid) & asked, grid) for grid in grids]
    frequency = Counter(term for having, _ in shared for term in having)
    weighed = [
        (sum(math.log(1 + len(grids) / frequency[term]) for term in having), -number, grid)
        for number, (having, grid) in enumerate(shared)
        if having or with_others
    ]
    return [grid for *_, grid in sorted(weighed, key=lambda each: each[:2], reverse=True)[:_MOST_TABLES]]


def _vocabulary(grid: Grid) -> set[str]:
    heads = [term for head in grid.headers for term in head.value.words]
    return {
        *terms(f"{grid.title} {grid.caption}"),
        *heads,
        *(t for row in grid.rows for c in row for t in c.value.words),
    }


def _has_codes(text: str, grid: Grid) -> bool:
    """Whether all designations of the question ("TX-45", "bus 12") stand in the table or what heads it."""
    held = f"{grid.title} {grid.caption} " + " ".join(
        cell.words for cells in (grid.headers, *grid.rows) for cell in cells
    )
    has_numbers = set(_NUMBERED.findall(text)) <= set(re.findall(r"\d+", held))
    return has_numbers and all(code.casefold() in held.casefold() for code in _CODE.findall(text))


def _has_names(text: str, grid: Grid) -> bool:
    """Whether every name of the question stands on the table's page, or in what heads it, if spelt otherwise."""
    names = names_in(text)
    texts = " ".join((grid.text, *(page.text for page in grid.continued))) if names else ""
    held = {*_vocabulary(grid), *terms(texts)} if names else set()
    return all(get_close_matches(name, held, 1, CLOSE) for name in names - held)


def _is_of_report(grid: Grid) -> bool:
    """Whether its columns are periods and its numbers of a currency or scale: many such tables have the same words."""
    is_periodic = sum(bool(period_of_head(head.text)) for head in grid.headers) > 1
    return is_periodic and any(cell.scale > 1 or cell.unit in CURRENCIES for row in grid.rows for cell in row)


def _under_own_caption(grid: Grid) -> Grid:
    """The grid without the headings of the sections that it stands in, which say much that is not of it."""
    return replace(grid, caption=grid.caption.rpartition(" › ")[2])


def _names(figure: Sequence[str], grid: Grid) -> bool:
    """Whether a head or a cell has a name of a derived figure, which nothing else in a table tells."""
    names = [set(terms(name)) for name in figure]
    said = (
        *(head.value.words for head in grid.headers),
        *(c.value.words for row in grid.rows for c in row[:1]),
    )
    return any(name <= set(words) for words in said for name in names)


def share_said(text: str, grid: Grid, is_named: bool = False, known: frozenset[str] = frozenset()) -> float:
    """How many of the words that a question is about, but for those that are `known`, stand in the table or what heads
    it (0…1).

    Of a table that somebody named, what its rows are and what cells are held against need not be said there.
    """
    question = TableQuestion(text, known)
    codes = set(terms(" ".join(_CODE.findall(text))))
    content = question.content - frozenset[int]().union(*question.operators.values())
    if is_named:
        asked = question.focus if question.asks in ("which", "what") else frozenset[int]()
        rows = question.counted or frozenset(sorted(asked)[:1])
        unknown = {n for n in rows if not _is_known(question.words[n].term, grid)}
        others = content - unknown - frozenset[int]().union(*(bound.positions for bound in question.bounds))
        content = others or (frozenset() if _compares_by_head(question, grid) else content)
    terms_asked = [question.words[number].term for number in content]
    said = [_is_known(term, grid) for term in terms_asked if term not in codes | _OF_ANY_TABLE]
    return sum(said) / len(said) if said else 1.0


def _compares_by_head(question: TableQuestion, grid: Grid) -> bool:
    """Whether a word for the most, or the least, is like a head ("smallest" where there is "Area"), or a place in an
    order is asked for where there is one."""
    if any(bound.is_rank for bound in question.bounds) and any(column.is_rank for column in grid.columns):
        return True
    compared = {
        question.words[n].term for name in ("most", "least") for n in question.operators.get(name, ())
    }
    return any(
        alike(term, head) for term in compared for column in grid.columns for head in column.header_terms
    )


def _has_counted(text: str, grid: Grid) -> bool:
    """Whether the table knows what "how many" counts, or that is what any row may be: lakes are not municipalities."""
    question = TableQuestion(text)
    counted = [
        question.words[n].term for n in sorted(question.counted) if question.words[n].term not in _ANY_ROW
    ]
    return (
        len(counted) < len(question.counted) or any(_is_known(term, grid) for term in counted) or not counted
    )


def _is_known(term: str, grid: Grid) -> bool:
    heads = {word for head in grid.headers for word in head.value.words}
    return term in _vocabulary(grid) or any(alike(term, head) for head in heads)
