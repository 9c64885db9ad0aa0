"""The services `flow` and `config`: here is one flow, always running, and nothing in it that a client could set."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any, Final

from provgraph.errors import NotFound, NotProvided
from provgraph.gateway.trustgraph import fields
from provgraph.gateway.trustgraph.fields import Body
from provgraph.gateway.trustgraph.services import FLOW, Reply

BLUEPRINT: Final = "provgraph"
_FLOW: Final = {
    "description": "All services of this process",
    "blueprint-name": BLUEPRINT,
    "interfaces": {},
    "parameters": {},
}
_BLUEPRINT: Final = {
    "description": "ProvGraph in one process",
    "flow": {},
    "interfaces": {},
    "parameters": {},
}


async def flow_service(body: Body) -> AsyncGenerator[Reply]:
    """Lists and shows; flows are neither started nor stopped."""
    operation = fields.text(body, "operation")
    match operation:
        case "list-flows":
            yield Reply({"flow-ids": [FLOW]})
        case "get-flow":
            _require(fields.text(body, "flow-id"), FLOW, "flow")
            yield Reply({"flow": json.dumps(_FLOW)})
        case "list-blueprints":
            yield Reply({"blueprint-names": [BLUEPRINT]})
        case "get-blueprint":
            _require(fields.text(body, "blueprint-name"), BLUEPRINT, "blueprint")
            yield Reply({"blueprint-definition": json.dumps(_BLUEPRINT)})
        case _:
            raise NotProvided(
                f"{operation[:80]!r} is not provided here: there is one flow, {FLOW!r}, and it always runs."
            )


async def config_service(body: Body) -> AsyncGenerator[Reply]:
    """An empty configuration: settings are environment variables of the service."""
    operation = fields.text(body, "operation")
    empty: dict[str, dict[str, Any]] = {
        "list": {"directory": []},
        "get": {"values": []},
        "getvalues": {"values": []},
        "getvalues-all-ws": {"values": []},
        "config": {"config": {}, "version": 0},
    }
    if operation not in empty:
        raise NotProvided(
            f"{operation[:80]!r} is not provided here: settings are environment variables of the service. "
            "See docs/configuration.md."
        )
    yield Reply(empty[operation])


def _require(name: str, known: str, kind: str) -> None:
    if name != known:
        raise NotFound(f"There is no {kind} {name[:80]!r}. The one there is has the name {known!r}.")
