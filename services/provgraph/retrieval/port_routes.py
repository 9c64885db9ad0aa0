"""The port of retrieval for the services beside it: `POST /internal/v1/retrieval/…`, in the words of `wire`."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from provgraph.late_routes import LateRouter
from provgraph.peers.calls import answered_when_done
from provgraph.ports.retriever import Retriever
from provgraph.rdf.terms import NamedNode
from provgraph.wire.retrieval_port import PATH, request_from_json, result_to_json


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
