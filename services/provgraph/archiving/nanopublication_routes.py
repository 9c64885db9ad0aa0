"""HTTP face of nanopublications: `/api/v1/nanopubs`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse

from provgraph.archiving.nanopublications import Nanopublications
from provgraph.catalogue.collections import Collections
from provgraph.errors import InvalidInput
from provgraph.late_routes import LateRouter
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.iris import iri
from provgraph.rdf.json_terms import term_from_text
from provgraph.rdf.serialization import RdfFormat
from provgraph.rdf.terms import Triple


def nanopublication_router(collections: Collections, now: Callable[[], datetime]) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["archives"])

    @router.get("/nanopubs", response_class=Response)
    async def nanopubs(
        s: str = "", p: str = "", o: str = "", collection: str = DEFAULT_COLLECTION
    ) -> Response:
        """A fact as a nanopublication in TriG, or without `s`, `p` and `o` all facts of a collection.

        Each part is an IRI; `o` may be a literal as in N-Triples.
        """
        made = Nanopublications(collections.store, await collections.require(collection), now)
        media_type = RdfFormat.TRIG.media_type
        if not (s or p or o):
            return StreamingResponse(made.all(), media_type=media_type)
        if not (s and p and o):
            raise InvalidInput("A fact has three parts: give s, p and o, or none of them for all facts.")
        return Response(await made.one(Triple(iri(s), iri(p), term_from_text(o))), media_type=media_type)

    return router
