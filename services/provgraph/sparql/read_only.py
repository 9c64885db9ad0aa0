"""Whether a query only reads, decided by its tokens before an engine sees it.

SPARQL says that keywords are tokens, but the engine takes `SERVICEex:endpoint` for SERVICE and a name; and what
looks like an IRI after an operand in parentheses may be a "less than", behind which strings and comments lie
elsewhere than they seem. Where such a reading could hide a SERVICE, the query is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from provgraph.errors import Forbidden
from provgraph.sparql.tokens import QueryToken

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
