"""SPARQL 1.2 text as tokens (SPARQL 1.2 Query, section 19.8, terminals), for reading a query without parsing it.

The tokens of a text, joined, are the text. Every repetition is possessive or cannot fail, and an alternative that
fails after a long reading is followed by one that reads as far, so the time is linear in the text whatever it says.
Hence a word runs over dots as the prefix of a name does: `true.FILTER` is one word. Possessive repetitions look ahead
before they take anything: up to CPython 3.11.4 one that fails half-way keeps what it had read (python/cpython#101955).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from provgraph.errors import InvalidQuery

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
    found: list[QueryToken] = []
    position = 0
    token = _token()
    while position < len(text):
        match = token.match(text, position)
        if match is None:
            raise _no_token(text, position)
        found.append(QueryToken(match.lastgroup or "", match[0], position))
        position = match.end()
    return found


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
