"""The services that answer questions, where another process does: its side of the line, and this one's."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter, Request, Response

from provgraph.errors import NotFound
from provgraph.gateway.trustgraph.fields import Body
from provgraph.gateway.trustgraph.services import Reply, Service
from provgraph.late_routes import LateRouter
from provgraph.peers.calls import answered_as_it_comes
from provgraph.peers.service import PeerService

ANSWERING: Final = ("graph-rag", "document-rag")
_PATH: Final = "/internal/v1/trustgraph"


@dataclass(frozen=True)
class AnsweredApart:
    """The service of a name as `peer` gives it."""

    name: str
    peer: PeerService

    async def __call__(self, body: Body) -> AsyncGenerator[Reply]:
        async with aclosing(self.peer.results(f"{_PATH}/{self.name}", dict(body))) as results:
            async for told in results:
                yield Reply(told["response"], told["complete"])


def asking_port_router(services: Mapping[str, Service]) -> APIRouter:
    """`services` by name, for a gateway that is another process."""
    router = LateRouter(prefix=_PATH, tags=["internal"], include_in_schema=False)

    @router.post("/{name}")
    async def ask(name: str, request: Request) -> Response:
        if name not in services:
            raise NotFound(
                f"There is no service {name[:80]!r} here. Run the same version of ProvGraph everywhere."
            )
        return answered_as_it_comes(_told(services[name], await request.json()))

    return router


async def _told(service: Service, body: Body) -> AsyncGenerator[dict[str, Any]]:
    async with aclosing(service(body)) as replies:
        async for reply in replies:
            yield {"response": dict(reply.response), "complete": reply.complete}
