"""RDF formats: quads → text, and text → quads by pyoxigraph's `parse`, which is handed on from here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from pyoxigraph import Quad, RdfFormat, Triple, parse, serialize

from provgraph.errors import InvalidInput
from provgraph.rdf.projection import project_triple_terms
from provgraph.rdf.vocabulary import PREFIXES

__all__ = [
    "FORMATS",
    "RdfFormat",
    "format_of_media_type",
    "format_of_name",
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


def format_of_name(name: str) -> RdfFormat:
    """Raises `InvalidInput` for a name that is none of `FORMATS`."""
    if name not in FORMATS:
        raise InvalidInput(f"{name!r} is not an RDF format. Use one of: {', '.join(FORMATS)}.")
    return FORMATS[name]


def serialized(quads: Iterable[Quad], rdf_format: RdfFormat) -> bytes:
    """The quads in the format; one without named graphs holds their triples, each once.

    JSON-LD and the readers of RDF/XML know no triple terms: they are projected to nodes (`rdf.projection`).
    """
    statements: list[Quad] | list[Triple]
    if rdf_format in _WITH_GRAPHS:
        statements = list(dict.fromkeys(quads))
    else:
        triples = dict.fromkeys(quad.triple for quad in quads)
        statements = list(project_triple_terms(triples) if rdf_format in _WITHOUT_TRIPLE_TERMS else triples)
    prefixes = PREFIXES if rdf_format in (RdfFormat.TURTLE, RdfFormat.TRIG) else None
    # a list would keep the interpreter until its end
    each: Iterator[Any] = (statement for statement in statements)
    return serialize(each, format=rdf_format, prefixes=prefixes) or b""
