"""The words of a question linked to what a table holds: its headers and its cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from typing import Final

from provgraph.derivation.tables.grid import Column, Grid
from provgraph.derivation.tables.question_words import TableQuestion
from provgraph.language.terms import FUNCTION_WORDS, terms

_ALIKE: Final = tuple(
    frozenset(term for word in group.split() for term in terms(word))
    for group in (
        "country nation nationality nationalities state",
        "name person player who people athlete candidate member employee worker staff",
        "year season date when time day",
        "venue location place where city site stadium town located held office address base based hall "
        "room building stadium ground arena theatre shelf warehouse",
        "score result outcome",
        "points pts",
        "number no # num",
        "team club side franchise squad",
        "position rank place finish finished standing placed ranking",
        "title film movie song album book show work",
        "gross earnings revenue turnover money income grossed earned sales made",
        "prize money award pay paid",
        "distance length long short km kilometers kilometres",
        "height tall high low short elevation altitude",
        "population people inhabitants populous residents populated live living",
        "area size large big small capacity",
        "duration length time long",
        "attendance crowd attended spectators fans",
        "competition tournament event championship contest",
        "visitors visited visit visits visitor",
        "opponent against versus played vs",
        "win wins won victory victories winner champion",
        "loss losses lost defeat defeats",
        "cost costs price fee expensive cheap cheaper cheapest charge charged priced",
        "director directed",
        "party political affiliation",
        "language spoken",
        "age old young born birth",
        "weight heavy light weigh weighs mass",
        "speed fast slow",
        "depth deep shallow",
        "width wide narrow broad",
        "temperature hot cold warm cool",
        "salary wage pay paid earn earns income",
        "source rise rises spring origin",
        "mouth end ends flow flows empties",
        "item product article good goods",
        "supplier supplied supplies supply vendor seller",
        "percentage percent % share",
        "goals scored goal",
        "appearances apps played matches games caps",
        "episode ep",
        "role character",
        "author writer written wrote",
        "artist singer performer sung performed",
        "born birth",
        "died death",
        "votes vote",
        "medal medals",
        "departs depart departure leave leaves leaving left start starts",
        "arrives arrive arrival reach reaches",
        "joined join joins member since start started hired",
        "conceded concede against",
        "odometer mileage miles",
        "employees headcount staff workforce personnel",
        "closed closure closures close",
        "opened opening openings open",
        "year yearly annual annually",
        "month monthly",
        "built construction constructed completed completion",
        "change changed growth grow grew increase decrease rise",
    )
)


_OF_ANYTHING: Final = frozenset(terms("large big small high low great short long"))
_AUXILIARIES: Final = frozenset("been be being yet".split())
"""Words between a "not" and what is not: "have not been started" of "Not started"."""
_LETTERS: Final = frozenset("wldtn")
_OUTCOMES: Final = {
    "w": frozenset(
        term for word in "win wins won winning victory victories beat".split() for term in terms(word)
    ),
    "l": frozenset(
        term for word in "lose lost loses loss losses defeat defeats defeated".split() for term in terms(word)
    ),
    "d": frozenset(term for word in "draw draws drew drawn".split() for term in terms(word)),
    "t": frozenset(term for word in "tie ties tied".split() for term in terms(word)),
}
_MOSTLY: Final = 0.7
_MOST_TERMS: Final = 3000
_LONG_WORD: Final = 5
CLOSE: Final = 0.83
_FEWEST: Final = 3
"""Letters of a short form at the least."""


@dataclass(frozen=True)
class HeaderLink:
    """`score` (0…1) is the share of the header's words that the question has at `positions`; `akin` are all words that
    are like one of them."""

    column: int
    positions: frozenset[int]
    score: float
    akin: frozenset[int] = frozenset()


@dataclass(frozen=True)
class ValueLink:
    """Words of the question that cells of a column hold. `score` is the share of the cell's words that they are, of
    the cell they fill best."""

    column: int
    rows: frozenset[int]
    positions: frozenset[int]
    score: float
    text: str


def alike(one: str, other: str) -> float:
    """How far two terms mean the same head: 1 for the same, less for a word of the same group or beginning."""
    if one == other:
        return 1.0
    ones = _forms(one)
    if any(not group.isdisjoint(ones) and other in group for group in _ALIKE):
        return 0.6
    short, long = sorted((one, other), key=len)
    return 0.6 if len(short) >= 4 and long.startswith(short) else 0.0


def measures_of(term: str) -> bool:
    """Whether a comparing word tells what it measures: "oldest" an age, "largest" nothing in particular."""
    forms = _forms(term) - {term}
    return not forms & _OF_ANYTHING and any(forms & group for group in _ALIKE)


@cache
def _forms(term: str) -> frozenset[str]:
    """A term, and what it compares: "lightest" is of "light", "bigger" of "big", "heaviest" of "heavy"."""
    ending = next((each for each in ("est", "er") if term.endswith(each) and len(term) >= len(each) + 3), "")
    bare = term.removesuffix(ending) if ending else ""
    once = bare[:-1] if bare[-1:] == bare[-2:-1] else ""
    return frozenset(filter(None, (term, bare, once)))


class Links:
    """All links between a question and a grid."""

    def __init__(self, question: TableQuestion, grid: Grid) -> None:
        self.question = question
        self.grid = grid

    @cached_property
    def headers(self) -> dict[int, HeaderLink]:
        """By column, the link of its header, where there is one."""
        links = (self._header(column) for column in self.grid.columns)
        return {link.column: link for link in links if link is not None}

    def _header(self, column: Column) -> HeaderLink | None:
        total, positions, akin = 0.0, set[int](), set[int]()
        for term in column.header_terms:
            if spelt := self._spelt_out(term, column.header):
                total += 1.0
                positions |= spelt
                akin |= spelt
                continue
            best, where = 0.0, -1
            for number, word in enumerate(self.question.words):
                if word.is_content or word.text.casefold() in ("who", "when", "where", "name"):
                    likeness = alike(self._term(number), term)
                    if likeness:
                        akin.add(number)
                    if likeness > best:
                        best, where = likeness, number
            if best:
                total += best
                positions.add(where)
        if not positions:
            return None
        return HeaderLink(
            column.index, frozenset(positions), total / len(column.header_terms), frozenset(akin)
        )

    def _spelt_out(self, term: str, header: str) -> frozenset[int]:
        """The words of which a head has the first letters: "like-for-like" of "LFL growth"."""
        if (
            not any(word.isupper() and word.casefold() == term for word in header.split())
            or len(term) < _FEWEST
        ):
            return frozenset()
        first = "".join(word.text[0].casefold() for word in self.question.words)
        at = first.find(term)
        return frozenset(range(at, at + len(term))) if at >= 0 else frozenset()

    @cached_property
    def values(self) -> tuple[ValueLink, ...]:
        """The longest runs of words that cells hold, by column; of one only where the word before them names it."""
        return tuple(
            value_link for value_link in self._found if self._led_by(value_link) in (None, value_link.column)
        )

    @cached_property
    def _found(self) -> list[ValueLink]:
        return [link for column in self.grid.columns for link in self._values_of(column)]

    @cached_property
    def led(self) -> frozenset[int]:
        """The positions of values that are meant for one column by the word before them: no program leaves them out."""
        return frozenset(
            n
            for value_link in self._found
            if self._led_by(value_link) is not None
            for n in value_link.positions
        )

    def _led_by(self, link: ValueLink) -> int | None:
        """The column that the word before a value is the head of: "From" of "from Oslo"; None where there is none."""
        start = min(link.positions)
        before = self.question.words[start - 1].text.casefold() if start else ""
        if before not in FUNCTION_WORDS:
            return None
        heads = (column.index for column in self.grid.columns if column.header.strip().casefold() == before)
        return next(heads, None)

    def _outcomes(self, column: Column, postings: dict[str, set[int]]) -> Iterator[ValueLink]:
        """Words for a win, loss or draw, where the column says so by letters."""
        filled = [cell.value.words[0] for cell in column.cells if cell.value.words]
        if sum(first in _LETTERS for first in filled) < _MOSTLY * max(1, len(filled)) or len(set(filled)) < 2:
            return
        for number, word in enumerate(self.question.words):
            letter = next((letter for letter, said in _OUTCOMES.items() if word.term in said), "")
            rows = frozenset(n for n in postings.get(letter, ()) if column.cells[n].value.words[0] == letter)
            if rows:
                yield ValueLink(column.index, rows, frozenset({number}), 1.0, word.text)

    @cached_property
    def respelled(self) -> dict[int, str]:
        """By position, the term of the table that a word hardly differs from, where the word itself is not there."""
        held = {term for column in self.grid.columns for cell in column.cells for term in cell.value.words}
        held |= {term for column in self.grid.columns for term in column.header_terms}
        if len(held) > _MOST_TERMS:
            return {}
        found = {}
        for number in self.question.content:
            word = self.question.words[number]
            known = word.term in held or any(word.term in group for group in _ALIKE)
            if not known and len(word.term) >= _LONG_WORD and word.text.isalpha():
                close = get_close_matches(word.term, held, 1, CLOSE)
                if close:
                    found[number] = close[0]
        return found

    def _term(self, number: int) -> str:
        return self.respelled.get(number, self.question.words[number].term)

    def _values_of(self, column: Column) -> list[ValueLink]:
        postings: dict[str, set[int]] = defaultdict(set)
        for number, cell in enumerate(column.cells):
            for term in cell.value.words:
                postings[term].add(number)
        links: list[ValueLink] = list(self._outcomes(column, postings))
        words = self.question.words
        for start in range(len(words)):
            rows: set[int] | None = None
            best: tuple[int, frozenset[int]] | None = None
            for end in range(start + 1, min(start + 12, len(words)) + 1):
                if end - 1 > start and words[end - 1].text.casefold() in _AUXILIARIES:
                    continue
                having = postings.get(self._term(end - 1))
                rows = (rows & having if rows is not None else set(having)) if having else set()
                run = self._run(start, end)
                rows = {row for row in rows if _holds(column.cells[row].value.words, run)}
                if not rows:
                    break
                best = (end, frozenset(rows))
            if best and not any(set(range(start, best[0])) <= link.positions for link in links):
                link = self._link(column, start, *best)
                if link is not None:
                    links.append(link)
        return links

    def _run(self, start: int, end: int) -> tuple[str, ...]:
        """The terms of some words, without the auxiliaries between them."""
        words = self.question.words
        return tuple(
            self._term(n)
            for n in range(start, end)
            if n == start or words[n].text.casefold() not in _AUXILIARIES
        )

    def _link(self, column: Column, start: int, end: int, rows: frozenset[int]) -> ValueLink | None:
        words = self.question.words[start:end]
        is_known = all(
            word.text.casefold() in FUNCTION_WORDS or word.term in self.question.known for word in words
        )
        if is_known and not self._stands_by_head(column, start, end):
            return None
        if self._says_what_to_do(start, end):
            return None
        run = self._run(start, end)
        whole = {row: len(run) / len(column.cells[row].value.words) for row in rows}
        best = max(whole.values())
        if is_known and best < 1:
            return None
        if column.kind != "text" and best < 1 and len(words) == 1 and not words[0].text.isalpha():
            return None
        if best == 1:
            exact = frozenset(row for row, share in whole.items() if share == 1)
            rows = exact if len(words) > 1 or words[0].text[0].isdigit() else rows
        text = self.question.text[words[0].start : words[-1].end]
        return ValueLink(column.index, rows, frozenset(range(start, end)), best, text)

    def _stands_by_head(self, column: Column, start: int, end: int) -> bool:
        """Whether the word before or behind a value is of its column's head: "the Corrin depot" below "Depot",
        though the table's title has "Corrin" too."""
        beside = [self._term(n) for n in (start - 1, end) if 0 <= n < len(self.question.words)]
        is_content = any(word.is_content for word in self.question.words[start:end])
        return is_content and bool(set(beside) & set(column.header_terms))

    def _says_what_to_do(self, start: int, end: int) -> bool:
        """Whether the words are no value: "total" of a sum, and "year" of "which year" where a head is called so."""
        if frozenset(range(start, end)) <= self.question.operators.get("sum", frozenset()):
            return True
        before = self.question.words[start - 1].text.casefold() if start else ""
        heads = {term for column in self.grid.columns for term in column.header_terms}
        return end == start + 1 and before in ("which", "what") and self._term(start) in heads


def _holds(words: tuple[str, ...], run: tuple[str, ...]) -> bool:
    return any(words[at : at + len(run)] == run for at in range(len(words) - len(run) + 1))
