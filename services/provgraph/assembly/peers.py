"""The services beside this one, where it has any: which there are follows from its role."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from provgraph.assembly.stores import Probe
from provgraph.peers.service import PeerAddress, PeerService
from provgraph.roles import Role
from provgraph.settings import Settings, listed

if TYPE_CHECKING:  # slow to import, and only a gateway passes anything on
    from starlette.routing import BaseRoute

    from provgraph.gateway.forwarding import Forwarded
    from provgraph.gateway.trustgraph.services import Service

_ANSWER_WITHIN_S: Final = 3.0


@dataclass(frozen=True)
class Peers:
    """`retrieval` and `graph_rag` are None where this process is that service itself, or has no use for it."""

    retrieval: PeerService | None = None
    graph_rag: PeerService | None = None

    @property
    def questions(self) -> dict[str, Service]:
        """What answers the questions of TrustGraph's clients elsewhere, by name; nothing where this process does."""
        from provgraph.gateway.trustgraph.asking import ANSWERING, PeerServiceCall

        return {name: PeerServiceCall(name, self.graph_rag) for name in ANSWERING} if self.graph_rag else {}

    @property
    def probes(self) -> Mapping[str, Probe]:
        """What asks whether they are ready, by name."""
        asked = [service for service in (self.retrieval, self.graph_rag) if service]
        return {service.address.role: partial(service.answers, _ANSWER_WITHIN_S) for service in asked}

    def forwarded(self, routes: Callable[[Role], list[BaseRoute]]) -> list[Forwarded]:
        """What a gateway passes on, of the routes of each service."""
        from provgraph.gateway.forwarding import Forwarded, answer_ending, problem_ending

        return [
            Forwarded(routes(each.address.role), each, ending)
            for each, ending in ((self.graph_rag, answer_ending), (self.retrieval, problem_ending))
            if each
        ]

    async def close(self) -> None:
        for service in (self.retrieval, self.graph_rag):
            if service:
                await service.close()


def peers_of(role: Role, settings: Settings) -> Peers:
    """Raises `InvalidInput` where an address is missing, or is none."""

    def service(of: Role, setting: str, urls: str) -> PeerService:
        return PeerService(PeerAddress(of, setting, listed(urls), settings.token))

    retrieval = graph_rag = None
    if not role.does(Role.RETRIEVAL):
        retrieval = service(Role.RETRIEVAL, "PROVGRAPH_RETRIEVAL_URL", settings.retrieval_url)
    if role is Role.GATEWAY:
        graph_rag = service(Role.GRAPH_RAG, "PROVGRAPH_GRAPH_RAG_URL", settings.graph_rag_url)
    return Peers(retrieval, graph_rag)
