"""What a process of ProvGraph is: all services in one, or one of those that run apart."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """Routes and work belong to one of the services; `ALL` is every one of them in one process."""

    ALL = "all"
    GATEWAY = "gateway"
    EXTRACTION = "extraction"
    RETRIEVAL = "retrieval"
    GRAPH_RAG = "graph-rag"

    @property
    def is_apart(self) -> bool:
        """Whether other processes do the rest, so that store and library are shared with them."""
        return self is not Role.ALL

    def does(self, work: Role) -> bool:
        """Whether the work of that service is done in this process."""
        return self in (Role.ALL, work)

    def opens(self, owner: Role) -> bool:
        """Whether the routes of that service are open here: a gateway has them all, some of them forwarded."""
        return self in (Role.ALL, Role.GATEWAY, owner)
