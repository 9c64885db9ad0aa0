"""SPARQL results as bytes, cut at a limit of rows and bytes so that what is written is still well-formed.

SPARQL 1.1 Query Results JSON, XML, CSV and TSV formats, with the triple terms of SPARQL 1.2. CSV has no syntax
for a triple term, which stands there as in N-Triples.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice
from typing import Any, Final

from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    Quad,
    QueryBoolean,
    QueryResultsFormat,
    QuerySolutions,
    QueryTriples,
    RdfFormat,
    Triple,
)

from provgraph.errors import TooLarge
from provgraph.rdf.serialization import serialized as serialized_quads
from provgraph.rdf.terms import Term
from provgraph.rdf.versions import RdfVersion, term_in_1_1
from provgraph.rdf.vocabulary import XSD
from provgraph.sparql import formats
from provgraph.sparql.formats import Format

_NATIVE_RESULTS: Final = {
    formats.RESULTS_JSON: QueryResultsFormat.JSON,
    formats.RESULTS_XML: QueryResultsFormat.XML,
    formats.CSV: QueryResultsFormat.CSV,
    formats.TSV: QueryResultsFormat.TSV,
}
_NATIVE_GRAPHS: Final = {
    formats.TURTLE: RdfFormat.TURTLE,
    formats.N_TRIPLES: RdfFormat.N_TRIPLES,
    formats.TRIG: RdfFormat.TRIG,
    formats.N_QUADS: RdfFormat.N_QUADS,
    formats.JSON_LD: RdfFormat.JSON_LD,
    formats.RDF_XML: RdfFormat.RDF_XML,
}
_NOT_IN_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class ResultLimits:
    """How many solutions or triples, and about how many bytes, one result may have."""

    rows: int
    bytes: int


@dataclass(frozen=True)
class SerializedResults:
    format: Format
    body: bytes
    truncated: bool


def serialized(
    results: QuerySolutions | QueryBoolean | QueryTriples, accept: str, limits: ResultLimits
) -> SerializedResults:
    """The results in the format that `accept` prefers; raises `InvalidInput` when there is none.

    Solutions and triples beyond the limits are left out, and `truncated` says so.
    """
    if isinstance(results, QueryTriples):
        return serialized_graph(results, accept, limits)
    result_format = formats.negotiated(accept, formats.RESULT_FORMATS)
    if isinstance(results, QueryBoolean):
        body = results.serialize(format=_NATIVE_RESULTS[result_format])
        return SerializedResults(result_format, body or b"", truncated=False)
    names = [variable.value for variable in results.variables]
    return _solutions(names, _readable(results, accept, result_format), result_format, limits)


def serialized_solutions(
    names: Sequence[str], rows: Iterable[Iterable[Term | None]], accept: str, limits: ResultLimits
) -> SerializedResults:
    """Solutions that have been read elsewhere, as `serialized` writes them."""
    result_format = formats.negotiated(accept, formats.RESULT_FORMATS)
    return _solutions(names, _readable(rows, accept, result_format), result_format, limits)


def _readable(
    rows: Iterable[Iterable[Term | None]], accept: str, chosen: Format
) -> Iterable[Iterable[Term | None]]:
    """The rows for a reader of the version of RDF that `accept` names."""
    if formats.accepted_version(accept, chosen) is RdfVersion.RDF_1_2:
        return rows
    return ([None if term is None else term_in_1_1(term) for term in row] for row in rows)


def serialized_graph(triples: Iterable[Triple], accept: str, limits: ResultLimits) -> SerializedResults:
    """The triples, each once, in the graph format that `accept` prefers.

    Raises `TooLarge` for a graph of too many bytes.
    """
    graph_format = formats.negotiated(accept, formats.GRAPH_FORMATS)
    more = iter(triples)
    kept = [Quad(*triple) for triple in islice(more, limits.rows)]
    truncated = next(more, None) is not None
    version = formats.accepted_version(accept, graph_format)
    body = serialized_quads(kept, _NATIVE_GRAPHS[graph_format], version, with_graphs=True)
    if len(body) > limits.bytes:
        raise TooLarge(
            f"The graph has {len(body)} bytes, more than {limits.bytes}. Narrow the query, or add LIMIT."
        )
    return SerializedResults(graph_format.in_version(version), body, truncated)


@dataclass(frozen=True)
class _Table:
    """A syntax of solutions: what comes first, one row, what stands between rows, what comes last."""

    head: str
    row: Callable[[Iterable[Term | None]], str]
    separator: str
    tail: str


def _solutions(
    names: Sequence[str],
    solutions: Iterable[Iterable[Term | None]],
    result_format: Format,
    limits: ResultLimits,
) -> SerializedResults:
    table = _TABLES[result_format](names)
    body = io.BytesIO()
    body.write(table.head.encode())
    truncated = False
    for count, solution in enumerate(solutions):
        if count == limits.rows or body.tell() > limits.bytes:
            truncated = True
            break
        body.write(((table.separator if count else "") + table.row(solution)).encode())
    body.write(table.tail.encode())
    return SerializedResults(result_format, body.getvalue(), truncated)


def _json(names: Sequence[str]) -> _Table:
    def row(terms: Iterable[Term | None]) -> str:
        bound = {name: _json_term(term) for name, term in zip(names, terms, strict=True) if term is not None}
        return json.dumps(bound, ensure_ascii=False, separators=(",", ":"))

    head = json.dumps({"vars": names}, ensure_ascii=False)
    return _Table(f'{{"head":{head},"results":{{"bindings":[', row, ",", "]}}")


def _json_term(term: Term) -> dict[str, Any]:
    match term:
        case NamedNode():
            return {"type": "uri", "value": term.value}
        case BlankNode():
            return {"type": "bnode", "value": term.value}
        case Literal():
            return {"type": "literal", "value": term.value, **_literal_attributes(term)}
        case Triple():
            parts = {"subject": term.subject, "predicate": term.predicate, "object": term.object}
            return {"type": "triple", "value": {name: _json_term(part) for name, part in parts.items()}}


def _literal_attributes(literal: Literal) -> dict[str, str]:
    if literal.language is None:
        return {} if literal.datatype == XSD.string else {"datatype": literal.datatype.value}
    direction = {} if literal.direction is None else {"its:dir": literal.direction.value}
    return {"xml:lang": literal.language, **direction}


def _xml(names: Sequence[str]) -> _Table:
    def row(terms: Iterable[Term | None]) -> str:
        bound = (
            f'<binding name="{name}">{_xml_term(term)}</binding>'
            for name, term in zip(names, terms, strict=True)
            if term is not None
        )
        return f"<result>{''.join(bound)}</result>"

    variables = "".join(f'<variable name="{name}"/>' for name in names)
    namespaces = 'xmlns="http://www.w3.org/2005/sparql-results#" xmlns:its="http://www.w3.org/2005/11/its"'
    head = f'<?xml version="1.0"?>\n<sparql {namespaces} its:version="2.0"><head>{variables}</head><results>'
    return _Table(head, row, "", "</results></sparql>")


def _xml_term(term: Term) -> str:
    match term:
        case NamedNode():
            return f"<uri>{_xml_text(term.value)}</uri>"
        case BlankNode():
            return f"<bnode>{_xml_text(term.value)}</bnode>"
        case Literal():
            attributes = (f' {name}="{escape(value)}"' for name, value in _literal_attributes(term).items())
            return f"<literal{''.join(attributes)}>{_xml_text(term.value)}</literal>"
        case Triple():
            parts = {"subject": term.subject, "predicate": term.predicate, "object": term.object}
            inner = "".join(f"<{name}>{_xml_term(part)}</{name}>" for name, part in parts.items())
            return f"<triple>{inner}</triple>"


def _xml_text(text: str) -> str:
    """Escaped for XML 1.0, which cannot hold most control characters however they are written."""
    return escape(_NOT_IN_XML.sub("\ufffd", text)).replace("\r", "&#13;")


def _csv(names: Sequence[str]) -> _Table:
    def row(terms: Iterable[Term | None]) -> str:
        return ",".join(map(_csv_field, terms)) + "\r\n"

    return _Table(",".join(names) + "\r\n", row, "", "")


def _csv_field(term: Term | None) -> str:
    text = term.value if isinstance(term, NamedNode | Literal) else _turtle(term)
    return f'"{text.replace(chr(34), chr(34) * 2)}"' if re.search('[",\r\n]', text) else text


def _tsv(names: Sequence[str]) -> _Table:
    def row(terms: Iterable[Term | None]) -> str:
        return "\t".join(map(_turtle, terms)) + "\n"

    return _Table("\t".join(f"?{name}" for name in names) + "\n", row, "", "")


def _turtle(term: Term | None) -> str:
    """A term as Turtle writes it on one line and without tabs; nothing for an unbound variable."""
    match term:
        case None:
            return ""
        case Triple():
            return f"<<( {_turtle(term.subject)} {_turtle(term.predicate)} {_turtle(term.object)} )>>"
        case _:
            return str(term).replace("\t", r"\t")


_TABLES: Final = {
    formats.RESULTS_JSON: _json,
    formats.RESULTS_XML: _xml,
    formats.CSV: _csv,
    formats.TSV: _tsv,
}
