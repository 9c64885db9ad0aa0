"""Formats of SPARQL results and graphs, and the choice among them by Accept (RFC 9110, section 12.5.1).

A media type may name the version of RDF that its reader knows, as RDF 1.2 Concepts has it: `text/turtle; version=1.1`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.errors import InvalidInput, NotAcceptable
from provgraph.rdf.versions import RdfVersion, rdf_version


@dataclass(frozen=True)
class Format:
    """`names` are the short names of `?format=`; `aliases` further media types that clients ask for; `version` is told
    where a client asked for one."""

    media_type: str
    names: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    version: str = ""

    @property
    def content_type(self) -> str:
        version = f"; version={self.version}" if self.version else ""
        charset = "; charset=utf-8" if self.media_type.startswith("text/") else ""
        return f"{self.media_type}{version}{charset}"

    def in_version(self, version: RdfVersion) -> Format:
        """The same format, saying so where it is written in RDF 1.1."""
        return self if version is RdfVersion.RDF_1_2 else replace(self, version="1.1")


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
        known = sorted({name for known in (*RESULT_FORMATS, *GRAPH_FORMATS) for name in known.names})
        raise InvalidInput(f"{name[:40]!r} is not a format. Choose one of {', '.join(known)}.")
    return ", ".join(media_types)


def with_version(accept: str, name: str) -> str:
    """The Accept header with that version of RDF for all that it names; raises `InvalidInput` for an unknown one."""
    version = rdf_version(name)
    return ", ".join(
        f"{part.strip()}; version={version}" for part in (accept or "*/*").split(",") if part.strip()
    )


def negotiated(accept: str, formats: Sequence[Format]) -> Format:
    """The format of greatest weight; of equals the one named most exactly, then the earlier in `formats`.

    Raises `NotAcceptable` when the header accepts none of them.
    """
    ranges = _media_ranges(accept)
    weighed = [(*_best_range(each, ranges)[:2], -index) for index, each in enumerate(formats)]
    weight, _, index = max(weighed)
    if weight <= 0:
        offered = ", ".join(each.media_type for each in formats)
        raise NotAcceptable(f"No format here satisfies Accept: {accept[:200]}. Ask for one of {offered}.")
    return formats[-index]


def accepted_version(accept: str, chosen: Format) -> RdfVersion:
    """The version of RDF that the header asks for with this format; 1.2 where it says nothing of it.

    Raises `NotAcceptable` for a version that there is not.
    """
    _, _, version = _best_range(chosen, _media_ranges(accept))
    try:
        return rdf_version(version) if version else RdfVersion.RDF_1_2
    except InvalidInput as error:
        raise NotAcceptable(str(error)) from error


@dataclass(frozen=True)
class _MediaRange:
    name: str
    quality: float
    version: str


def _media_ranges(accept: str) -> list[_MediaRange]:
    ranges = []
    for part in accept.lower().split(","):
        name, *written = (piece.strip() for piece in part.split(";"))
        if name:
            pairs = (parameter.partition("=") for parameter in written)
            parameters = {key.strip(): value.strip() for key, _, value in pairs}
            ranges.append(_MediaRange(name, _quality(parameters), parameters.get("version", "").strip('"')))
    return ranges or [_MediaRange("*/*", 1.0, "")]


def _quality(parameters: Mapping[str, str]) -> float:
    try:
        return min(max(float(parameters.get("q", 1)), 0.0), 1.0)
    except ValueError:
        return 0.0


def _best_range(each: Format, ranges: Sequence[_MediaRange]) -> tuple[float, int, str]:
    """Of the most exact ranges that the format meets: the best quality, how exact they are, and the version that the
    one of that quality names."""
    major = each.media_type.partition("/")[0]
    for exactness, names in ((3, (each.media_type,)), (2, each.aliases), (1, (f"{major}/*",)), (0, ("*/*",))):
        met = [one for one in ranges if one.name in names]
        if met:
            best = max(met, key=lambda one: one.quality)
            return best.quality, exactness, best.version
    return 0.0, 0, ""
