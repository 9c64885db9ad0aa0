"""The parser's complaint about a query, told at the place where the user wrote it."""

from __future__ import annotations

import re
from typing import Final

from provgraph.errors import InvalidQuery
from provgraph.sparql.query import SparqlQuery
from provgraph.sparql.tokens import QueryToken

_POSITION: Final = re.compile(r"error at (\d+):(\d+)")
_REASON: Final = re.compile(r"(?:The|Duplicated) [A-Za-z][^,\[]*")


def syntax_error(query: SparqlQuery, complaint: str) -> InvalidQuery:
    """The error for what the engine said (`error at LINE:COLUMN: expected …`) of `query.spaced_text`."""
    token = query.token_at(_offset(query.spaced_text, complaint))
    line, column = query.line_and_column(token)
    return InvalidQuery(f"At line {line}, column {column}: {_reason(token, complaint)}", line, column)


def _offset(text: str, complaint: str) -> int:
    found = _POSITION.search(complaint)
    if found is None:
        return len(text)
    line, column = int(found[1]), int(found[2])
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
