"""SPARQL-star's `<< s p o >>` read as RDF 1.2's triple term `<<( s p o )>>`, where it quotes an edge.

TrustGraph's documents write `?subgraph tg:contains << ?s ?p ?o >>`. In SPARQL 1.2 that is a reifier and finds
nothing. It is understood as a triple term where it is an object of `tg:contains`, `tg:edge` or
`tg:candidateEdge` (by prefixed name or IRI, alone or in a list, also as the last step of a path), and inside such
a term; everywhere else, and with an explicit reifier (`~`), it keeps its RDF 1.2 meaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.rdf.vocabulary import PREFIXES, TG
from provgraph.sparql.tokens import QueryToken

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
