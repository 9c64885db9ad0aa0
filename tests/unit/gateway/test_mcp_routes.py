"""What the tools of `/mcp` ask ends with the client of the tool; what they change does not."""

from __future__ import annotations

import asyncio

import anyio
import pytest
from starlette.types import Receive, Scope, Send

from provgraph.gateway.mcp.routes import OwnRoutes


@pytest.mark.parametrize(
    ("method", "path", "outcome"),
    [("POST", "/api/v1/graph-rag", "cancelled"), ("DELETE", "/api/v1/documents", "finished")],
)
async def test_only_a_change_goes_on_when_the_client_of_a_tool_is_gone(
    method: str, path: str, outcome: str
) -> None:
    outcomes, begun, may_end = list[str](), asyncio.Event(), asyncio.Event()

    async def route(_: Scope, __: Receive, send: Send) -> None:
        begun.set()
        try:
            await may_end.wait()
            outcomes.append("finished")
        except asyncio.CancelledError:
            outcomes.append("cancelled")
            raise
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})

    with anyio.CancelScope() as tool:
        async with anyio.create_task_group() as group:
            group.start_soon(OwnRoutes(route).json, method, path)
            await begun.wait()
            tool.cancel()
            asyncio.get_running_loop().call_later(0.05, may_end.set)
    assert outcomes == [outcome]
