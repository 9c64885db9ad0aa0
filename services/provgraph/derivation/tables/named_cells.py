"""Which rows and columns the words of a question name, where every word that a table knows has to be accounted for.

"How many pupils, girls and boys, did Elm School have in 2022?" names the row "Elm School" and the columns
"Pupils 2022 Girls" and "Pupils 2022 Boys". What a question asks to be computed is computed of such cells only: a word
that the table has and nothing accounts for is a condition that was dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from provgraph.derivation.tables.grid import Column, Grid
from provgraph.derivation.tables.item_names import names_in
from provgraph.derivation.tables.linking import Links, alike
from provgraph.derivation.tables.question_words import TableQuestion
from provgraph.derivation.tables.row_filters import NEGATED, RowFilters
from provgraph.derivation.tables.rows import Rows, TableStep, rows_text
from provgraph.language.terms import FUNCTION_WORDS, terms, terms_of_word

_DIGITS: Final = {
    term: str(number)
    for number, words in enumerate(
        (
            "zero", "one first", "two second", "three third", "four fourth", "five fifth", "six sixth", "seven seventh",
            "eight eighth", "nine ninth", "ten tenth",
        )
    )
    for word in words.split()
    for term in terms_of_word(word)
}  # fmt: skip
_UNITS: Final = {
    unit: tuple(terms(words))
    for unit, words in (
        ("km2", "square kilometre"), ("m2", "square metre"), ("ha", "hectare"), ("km", "kilometre"), ("m", "metre"),
        ("kg", "kilogram"), ("t", "tonne"), ("l", "litre"), ("h", "hour"), ("min", "minute"),
    )
}  # fmt: skip
"""Units as heads print them, and in words."""
_OF_TIME: Final = frozenset(terms("second minute hour"))
_LITTLE: Final = frozenset(terms("number amount value figure unit count total"))
"""Words of a head that a question need not say."""
_OF_ANY_ROW: Final = _LITTLE | frozenset(terms("item thing entry row"))
"""Words of a question that a table need not have."""
_PARTS: Final = tuple(
    frozenset(terms(group)) for group in ("girls boys", "women men", "female male", "adults children")
)
"""Heads that part a measure into two: both together are the whole of it."""
_LEADS: Final = frozenset(
    "the a an in of by for at on with without from between under over per than and or its their many much what "
    "which".split()
)
"""Words behind which a condition or a measure stands."""
_MOST_UNKNOWN: Final = 2
"""So many words that are neither names nor numbers, and that the table lacks, may be left: "work", "listed"."""
_MOSTLY: Final = 0.65
"""The share of a name's words that tells it, whatever their order."""


@dataclass(frozen=True)
class Measured:
    """A column with the words of the question that name it; `unmet` are words of its head that no word names."""

    column: Column
    positions: frozenset[int]
    unmet: frozenset[str]


class NamedCells:
    """The rows and columns of a grid that words of a question name."""

    def __init__(self, question: TableQuestion, grid: Grid) -> None:
        self.question, self.grid = question, grid
        self.links = Links(question, grid)
        self._filters = RowFilters(question, grid, self.links)

    @cached_property
    def row_sets(self) -> list[Rows]:
        """The sets of rows that words tell, those by which most words are accounted for first; without every row."""
        told = (rows for rows in self._filters.filtered()[1:] if self._is_named(rows))
        found = [*told, *self._scattered]
        return sorted(found, key=lambda rows: -len(rows.covered))

    def _is_named(self, rows: Rows) -> bool:
        """Whether a single row that is told by its name is told by most of it, or by a name or number in it: "expense"
        is not enough for "Prepaid expenses"."""
        column = self.grid.name_column
        if column is None or len(rows.numbers) != 1 or column not in rows.columns:
            return True
        own = self.grid.cell(rows.numbers[0], column).value.words
        words = [self.question.words[n] for n in rows.covered if self.question.words[n].term in own]
        is_proper = any(not word.text[0].islower() for word in words)
        return is_proper or len({word.term for word in words}) >= _MOSTLY * len(set(own))

    def words_beside(self, rows: Rows) -> frozenset[int]:
        """The words that tell something and do not account for these rows, those of the title among them."""
        telling = {n for n, word in enumerate(self.question.words) if word.is_content}
        return frozenset(telling - rows.covered)

    @property
    def all_rows(self) -> Rows:
        return self._filters.all_rows()

    @cached_property
    def _scattered(self) -> list[Rows]:
        """The row whose name stands in the question in another order: "foam sleeping mats" of "Sleeping mat, foam"."""
        found = self.named_by(frozenset(range(len(self.question.words))))
        return [found] if found is not None else []

    def named_by(self, within: Iterable[int]) -> Rows | None:
        """The only row whose name has most words in common with these words of the question."""
        column = self.grid.name_column
        if column is None:
            return None
        by_term: dict[str, int] = {}
        for n in sorted(within):
            by_term.setdefault(self.question.words[n].term, n)
        shares = {
            n: sum(term in by_term for term in words) / len(words)
            for n, row in enumerate(self.grid.rows)
            if (words := row[column].value.words)
        }
        best = max(shares.values(), default=0.0)
        rows = [n for n, share in shares.items() if share == best]
        if len(rows) != 1 or best < _MOSTLY:
            return None
        cell = self.grid.cell(rows[0], column)
        covered = frozenset(by_term[term] for term in cell.value.words if term in by_term)
        if not any(self.question.words[n].is_content for n in covered):
            return None
        step = TableStep("filter rows", f"{rows_text(1)} is of “{cell.words}”.", "1", ((rows[0], column),))
        return Rows((rows[0],), (step,), covered, columns=frozenset({column}))

    def measured(self, free: Iterable[int], fits: Callable[[Column], bool] | None = None) -> list[Measured]:
        """The columns that these words name, the whole of whose heads they say; none that says less of the same than
        another. They are of numbers, or those that `fits` lets through."""
        columns = (column for column in self.grid.columns if (fits or is_numeric)(column))
        found = [
            each for each in (self._measured(c, frozenset(free)) for c in columns) if self._says_what(each)
        ]
        whole = [each for each in found if each.positions and not each.unmet]
        most = [each for each in whole if not any(each.positions < other.positions for other in whole)]
        return most or self._parted([each for each in found if each.positions])

    def _says_what(self, measured: Measured) -> bool:
        """Whether words name what a column measures and not its year alone."""
        has_words = any(term.isalpha() for term in terms(measured.column.header))
        return not has_words or any(not self._is_number(n) for n in measured.positions)

    def in_unit(self, free: frozenset[int]) -> list[Measured]:
        """The only column whose head has the unit that these words begin with: "square kilometre" of "Area (km²)"."""
        words = [self.question.words[n].term for n in sorted(free)]
        for unit, spelt in _UNITS.items():
            if tuple(words[: len(spelt)]) != spelt:
                continue
            columns = [
                c for c in self.grid.columns if is_numeric(c) and unit in terms(c.header.partition("(")[2])
            ]
            positions = frozenset(sorted(free)[: len(spelt)])
            return (
                [Measured(column, positions, frozenset()) for column in columns] if len(columns) == 1 else []
            )
        return []

    def _parted(self, found: Sequence[Measured]) -> list[Measured]:
        """The two columns that are a measure together: "Pupils Girls" and "Pupils Boys" of "pupils"."""
        parts = [
            each for each in found if len(each.unmet) == 1 and any(each.unmet <= pair for pair in _PARTS)
        ]
        most = max((len(each.positions) for each in parts), default=0)
        both = [each for each in parts if len(each.positions) == most]
        is_whole = len(both) == 2 and any(both[0].unmet | both[1].unmet == pair for pair in _PARTS)
        return both if is_whole else []

    def _measured(self, column: Column, free: frozenset[int]) -> Measured:
        met, unmet = set[int](), set[str]()
        bare = column.header.partition("(")[0] if column.header.rstrip().endswith(")") else column.header
        for term in (term for term in terms(bare or column.header) if term not in FUNCTION_WORDS):
            own = {n for n in free if self.likeness(n, term)}
            met |= own
            if not own and term not in _LITTLE:
                unmet.add(term)
        spelt = {word for term in terms(column.header.partition("(")[2]) for word in _UNITS.get(term, ())}
        met |= {n for n in free if self.question.words[n].term in spelt}
        return Measured(column, frozenset(met), frozenset(unmet))

    def likeness(self, number: int, term: str) -> float:
        """How far a word of the question means a word of a head; "fourth" and "four" mean "4"."""
        word = self.question.words[number]
        if not word.is_content:
            return 0.0
        is_time = term == "time" and word.term in _OF_TIME
        return 1.0 if is_time or _DIGITS.get(word.term) == term else alike(word.term, term)

    def is_accounted(self, covered: frozenset[int], operation: frozenset[int] = frozenset()) -> bool:
        """Whether all that a question says is accounted for: what is left is no name, number or word of the table."""
        left = self.question.content - covered - operation - self.row_nouns
        left -= {n for n in left if self.question.words[n].term in _UNITS and n and self._is_number(n - 1)}
        left -= {
            n for n in left if _DIGITS.get(self.question.words[n].term) == str(len(self.all_rows.numbers))
        }
        left -= {n for n in left if self.question.words[n].term in _OF_ANY_ROW}
        words = [self.question.words[n] for n in left]
        names = names_in(self.question.text) - self.question.known
        return (
            len(left) <= _MOST_UNKNOWN
            and not any(self._tells_more(n) for n in left)
            and not any(word.text[0].isdigit() or word.term in names | self._vocabulary for word in words)
            and not any(link.score == 1 and link.positions & left for link in self.links.values)
            and not any(link.positions <= self._known - covered for link in self.links.values)
        )

    def _is_number(self, number: int) -> bool:
        return self.question.words[number].text[0].isdigit()

    def _tells_more(self, number: int) -> bool:
        """Whether a word stands as a condition does: behind an article or preposition, or before what rows are, as
        "wooden" of "wooden bridges". A verb does not: "that cross the river"."""
        before = self.question.words[number - 1].text.casefold() if number else ""
        return before in _LEADS or (number + 1 in self.row_nouns and before not in ("who", "that", "to"))

    @cached_property
    def _known(self) -> frozenset[int]:
        """The words that the title or caption has: a link over them is of a value beside its column's head."""
        words = enumerate(self.question.words)
        return frozenset(n for n, word in words if word.is_content and word.term in self.question.known)

    @cached_property
    def row_nouns(self) -> frozenset[int]:
        """The words that say what the rows are, by the head over their names or by all of their names."""
        column = self.grid.name_column or 0
        names = [set(row[column].value.words) for row in self.grid.rows]
        common = set.union(*names) if names else set()
        often = {term for term in common if 3 * sum(term in name for name in names) > len(names)}
        heads = set(self.grid.columns[column].header_terms)
        return frozenset(
            n
            for n, word in enumerate(self.question.words)
            if word.term in often or any(alike(word.term, head) for head in heads)
        )

    @cached_property
    def _vocabulary(self) -> set[str]:
        """The words of heads, and of cells that tell of what sort a row is; one of some row's name may be any verb."""
        sorts = [c for c in self.grid.columns if c.kind == "text" and c.index != self.grid.name_column]
        heads = {term for head in self.grid.headers for term in head.value.words}
        return heads | {term for column in sorts for cell in column.cells for term in cell.value.words}

    def kept(self, rows: Rows) -> bool:
        """Whether rows take out what the question takes out, and no more."""
        return bool(rows.features.get(NEGATED)) == ("not" in self.question.operators)


def is_numeric(column: Column) -> bool:
    """Whether the numbers of a column can be added, or held against each other."""
    return column.kind == "number" and not column.is_mixed and not column.is_rank
