"""The ports of likeness for the services beside it: `POST /internal/v1/retrieval/likeness/…`."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from provgraph.late_routes import LateRouter
from provgraph.peers.calls import answered_when_done
from provgraph.ports.similarity import DocumentLikeness, NodeLikeness
from provgraph.wire.retrieval_port import (
    SIMILARITY_PATH,
    document_pairs_to_json,
    like_nodes_to_json,
    sought_from_json,
)


def likeness_port_router(of_nodes: NodeLikeness, of_documents: DocumentLikeness) -> APIRouter:
    """Not for clients: a call may name any collection. One that waits for vectors to be made is kept alive."""
    router = LateRouter(prefix=SIMILARITY_PATH, tags=["internal"], include_in_schema=False)

    @router.post("/nodes")
    async def nodes(request: Request) -> Response:
        told = await request.json()

        async def found() -> dict[str, Any]:
            sought = sought_from_json(told["sought"])
            return like_nodes_to_json(await of_nodes.likest(told["collection"], sought))

        return answered_when_done(found)

    @router.post("/texts")
    async def texts(request: Request) -> Response:
        told = await request.json()
        return answered_when_done(lambda: of_nodes.texts(told["question"], told["texts"]))

    @router.post("/documents")
    async def documents(request: Request) -> Response:
        told = await request.json()

        async def compared() -> dict[str, Any]:
            asked = told["collection"], told["neighbours"], told["least"]
            return document_pairs_to_json(await of_documents.likest(*asked))

        return answered_when_done(compared)

    return router
