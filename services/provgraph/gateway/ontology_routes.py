"""`GET /ontology`: the vocabularies that ProvGraph writes, for Protégé and other tools, and as a page for people."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from itertools import groupby
from typing import Annotated, Final

from anyio import to_thread
from fastapi import APIRouter, Header, Response

from provgraph.errors import NotFound
from provgraph.late_routes import LateRouter
from provgraph.rdf.ontology_files import ontology_text
from provgraph.rdf.serialization import RdfFormat, parse, serialize
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term
from provgraph.rdf.vocabulary import OWL, PREFIXES, RDF, RDFS
from provgraph.sparql.formats import (
    JSON_LD,
    N_TRIPLES,
    RDF_XML,
    TURTLE,
    Format,
    accept_of_name,
    negotiated,
)

FILES: Final = {
    "provgraph": "provgraph.ttl",
    "relations": "relations.ttl",
    "line-items": "line-items.ttl",
    "research": "research.ttl",
    "shapes": "shapes.ttl",
}
_HTML: Final = Format("text/html", ("html",), ("application/xhtml+xml",))
_WRITTEN: Final = {
    N_TRIPLES: RdfFormat.N_TRIPLES,
    RDF_XML: RdfFormat.RDF_XML,
    JSON_LD: RdfFormat.JSON_LD,
}
OFFERED: Final = (TURTLE, RDF_XML, JSON_LD, N_TRIPLES, _HTML)
"""The preferred one first."""
_KINDS: Final = {
    OWL.Class: "Classes",
    OWL.ObjectProperty: "Relations",
    OWL.DatatypeProperty: "Attributes",
}


def ontology_router() -> APIRouter:
    router = LateRouter(tags=["sparql"])

    @router.get("/ontology", response_class=Response)
    async def ontology(format: str = "", accept: Annotated[str, Header()] = "*/*") -> Response:
        """The vocabulary of facts' sources and of traces, in OWL: Turtle, RDF/XML, JSON-LD, N-Triples or HTML."""
        return await _reply("provgraph", format, accept)

    @router.get("/ontology/{name}", response_class=Response)
    async def further(name: str, format: str = "", accept: Annotated[str, Header()] = "*/*") -> Response:
        """Another vocabulary: relations, line-items, research; or the shapes (SHACL) that everything written meets."""
        if name not in FILES:
            raise NotFound(f"There is no ontology {name[:80]!r}. Choose from {', '.join(FILES)}.")
        return await _reply(name, format, accept)

    return router


async def _reply(name: str, format_name: str, accept: str) -> Response:
    accept = (
        _HTML.media_type if format_name == "html" else accept_of_name(format_name) if format_name else accept
    )
    chosen = negotiated(accept, OFFERED)
    body = await to_thread.run_sync(_written, name, chosen)
    headers = {"Content-Type": chosen.content_type, "Vary": "Accept", "Cache-Control": "max-age=3600"}
    if chosen == _HTML:
        headers["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'"
    return Response(body, headers=headers)


@lru_cache(maxsize=len(FILES) * len(OFFERED))
def _written(name: str, chosen: Format) -> bytes:
    """The file as it is for Turtle, with its comments; else its statements."""
    text = ontology_text(FILES[name])
    if chosen == TURTLE:
        return text.encode()
    quads = list(parse(text.encode(), format=RdfFormat.TURTLE))
    if chosen == _HTML:
        return _page(name, quads).encode()
    prefixes = PREFIXES if chosen == RDF_XML else None
    return serialize((quad.triple for quad in quads), format=_WRITTEN[chosen], prefixes=prefixes) or b""


def _page(name: str, quads: Sequence[Quad]) -> str:
    """The terms by kind, each with its label and comment; each can be linked to by its name."""
    said = {
        (quad.subject, quad.predicate): quad.object.value
        for quad in quads
        if isinstance(quad.object, Literal) and quad.predicate in (RDFS.label, RDFS.comment)
    }
    kinds: list[Term] = list(_KINDS)
    terms = {
        (kinds.index(quad.object), quad.subject.value)
        for quad in quads
        if quad.predicate == RDF.type and quad.object in kinds and isinstance(quad.subject, NamedNode)
    }
    parts = [f"<h1>{escape(name)}</h1><p>{' · '.join(_links())}</p>"]
    for kind, members in groupby(sorted(terms), key=lambda term: term[0]):
        parts.append(f"<h2>{list(_KINDS.values())[kind]}</h2><dl>")
        for _, iri in members:
            node = NamedNode(iri)
            local = iri.rpartition("#")[2].rpartition("/")[2]
            label, comment = said.get((node, RDFS.label), local), said.get((node, RDFS.comment), "")
            parts.append(
                f'<dt id="{escape(local)}"><b>{escape(label)}</b> <code>{escape(iri)}</code></dt>'
                f"<dd>{escape(comment)}</dd>"
            )
        parts.append("</dl>")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f"<title>{escape(name)} · ProvGraph</title>{''.join(parts)}</html>"
    )


def _links() -> list[str]:
    named = [f'<a href="/ontology/{name}">{name}</a>' for name in FILES]
    return [*named, *(f'<a href="?format={each.names[0]}">{each.names[0]}</a>' for each in OFFERED[:-1])]
