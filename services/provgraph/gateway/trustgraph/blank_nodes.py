"""Blank nodes of a load: told apart from IRIs, and named by what is said of them.

The client's parser gives them other names each time and sends these as IRIs, which they cannot be: they have no
scheme. Their own names would make another document of every load.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from provgraph.rdf.json_terms import JsonTerm, triple_from_json
from provgraph.rdf.terms import BlankNode, Quad, Term, Triple

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_BLANK_NAME: Final = re.compile(r"[A-Za-z0-9]+")
ROUNDS: Final = 8
"""How far apart two nodes may be told by their surroundings."""


def triple_with_blank_nodes(told: JsonTerm) -> Triple:
    """Raises `InvalidInput` for what is no triple."""
    return triple_from_json({place: _term(told.get(place)) for place in ("s", "p", "o")})


def steady_names(quads: Sequence[Quad]) -> list[Quad]:
    """The quads with blank nodes named by a hash of what is said of them, and of their neighbours, a few steps far.

    Nodes that even so look alike keep different names, in the order in which they came.
    """
    names: dict[Term, str] = {
        term: "" for quad in quads for term in (quad.subject, quad.object) if isinstance(term, BlankNode)
    }
    for _ in range(ROUNDS if names else 0):
        said: dict[Term, list[str]] = defaultdict(list)
        for quad in quads:
            subject, object_ = (_shown(term, names) for term in (quad.subject, quad.object))
            said[quad.subject].append(f"> {quad.predicate} {object_} {quad.graph_name}")
            said[quad.object].append(f"< {quad.predicate} {subject} {quad.graph_name}")
        names = {node: _hash(sorted(said[node])) for node in names}
    steady = _told_apart(names)
    return [
        Quad(
            steady.get(quad.subject, quad.subject),
            quad.predicate,
            steady.get(quad.object, quad.object),
            quad.graph_name,
        )
        for quad in quads
    ]


def _told_apart(names: dict[Term, str]) -> dict[Term, Any]:
    counts: dict[str, int] = defaultdict(int)
    steady: dict[Term, Any] = {}
    for node, name in names.items():
        steady[node] = BlankNode(f"b{name}n{counts[name]}")
        counts[name] += 1
    return steady


def _shown(term: Term, names: dict[Term, str]) -> str:
    return f"_:{names[term]}" if term in names else str(term)


def _hash(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:24]


def _term(told: Any) -> Any:
    """An IRI without a scheme is the name of a blank node."""
    match told:
        case {"t": "i", "i": str(name)} if not _SCHEME.match(name) and _BLANK_NAME.fullmatch(name):
            return {"t": "b", "d": name}
        case None:
            return {}
        case _:
            return told
