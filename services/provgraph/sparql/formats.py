"""Formats of SPARQL results and graphs, and the choice among them by Accept (RFC 9110, section 12.5.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.errors import InvalidInput


@dataclass(frozen=True)
class Format:
    """`names` are the short names of `?format=`; `aliases` further media types that clients ask for."""

    media_type: str
    names: tuple[str, ...]
    aliases: tuple[str, ...] = ()

    @property
    def content_type(self) -> str:
        return f"{self.media_type}; charset=utf-8" if self.media_type.startswith("text/") else self.media_type


RESULTS_JSON: Final = Format(
    "application/sparql-results+json", ("json", "srj"), ("application/json", "text/json")
)
RESULTS_XML: Final = Format("application/sparql-results+xml", ("xml", "srx"), ("application/xml", "text/xml"))
CSV: Final = Format("text/csv", ("csv",))
TSV: Final = Format("text/tab-separated-values", ("tsv",))

TURTLE: Final = Format("text/turtle", ("turtle", "ttl", "n3"), ("application/x-turtle", "text/plain"))
N_TRIPLES: Final = Format("application/n-triples", ("ntriples", "nt"))
TRIG: Final = Format("application/trig", ("trig",), ("application/x-trig",))
N_QUADS: Final = Format("application/n-quads", ("nquads", "nq"), ("text/x-nquads",))
JSON_LD: Final = Format("application/ld+json", ("jsonld", "json-ld", "json"), ("application/json",))
RDF_XML: Final = Format(
    "application/rdf+xml", ("rdfxml", "rdf+xml", "rdf", "xml"), ("application/xml", "text/xml")
)

RESULT_FORMATS: Final = (RESULTS_JSON, RESULTS_XML, CSV, TSV)
"""For SELECT and ASK, the preferred one first."""

GRAPH_FORMATS: Final = (TURTLE, N_TRIPLES, TRIG, N_QUADS, JSON_LD, RDF_XML)
"""For CONSTRUCT and DESCRIBE, the preferred one first."""


def accept_of_name(name: str) -> str:
    """An Accept header for a short name such as "json" or "turtle"; raises `InvalidInput` for an unknown one."""
    media_types = [
        each.media_type for each in (*RESULT_FORMATS, *GRAPH_FORMATS) if name.lower() in each.names
    ]
    if not media_types:
        known = sorted({each for known in (*RESULT_FORMATS, *GRAPH_FORMATS) for each in known.names})
        raise InvalidInput(f"{name[:40]!r} is not a format. Choose one of {', '.join(known)}.")
    return ", ".join(media_types)


def negotiated(accept: str, formats: Sequence[Format]) -> Format:
    """The format of greatest weight; of equals the one named most exactly, then the earlier in `formats`.

    Raises `InvalidInput` when the header accepts none of them.
    """
    ranges = _media_ranges(accept) or [("*/*", 1.0)]
    weighed = [(_weight(each, ranges), -index) for index, each in enumerate(formats)]
    (weight, _), index = max(weighed)
    if weight <= 0:
        offered = ", ".join(each.media_type for each in formats)
        raise InvalidInput(
            f"No format of this result satisfies Accept: {accept[:200]}. Ask for one of {offered}."
        )
    return formats[-index]


def _media_ranges(accept: str) -> list[tuple[str, float]]:
    ranges = []
    for part in accept.lower().split(","):
        media_range, *parameters = (piece.strip() for piece in part.split(";"))
        if media_range:
            ranges.append((media_range, _quality(parameters)))
    return ranges


def _quality(parameters: Sequence[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return min(max(float(value), 0.0), 1.0)
            except ValueError:
                return 0.0
    return 1.0


def _weight(each: Format, ranges: Sequence[tuple[str, float]]) -> tuple[float, int]:
    """The quality of the most exact range that the format meets, and how exact that is."""
    major = each.media_type.partition("/")[0]
    for exactness, names in ((3, (each.media_type,)), (2, each.aliases), (1, (f"{major}/*",)), (0, ("*/*",))):
        qualities = [quality for name, quality in ranges if name in names]
        if qualities:
            return max(qualities), exactness
    return 0.0, 0
