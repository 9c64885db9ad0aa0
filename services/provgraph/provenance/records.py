"""A signed record in the graph of records. Examples as in `trace`."""

from __future__ import annotations

from typing import Final

from provgraph.rdf import literals
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import RDF, TG

RECORDS: Final = NamedNode("urn:graph:records")
"""Beside the graphs of the collections: not queried by users, not exported."""

_PREFIX: Final = "urn:trustgraph:record:"


def record_iri(number: int) -> NamedNode:
    return NamedNode(f"{_PREFIX}{number}")


def record_number(node: object) -> int | None:
    """None for what is not named as a record."""
    digits = node.value.removeprefix(_PREFIX) if isinstance(node, NamedNode) else ""
    number = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 18 else None
    return number if str(number) == digits else None


def record_quads(number: int, statement: str, signature: str, entries: str) -> list[Quad]:
    """What was signed, word for word; the signature and the entries in Base64.

    <urn:trustgraph:record:1> a tg:Record ;
        tg:recordStatement "{}" ; tg:recordSignature "c2ln" ; tg:recordEntries "ZW50" .
    """
    node = record_iri(number)
    return [
        Quad(node, RDF.type, TG.Record, RECORDS),
        Quad(node, TG.record_statement, literals.text(statement), RECORDS),
        Quad(node, TG.record_signature, literals.text(signature), RECORDS),
        Quad(node, TG.record_entries, literals.text(entries), RECORDS),
    ]


def record_marker(number: int) -> Quad:
    """The quad that tells whether there is a record of this number."""
    return Quad(record_iri(number), RDF.type, TG.Record, RECORDS)
