"""`provgraph serve` and `provgraph mcp`."""

from __future__ import annotations

import atexit
import os
import signal
import socket
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import click
from anyio import to_thread

from provgraph.adapters.served_folder import announced
from provgraph.child_environment import forget_settings
from provgraph.cli.connection import Service, Target, connect, keep_little
from provgraph.cli.garbage import collect_aside
from provgraph.cli.options import target_options
from provgraph.errors import InvalidInput, NotProvided, Unavailable
from provgraph.roles import Role

if TYPE_CHECKING:
    import uvicorn

    from provgraph.gateway.connections.tls_connection import ServerCertificate
    from provgraph.settings import Settings


_FOR_ANSWERS: Final = 1 / 3
"""Of the time that a service has to end, what answers under way may still take; the rest is for recording ends."""

_LAST_WORDS_S: Final = 1.0
"""How long a service that ends late waits for somebody to read why."""

_TURN_S: Final = 0.0005
"""How long a thread has the interpreter while others wait for it, Python's own being ten times that: a question takes
many short steps, and after each waits for whoever reads documents in."""


@click.command()
@click.argument("role", type=click.Choice([role.value for role in Role]), default=Role.ALL.value)
@click.option("--host", help="Address to listen on. [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65_535), help="The port; 0 for any free one. [default: 8888]")
@click.option(
    "--tls-cert", type=click.Path(path_type=Path), help="Serve over TLS, with this certificate (PEM)."
)
@click.option(
    "--tls-key",
    type=click.Path(path_type=Path),
    help="The certificate's key (PEM), if it is in a file of its own.",
)
@target_options(create=True, remote=False)
def serve(target: Target, role: str, **listening_options: Any) -> None:
    """Start the HTTP service (REST, SSE, SPARQL and the web page), or one of its services on its own."""
    import uvicorn  # these two take half a second, and the other commands can do without

    from provgraph.assembly import assemble
    from provgraph.gateway.activity import log_as_json
    from provgraph.gateway.connections.admission import Admission, limits_of_process
    from provgraph.gateway.connections.http_connection import socket_connections
    from provgraph.gateway.connections.tls_connection import connections
    from provgraph.gateway.repeated_logs import guard_logs
    from provgraph.gateway.unblocked_stderr import unblocked_stderr

    settings = target.settings.model_copy(
        update={key: value for key, value in listening_options.items() if value is not None}
    )
    certificate = _certificate(settings)
    forget_settings()
    keep_little()
    sys.setswitchinterval(_TURN_S)
    app = assemble(settings, target.data, Role(role)).app()
    listening = _listening(settings.host, settings.port)
    url = _url("https" if certificate else "http", settings.host, listening.getsockname()[1])
    with unblocked_stderr():
        admission = Admission(limits_of_process())
        config = uvicorn.Config(
            app,
            http=connections(admission, certificate.context if certificate else None),
            ws=socket_connections(admission),
            ws_per_message_deflate=False,  # a frame of a few bytes could become any number of them
            log_level="warning",
            log_config=None if settings.log_format == "json" else uvicorn.config.LOGGING_CONFIG,
            timeout_graceful_shutdown=round(settings.stop_within_s * _FOR_ANSWERS),
        )
        if settings.log_format == "json":
            log_as_json()
        guard_logs()
        if settings.spans_url:
            from provgraph.peers.spans import export_spans

            atexit.register(export_spans(settings.spans_url, f"provgraph-{role}"))
        signal.signal(signal.SIGTERM, _end)
        server = (
            _ending_in_time(config, settings.stop_within_s) if settings.store_url else uvicorn.Server(config)
        )
        with announced(target.data, url, certificate.certificate if certificate else ""):
            click.echo(
                f"ProvGraph serves {_what(Role(role), target.data)} at {url}  (API: {url}/docs, stop: Ctrl-C)",
                err=True,
            )
            collect_aside()
            server.run(sockets=[listening])


def _what(role: Role, data: Path) -> str:
    return str(data) if role is Role.ALL else f"{role} ({data})"


def _end(_number: int, _frame: FrameType | None) -> None:
    """The end that a container or a system asks for; uvicorn hands it on when all is closed."""
    raise SystemExit(0)


def _ending_in_time(config: uvicorn.Config, seconds: float) -> uvicorn.Server:
    """A server that has so many seconds from the first signal on to end; then its process ends as it is.

    A store that neither answers nor hangs up can hold calls for minutes. What is cut off so is what a crash cuts off,
    and is done by others, or after the next start.
    """
    import uvicorn

    class EndingInTime(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            ending = threading.Timer(seconds, _end_as_it_is)
            ending.daemon = True
            ending.start()
            super().handle_exit(sig, frame)

    return EndingInTime(config)


def _end_as_it_is() -> None:
    from provgraph.gateway.unblocked_stderr import UnblockedText

    click.echo(
        "What was under way did not end in time: a server that it needs is slow, or does not answer. It is taken up by "
        "another process, or after the next start. PROVGRAPH_STOP_WITHIN_S gives it more time.",
        err=True,
    )
    if isinstance(sys.stderr, UnblockedText):
        sys.stderr.drain(_LAST_WORDS_S)
    os._exit(1)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(
        family, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )  # asyncio leaves Nagle on for others
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()  # from here on a client waits for the service and is not turned away
    except OSError as error:
        listening.close()
        raise Unavailable(
            f"{host}:{port} cannot be used to listen ({error.strerror}). Choose another with --port or --host."
        ) from error
    return listening


def _certificate(settings: Settings) -> ServerCertificate | None:
    """What the service shows, or nothing where it speaks plain HTTP."""
    from provgraph.gateway.connections.tls_connection import server_certificate

    if settings.tls_cert:
        return server_certificate(settings.tls_cert, settings.tls_key)
    if settings.tls_key:
        raise InvalidInput("--tls-key names a key, but there is no certificate. Name one with --tls-cert.")
    return None


def _url(scheme: str, host: str, port: int) -> str:
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"{scheme}://{name}:{port}"


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

    async def text(self, path: str, query: Mapping[str, str], headers: Mapping[str, str] | None) -> str:  # noqa: ARG002
        return await to_thread.run_sync(lambda: self._service.get(path, "text/plain", **query).text)


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
