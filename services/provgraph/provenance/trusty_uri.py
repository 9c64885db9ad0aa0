"""Names that prove what they name: a hash of RDF statements in their own IRIs (trusty URIs, module RA).

    <urn:trustgraph:nanopub:RAcbjcRIQozo2wBMq4WcCYkFAjRz0AX-Ux3PquZZrC68s>

(T. Kuhn and M. Dumontier: Trusty URIs. ESWC 2014; https://github.com/trustyuri/trustyuri-spec, version 1.) Whoever has
the statements can count the hash again: one character more or less in them, and it is another name.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

from provgraph.rdf.terms import DefaultGraph, Literal, NamedNode, Quad, Term, named

UNNAMED: Final = "RA" + "0" * 43
"""Stands for the code in statements that have none yet."""


def named_by_content(quads: Iterable[Quad]) -> list[Quad]:
    """The statements with their code in the place of `UNNAMED`, in every IRI. No blank nodes and no triple terms.

    Raises `TypeError` for these: a hash of them would need a canonical form.
    """
    unnamed = list(dict.fromkeys(quads))
    code = artifact_code(unnamed, UNNAMED)
    return [
        Quad(
            _renamed(named(quad.subject), code),
            quad.predicate,
            _renamed(quad.object, code) if isinstance(quad.object, NamedNode) else quad.object,
            _renamed(quad.graph_name, code) if isinstance(quad.graph_name, NamedNode) else quad.graph_name,
        )
        for quad in unnamed
    ]


def artifact_code(quads: Sequence[Quad], own: str) -> str:
    """The code of these statements, which may name themselves by `own`: RA and 43 characters of base64."""
    rows = sorted({_sortable(quad, own) for quad in quads})
    text = "".join(
        f"{graph}\n{subject}\n{predicate}\n{written}\n" for graph, subject, predicate, _, written in rows
    )
    hashed = hashlib.sha256(text.encode()).digest()
    return "RA" + base64.urlsafe_b64encode(hashed).decode().rstrip("=")


def _renamed(node: NamedNode, code: str) -> NamedNode:
    return NamedNode(node.value.replace(UNNAMED, code)) if UNNAMED in node.value else node


def _sortable(quad: Quad, own: str) -> tuple[str, str, str, tuple[bool, str, str, str], str]:
    """Graph, subject and predicate; the order of the object among its like, IRIs first; and how it is written."""
    graph, subject, predicate = (_iri(each, own) for each in (quad.graph_name, quad.subject, quad.predicate))
    if not isinstance(quad.object, Literal):
        written = _iri(quad.object, own)
        return graph, subject, predicate, (False, written, "", ""), written
    value, language = quad.object.value, (quad.object.language or "").lower()
    datatype = "" if language else quad.object.datatype.value
    escaped = value.replace("\\", "\\\\").replace("\n", "\\n")
    written = f"@{language} {escaped}" if language else f"^{datatype} {escaped}"
    return graph, subject, predicate, (True, value, datatype, language), written


def _iri(term: Term | DefaultGraph, own: str) -> str:
    if not isinstance(term, NamedNode):
        raise TypeError(f"expected an IRI, found {term!r}")
    return term.value.replace(own, " ")
