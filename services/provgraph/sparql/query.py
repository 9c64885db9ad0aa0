"""A user's query read before it is run: that it only reads, over which graphs, and in which syntax."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.errors import InvalidQuery, TooLarge
from provgraph.sparql.read_only import refuse_service, refuse_updates
from provgraph.sparql.star_syntax import declared_prefixes, resolved_iri, triple_terms
from provgraph.sparql.tokens import QueryToken, line_and_column, tokens

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
