"""SPARQL 1.2 text as tokens (SPARQL 1.2 Query, section 19.8, terminals), for reading a query without parsing it.

The tokens of a text, joined, are the text. Every repetition is possessive or cannot fail, and an alternative that
fails after a long reading is followed by one that reads as far, so the time is linear in the text whatever it says.
Hence a word runs over dots as the prefix of a name does: `true.FILTER` is one word. Possessive repetitions look ahead
before they take anything: up to CPython 3.11.4 one that fails half-way keeps what it had read (python/cpython#101955).

SPARQL-star's `<< s p o >>` read as RDF 1.2's triple term `<<( s p o )>>`, where it quotes an edge.

TrustGraph's documents write `?subgraph tg:contains << ?s ?p ?o >>`. In SPARQL 1.2 that is a reifier and finds
nothing. It is understood as a triple term where it is an object of `tg:contains`, `tg:edge` or
`tg:candidateEdge` (by prefixed name or IRI, alone or in a list, also as the last step of a path), and inside such
a term; everywhere else, and with an explicit reifier (`~`), it keeps its RDF 1.2 meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from provgraph.errors import InvalidQuery
from provgraph.rdf.vocabulary import PREFIXES, TG

_BASE: Final = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_CHAR: Final = _BASE + "_0-9\u00b7\u0300-\u036f\u203f-\u2040\\-"
_DOTTED: Final = rf"(?:(?=\.++[{_CHAR}])\.++[{_CHAR}]++)*+"
_PREFIX: Final = rf"[{_BASE}][{_CHAR}]*+{_DOTTED}"
_ESCAPE: Final = r"(?=%[0-9A-Fa-f]{2}).{3}|(?=\\[_~.!$&'()*+,;=/?#@%-]).{2}"
_LOCAL: Final = f"(?:[{_CHAR}:]|{_ESCAPE})"
_LOCAL_NAME: Final = rf"(?:(?:[{_BASE}_:0-9]|{_ESCAPE}){_LOCAL}*+(?:\.+{_LOCAL}+)*)?"
_UNICODE: Final = r"(?=\\u[0-9A-Fa-f]{4}).{6}|(?=\\U[0-9A-Fa-f]{8}).{10}"
_NUMBERED: Final = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U000([0-9A-Fa-f]{5})")

_PATTERNS: Final = {
    "space": r"[ \t\r\n]++",
    "comment": r"#[^\r\n]*+",
    "iri": rf'<(?:[^\x00-\x20<>"{{}}|^`\\]|{_UNICODE})*+>',
    "string": (
        r"'''(?>'{0,2}+(?:[^'\\]|\\.))*+'''"
        r'|"""(?>"{0,2}+(?:[^"\\]|\\.))*+"""'
        r"|'(?:[^'\\\r\n]|\\.)*+'"
        r'|"(?:[^"\\\r\n]|\\.)*+"'
    ),
    "blank": rf"_:[{_BASE}_0-9][{_CHAR}]*+{_DOTTED}",
    "name": rf"(?:{_PREFIX})?:{_LOCAL_NAME}",
    "variable": rf"[?$][{_BASE}_0-9\u00b7\u0300-\u036f\u203f-\u2040]++",
    "language": r"@[A-Za-z]+(?:-{1,2}[A-Za-z0-9]+)*",
    "number": r"[+-]?(?:[0-9]++(?:\.[0-9]++)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?",
    "word": _PREFIX,
    "mark": r"<<\(|\)>>|<<|>>|\{\||\|\}|\^\^|&&|\|\||!=|<=|>=|[{}()\[\];,.*/+\-|^?!=<>~]",
}


@cache
def _token() -> re.Pattern[str]:
    """Made when the first query is read: it takes 0.1 s, which a start that reads none need not wait for."""
    return re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _PATTERNS.items()), re.DOTALL)


@dataclass(frozen=True, slots=True)
class QueryToken:
    """`kind` is one of space, comment, iri, string, blank, name, variable, language, number, word, mark."""

    kind: str
    text: str
    start: int

    @property
    def is_read(self) -> bool:
        """Whether the grammar sees it: not a space, not a comment."""
        return self.kind not in ("space", "comment")

    def is_word(self, *keywords: str) -> bool:
        return self.kind == "word" and self.text.upper() in keywords

    def is_mark(self, *marks: str) -> bool:
        return self.kind == "mark" and self.text in marks


def tokens(text: str) -> list[QueryToken]:
    """All tokens of the text, in order; raises `InvalidQuery` at the first character that begins none."""
    query_tokens: list[QueryToken] = []
    position = 0
    token = _token()
    while position < len(text):
        match = token.match(text, position)
        if match is None:
            raise _no_token(text, position)
        query_tokens.append(QueryToken(match.lastgroup or "", match[0], position))
        position = match.end()
    return query_tokens


def line_and_column(text: str, position: int) -> tuple[int, int]:
    """Where a position in the text is, both from 1; a column is one character."""
    before = text[:position].replace("\r\n", "\n")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _no_token(text: str, position: int) -> InvalidQuery:
    line, column = line_and_column(text, position)
    character = text[position]
    reason = (
        "a string begins that does not end. Close it with the same quotation mark"
        if character in "'\""
        else f"{character!r} does not belong to SPARQL. Take it out or put it into a string"
    )
    return InvalidQuery(f"At line {line}, column {column}, {reason}.", line, column)


QUOTING: Final = frozenset(node.value for node in (TG.contains, TG.edge, TG.candidate_edge, TG.similarity))
"""The predicates whose objects are quoted edges."""

_CLOSING: Final = {"{": "}", "(": ")", "[": "]", "{|": "|}", "<<": ">>", "<<(": ")>>"}
_OPENING: Final = {closing: opening for opening, closing in _CLOSING.items()}


def resolved_iri(token: QueryToken, prefixes: dict[str, str]) -> str | None:
    """The IRI that a token writes, in full or by a prefix that is known; None for any other token."""
    if token.kind == "iri":
        return token.text[1:-1]
    prefix, _, local = token.text.partition(":")
    if token.kind == "name" and prefix in prefixes:
        return prefixes[prefix] + local
    return None


def unescaped(iri: str) -> str:
    """The IRI that an engine reads where a query writes some of its characters by number."""
    return _NUMBERED.sub(lambda match: chr(int(match[1] or match[2], 16)), iri)


def declared_prefixes(read: Sequence[QueryToken]) -> dict[str, str]:
    """The prefixes that the query declares, over the defaults that need no declaration."""
    prefixes = dict(PREFIXES)
    for keyword, name, iri in zip(read, read[1:], read[2:], strict=False):
        if keyword.is_word("PREFIX") and name.kind == "name" and iri.kind == "iri":
            prefixes[name.text[:-1]] = iri.text[1:-1]
    return prefixes


def triple_terms(read: Sequence[QueryToken]) -> frozenset[int]:
    """Start positions of the `<<` and `>>` that are to be read as `<<(` and `)>>`.

    `read` are the tokens that the grammar sees. Brackets that do not match give the empty set: such a text is
    no query, and its error is the parser's to tell.
    """
    reader = _StarReader(read, declared_prefixes(read))
    try:
        return frozenset(reader.positions())
    except _Unbalanced:
        return frozenset()


class _Unbalanced(Exception):
    pass


@dataclass
class _Bracket:
    """An open bracket: where it began, and what is known of the object list in it that is being read."""

    opened_by: str
    index: int
    quotes: bool = False
    list_quotes: bool = False
    reifier: bool = False


class _StarReader:
    """One pass over the tokens with a stack of brackets; `_term_start` finds an object from its last token."""

    def __init__(self, read: Sequence[QueryToken], prefixes: dict[str, str]) -> None:
        self._read = read
        self._prefixes = prefixes
        self._stack = [_Bracket("", -1)]
        self._opened: dict[int, int] = {}

    def positions(self) -> Iterator[int]:
        for index, token in enumerate(self._read):
            if token.kind != "mark":
                continue
            if token.text in _CLOSING:
                self._stack.append(
                    _Bracket(token.text, index, token.text == "<<" and self._quotes_an_edge(index))
                )
            elif token.text in _OPENING:
                closed = self._close(token, index)
                if closed.quotes and not closed.reifier:
                    yield self._read[closed.index].start
                    yield token.start
            elif token.text == ",":
                self._read_comma(index)
            elif token.text == "~":
                self._stack[-1].reifier = True

    def _close(self, token: QueryToken, index: int) -> _Bracket:
        bracket = self._stack.pop()
        if bracket.opened_by != _OPENING[token.text]:
            raise _Unbalanced
        self._opened[index] = bracket.index
        return bracket

    def _quotes_an_edge(self, index: int) -> bool:
        """Whether the `<<` at this index begins an edge: by its verb, its list, or the edge it lies in."""
        enclosing = self._stack[-1]
        if enclosing.quotes or self._is_quoting_verb(index - 1):
            return True
        return index > 0 and self._read[index - 1].is_mark(",") and enclosing.list_quotes

    def _read_comma(self, index: int) -> None:
        """A list's first comma tells its verb: what stands before the object that the comma follows."""
        before = self._term_start(index - 1) - 1
        if before < 0 or not self._read[before].is_mark(","):
            self._stack[-1].list_quotes = self._is_quoting_verb(before)

    def _is_quoting_verb(self, index: int) -> bool:
        if index < 0 or resolved_iri(self._read[index], self._prefixes) not in QUOTING:
            return False
        return index == 0 or not self._read[index - 1].is_mark("^", "!")

    def _term_start(self, index: int) -> int:
        """Where the object begins whose last token, annotations included, is at this index."""
        while index > 0:
            token, previous = self._read[index], self._read[index - 1]
            if token.is_mark(",", ";", "."):
                break
            if token.is_mark("|}"):
                index = self._opened[index] - 1
            elif previous.is_mark("~", "^^"):
                index -= 2
            elif token.is_mark("~") or token.kind == "language":
                index -= 1
            else:
                return self._opened.get(index, index)
        return max(index, 0)
