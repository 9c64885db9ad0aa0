"""A user's query read before it is run: that it only reads, over which graphs, and in which syntax; and the parser's
complaint about it, told at the place where the user wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from provgraph.errors import Forbidden, InvalidQuery, TooLarge
from provgraph.sparql.tokens import (
    QueryToken,
    declared_prefixes,
    line_and_column,
    resolved_iri,
    tokens,
    triple_terms,
)

_UPDATES: Final = (
    "INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH",
)  # fmt: skip
_PROLOGUE: Final = ("BASE", "PREFIX", "VERSION")
_SERVICE: Final = "SERVICE"
_OPERAND_KINDS: Final = ("iri", "string", "blank", "name", "variable", "language", "number", "word")


def refuse_updates(read: Sequence[QueryToken]) -> None:
    """Raise `Forbidden` when the first word after the prologue begins an update."""
    form = next((token for token in read if token.kind == "word" and not token.is_word(*_PROLOGUE)), None)
    if form is not None and form.is_word(*_UPDATES):
        raise Forbidden(
            f"{form.text.upper()} would change the store, and this endpoint only reads. "
            "Use SELECT, ASK, CONSTRUCT or DESCRIBE; change data by ingesting and importing."
        )


def refuse_service(text: str, read: Sequence[QueryToken]) -> None:
    """Raise `Forbidden` when the query calls another endpoint, or could."""
    if _SERVICE in text.upper() and (_calls_service(read) or _has_ambiguous_iri(read)):
        raise Forbidden(
            "SERVICE would make this endpoint send requests to another one, which it does not do. "
            "Query the other endpoint yourself and bring its results in with VALUES."
        )


def _calls_service(read: Sequence[QueryToken]) -> bool:
    for index, token in enumerate(read):
        if token.kind == "word" and _SERVICE in token.text.upper():
            return True
        if token.kind == "name" and _SERVICE in token.text.partition(":")[0].upper():
            opens_group = index + 1 < len(read) and read[index + 1].is_mark("{")
            names_graph = index > 0 and read[index - 1].is_word("GRAPH")
            if opens_group and not names_graph:
                return True
    return False


def _has_ambiguous_iri(read: Sequence[QueryToken]) -> bool:
    """Whether a "less than" may have been read as an IRI together with what changes the reading of the rest."""
    open_brackets: list[str] = []
    for previous, token in pairwise(read):
        if previous.is_mark("(", "[", "{"):
            open_brackets.append(previous.text)
        elif previous.is_mark(")", "]", "}") and open_brackets:
            open_brackets.pop()
        follows_operand = previous.kind in _OPERAND_KINDS or previous.is_mark(")", "]", ">>", ")>>")
        in_parentheses = bool(open_brackets) and open_brackets[-1] == "("
        if token.kind == "iri" and follows_operand and in_parentheses and _could_mislead(token.text):
            return True
    return False


def _could_mislead(text: str) -> bool:
    return any(character in text for character in "'#()[]") or _SERVICE in text.upper()


MAX_QUERY_CHARACTERS: Final = 200_000
_GAP: Final = " " * 32


@dataclass(frozen=True)
class SparqlQuery:
    """The tokens a user wrote, and the start positions of those that are read as a triple term's brackets.

    `default_graphs` and `named_graphs` are its FROM and FROM NAMED clauses.
    """

    tokens: tuple[QueryToken, ...]
    triple_terms: frozenset[int]
    default_graphs: tuple[str, ...]
    named_graphs: tuple[str, ...]

    @property
    def text(self) -> str:
        """What the user wrote."""
        return "".join(token.text for token in self.tokens)

    @property
    def engine_text(self) -> str:
        """The query for an engine that reads RDF 1.2 syntax."""
        return "".join(self._written(token) for token in self.tokens)

    @property
    def spaced_text(self) -> str:
        """The same query with wide gaps between its tokens, for `token_at`.

        The engine reports how far it looked ahead, not where it stopped; with gaps wider than its longest
        keyword it never looks as far as the next token.
        """
        return "".join(self._written(token) + _GAP for token in self.tokens if token.is_read)

    def token_at(self, position: int) -> QueryToken | None:
        """The token that a position in `spaced_text` belongs to; None after the last one."""
        end = 0
        for token in self.tokens:
            if token.is_read:
                end += len(self._written(token)) + len(_GAP)
                if position < end:
                    return token
        return None

    def line_and_column(self, token: QueryToken | None) -> tuple[int, int]:
        """Where the user wrote this token; the end of the query for None."""
        return line_and_column(self.text, len(self.text) if token is None else token.start)

    def _written(self, token: QueryToken) -> str:
        if token.start not in self.triple_terms:
            return token.text
        return "<<(" if token.text == "<<" else ")>>"


def read_query(text: str, *, star: bool = True) -> SparqlQuery:
    """Read a query of at most `MAX_QUERY_CHARACTERS`; `star=False` takes RDF 1.2 syntax as it is written.

    Raises `TooLarge`, `InvalidQuery` for text that is no SPARQL, `Forbidden` for updates and SERVICE.
    """
    if len(text) > MAX_QUERY_CHARACTERS:
        raise TooLarge(
            f"The query has {len(text)} characters, more than the {MAX_QUERY_CHARACTERS} that are read. "
            "Split it into several queries."
        )
    _refuse_unencodable(text)
    found = tuple(tokens(text))
    read = [token for token in found if token.is_read]
    refuse_updates(read)
    refuse_service(text, read)
    return SparqlQuery(found, triple_terms(read) if star else frozenset(), *_dataset_clauses(read))


def _refuse_unencodable(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        line, column = line_and_column(text, error.start)
        reason = (
            f"At line {line}, column {column}, half of a character stands alone. Send the query as UTF-8."
        )
        raise InvalidQuery(reason, line, column) from error


def _dataset_clauses(read: Sequence[QueryToken]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The graphs of FROM and of FROM NAMED, their prefixes resolved."""
    prefixes = declared_prefixes(read)
    default_graphs: list[str] = []
    named_graphs: list[str] = []
    for index, token in enumerate(read):
        before = read[max(index - 2, 0) : index]
        if (graph := resolved_iri(token, prefixes)) is None or not before:
            continue
        if before[-1].is_word("FROM"):
            default_graphs.append(graph)
        elif before[0].is_word("FROM") and before[-1].is_word("NAMED"):
            named_graphs.append(graph)
    return tuple(default_graphs), tuple(named_graphs)


_POSITION: Final = re.compile(r"error at (\d+):(\d+)")
_REASON: Final = re.compile(r"(?:The|Duplicated) [A-Za-z][^,\[]*")


def syntax_error(query: SparqlQuery, complaint: str) -> InvalidQuery:
    """The error for what the engine said (`error at LINE:COLUMN: expected …`) of `query.spaced_text`."""
    token = query.token_at(_offset(query.spaced_text, complaint))
    line, column = query.line_and_column(token)
    return InvalidQuery(f"At line {line}, column {column}: {_reason(token, complaint)}", line, column)


def _offset(text: str, complaint: str) -> int:
    match = _POSITION.search(complaint)
    if match is None:
        return len(text)
    line, column = int(match[1]), int(match[2])
    return sum(len(each) + 1 for each in text.split("\n")[: line - 1]) + column - 1


def _reason(token: QueryToken | None, complaint: str) -> str:
    stated = _REASON.search(complaint)
    if stated is not None:
        return f"{stated[0].strip()}. Correct this and send the query again."
    if token is None:
        return "the query ends too early. Look for a bracket that is not closed, or a part that is missing."
    shown = token.text if len(token.text) <= 60 else f"{token.text[:60]}…"
    if token.kind == "name" and "Prefix not found" in complaint:
        prefix = token.text.partition(":")[0]
        return f"the prefix of {shown} is not declared. Put PREFIX {prefix}: <…> at the beginning."
    if token.kind == "iri" and "IRI parsing failed" in complaint:
        return f"{shown} is not an absolute IRI. Write it in full, or put BASE <…> at the beginning."
    return f"{shown} cannot stand here. Look at what comes before it."
