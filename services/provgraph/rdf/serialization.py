"""RDF formats: quads → text, and text → quads by pyoxigraph's `parse`, which is handed on from here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from pyoxigraph import Quad, RdfFormat, Triple, parse, serialize

from provgraph.errors import InvalidInput
from provgraph.rdf.versions import RdfVersion, in_version
from provgraph.rdf.vocabulary import PREFIXES

__all__ = [
    "FORMATS",
    "RdfFormat",
    "format_of_media_type",
    "parse",
    "serialize",
    "serialized",
]

FORMATS: Final = {
    "turtle": RdfFormat.TURTLE,
    "trig": RdfFormat.TRIG,
    "ntriples": RdfFormat.N_TRIPLES,
    "nquads": RdfFormat.N_QUADS,
    "jsonld": RdfFormat.JSON_LD,
}
_WITH_GRAPHS: Final = (RdfFormat.TRIG, RdfFormat.N_QUADS)
_WITHOUT_TRIPLE_TERMS: Final = (RdfFormat.JSON_LD, RdfFormat.RDF_XML)


def format_of_media_type(accept: str) -> RdfFormat | None:
    """The first RDF format that an Accept header names, or None."""
    for wanted in accept.split(","):
        media_type = wanted.partition(";")[0].strip().casefold()
        for rdf_format in FORMATS.values():
            if rdf_format.media_type == media_type:
                return rdf_format
    return None


def serialized(
    quads: Iterable[Quad],
    rdf_format: RdfFormat,
    version: RdfVersion = RdfVersion.RDF_1_2,
    *,
    with_graphs: bool = False,
) -> bytes:
    """The quads in the format, for readers of that version of RDF; a format without named graphs holds their triples,
    each once, and so does JSON-LD unless it is to be `with_graphs`.

    JSON-LD and the readers of RDF/XML know no triple terms, whatever the version.
    Raises `InvalidInput` for quoted edges as graphs in a format without them.
    """
    holds_graphs = rdf_format in _WITH_GRAPHS or (with_graphs and rdf_format is RdfFormat.JSON_LD)
    if version is RdfVersion.RDF_1_1_GRAPHS and not holds_graphs:
        raise InvalidInput(
            f"{rdf_format.name} has no named graphs, so quoted edges cannot be graphs in it. "
            "Use TriG, N-Quads, or rdf=1.1, which describes them with rdf:subject, rdf:predicate and rdf:object."
        )
    if version is RdfVersion.RDF_1_2 and rdf_format in _WITHOUT_TRIPLE_TERMS:
        version = RdfVersion.RDF_1_1
    statements: Iterable[Quad] | Iterable[Triple]
    if holds_graphs:
        statements = dict.fromkeys(in_version(quads, version))
    else:
        own = (Quad(*quad.triple) for quad in quads)
        statements = dict.fromkeys(quad.triple for quad in in_version(own, version))
    prefixes = PREFIXES if rdf_format in (RdfFormat.TURTLE, RdfFormat.TRIG) else None
    # a list would keep the interpreter until its end
    each: Iterator[Any] = (statement for statement in statements)
    return serialize(each, format=rdf_format, prefixes=prefixes) or b""
