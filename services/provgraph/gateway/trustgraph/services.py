"""The services that clients call by name: each takes a request and gives one reply, or several in a row.

Knows neither WebSocket nor REST; both call services through here.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from provgraph.errors import InvalidInput, NotFound, NotProvided, ProvGraphError
from provgraph.gateway.trustgraph.fields import Body

FLOW: Final = "default"
"""The one flow there is: all services of this process."""


@dataclass(frozen=True)
class ServiceReply:
    """One message of an answer; the last is `complete`. `session` is the one that answers, if any."""

    response: Mapping[str, Any]
    complete: bool = True
    session: str = ""


Service = Callable[[Body], AsyncGenerator[ServiceReply]]


@dataclass(frozen=True)
class ServiceCall:
    """`flow` is empty for a service that is not of a flow."""

    service: str
    flow: str
    body: Body


@dataclass(frozen=True)
class Services:
    """`of_flow` and `of_workspace` by name; `absent` says why a service that TrustGraph has is not provided.

    `settled` returns when all that was loaded in bulk before can be seen.
    """

    of_flow: Mapping[str, Service]
    of_workspace: Mapping[str, Service]
    absent: Mapping[str, str]
    settled: Callable[[], Awaitable[None]]

    async def replies(self, call: ServiceCall) -> AsyncGenerator[ServiceReply]:
        """Raises the service's errors, `NotProvided` for one that is not here, `InvalidInput` for no name at all."""
        service = self._service(call)
        await self.settled()
        async with aclosing(service(call.body)) as replies:
            async for reply in replies:
                yield reply

    async def only_reply(self, call: ServiceCall) -> Mapping[str, Any]:
        """The answer to a call that does not stream."""
        async with aclosing(self.replies(call)) as replies:
            async for reply in replies:
                if reply.complete:
                    return reply.response
        raise ProvGraphError("The service gave no answer. Its log says more; please report it.")

    def _service(self, call: ServiceCall) -> Service:
        if call.flow and call.flow != FLOW:
            raise NotFound(f"There is no flow {call.flow[:80]!r}. The one there is has the name {FLOW!r}.")
        known = self.of_flow if call.flow else self.of_workspace
        if call.service in known:
            return known[call.service]
        if call.service in self.absent:
            raise NotProvided(
                f"The service {call.service} is not provided here: {self.absent[call.service]}."
            )
        if call.service in self.of_flow:
            raise InvalidInput(f"{call.service} is a service of a flow. Name the flow {FLOW!r}.")
        raise NotProvided(
            f"There is no service {call.service[:80]!r} here. See docs/trustgraph.md for those there are."
        )


def error_fields(error: ProvGraphError) -> dict[str, str]:
    """An error as clients read it."""
    return {"type": error.slug, "message": str(error)}


def unforeseen(error: Exception) -> ProvGraphError:
    """What is told of an error that nobody foresaw, once it is logged."""
    return ProvGraphError(
        f"The request failed unexpectedly ({type(error).__name__}). The service's log says more; please report it."
    )
