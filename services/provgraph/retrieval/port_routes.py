"""The ports of retrieval and similarity for other services: `POST /internal/v1/retrieval/…`, in the messages
of `wire`."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from provgraph.late_routes import LateRouter
from provgraph.peers.service import answered_when_done
from provgraph.ports.retriever import Retriever
from provgraph.ports.similarity import DocumentSimilarity, NodeSimilarity
from provgraph.rdf.terms import NamedNode
from provgraph.wire.retrieval_port import (
    PATH,
    SIMILARITY_PATH,
    document_pairs_to_json,
    like_nodes_to_json,
    request_from_json,
    result_to_json,
    sought_from_json,
)


def retrieval_port_router(retriever: Retriever) -> APIRouter:
    """Not for clients: a call may name any collection, and change the indexes."""
    router = LateRouter(prefix=PATH, tags=["internal"], include_in_schema=False)

    @router.post("/accept")
    async def accept(request: Request) -> Response:
        told = await request.json()

        async def accepted() -> None:
            await retriever.accept(request_from_json(told))

        return answered_when_done(accepted)

    @router.post("/retrieve")
    async def retrieve(request: Request) -> Response:
        told = await request.json()

        async def retrieved() -> dict[str, Any]:
            return result_to_json(await retriever.retrieve(request_from_json(told)))

        return answered_when_done(retrieved)

    @router.post("/follow")
    async def follow(request: Request) -> Response:
        told = await request.json()
        return answered_when_done(
            lambda: retriever.follow(told["collection"], [NamedNode(node) for node in told["documents"]])
        )

    @router.post("/forget")
    async def forget(request: Request) -> Response:
        told = await request.json()
        return answered_when_done(lambda: retriever.forget(told["collection"]))

    @router.post("/rewrite")
    async def rewrite(request: Request) -> Response:
        told = await request.json()
        return answered_when_done(lambda: retriever.rewrite(told["collection"]))

    return router


def similarity_port_router(of_nodes: NodeSimilarity, of_documents: DocumentSimilarity) -> APIRouter:
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
