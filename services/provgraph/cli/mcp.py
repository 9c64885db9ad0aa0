"""`provgraph mcp`: a folder or a service as tools of an agent, over stdin and stdout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
from anyio import to_thread

from provgraph.cli.connection import Service, Target, connect
from provgraph.cli.options import target_options
from provgraph.errors import NotProvided


class _Connected:
    """The routes of a connected service."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def json(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,  # noqa: ARG002  (over stdio a client has none)
    ) -> Any:
        return await to_thread.run_sync(lambda: self._service.json(method, path, body, **dict(query or {})))


@click.command(name="mcp")
@target_options(create=True)
def mcp_command(target: Target) -> None:
    """Serve a folder to an agent over the Model Context Protocol (stdin and stdout).

    Agents start it by themselves: name this command in their settings. A service has the same at /mcp.
    """
    try:
        from provgraph.gateway.mcp.server import mcp_server  # an extra, and slow to import
    except ImportError as error:
        raise NotProvided(
            "The Model Context Protocol needs another package: pip install 'provgraph[mcp]'."
        ) from error
    with connect(target) as service:
        mcp_server(_Connected(service), files=True).run("stdio")
