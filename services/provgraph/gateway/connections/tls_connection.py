"""TLS before HTTP: a connection has its place, and its deadline, before it has shown that it speaks TLS at all.

Asyncio's own TLS servers know a connection only after its handshake, so those who never begin one would be counted by
nobody.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.server import ServerState

from provgraph.errors import InvalidInput
from provgraph.gateway.connections.admission import Admission
from provgraph.gateway.connections.http_connection import HttpConnection, http_connections
from provgraph.tls import trusting_only

_FIRST_BYTES: Final = 65_536
"""What may come before the handshake has been noticed to be over; TLS stops reading from the network long before."""

_FAREWELL_S: Final = 2.0
"""How long the other side has to agree that a connection ends; it has no place any more meanwhile."""


class TlsConnection(asyncio.Protocol):
    """Shakes hands, and leaves its place to an `HttpConnection` that speaks over the encrypted transport."""

    context: ssl.SSLContext
    admission: Admission
    http: type[HttpConnection]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self._server_state = server_state
        self._make_http = partial(self.http, config, server_state, app_state, _loop)
        self._transport: asyncio.Transport | None = None
        self._shaking: asyncio.Task[None] | None = None
        self._came = b""

    @property
    def address(self) -> str:
        peer = self._transport.get_extra_info("peername") if self._transport else None
        return str(peer[0]) if peer else ""

    def leave(self) -> None:
        if self._transport:
            self._transport.abort()

    shutdown = leave
    """What uvicorn calls when the service ends."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if self._shaking or not isinstance(transport, asyncio.Transport):
            return
        self._transport = transport
        if not self.admission.open(self):
            transport.abort()
            return
        self._server_state.connections.add(self)  # type: ignore[arg-type]
        # Its first step comes before anything is read: start_tls takes the transport over there and then.
        self._shaking = asyncio.get_running_loop().create_task(self._shake_hands(transport))

    def data_received(self, data: bytes) -> None:
        """What comes with the last message of the handshake."""
        self._came += data
        if len(self._came) > _FIRST_BYTES:
            self.leave()

    def connection_lost(self, _exc: Exception | None) -> None:
        self._forget()

    async def _shake_hands(self, transport: asyncio.Transport) -> None:
        seconds = self.admission.limits.idle_s
        try:
            encrypted = await asyncio.get_running_loop().start_tls(
                transport,
                self,
                self.context,
                server_side=True,
                ssl_handshake_timeout=seconds,
                ssl_shutdown_timeout=_FAREWELL_S,
            )
        except (OSError, asyncio.CancelledError):  # OSError is the parent of what ssl raises
            transport.abort()
            self._forget()
            return
        self._forget()
        if encrypted is None or encrypted.is_closing():
            return
        http = self._make_http()
        encrypted.set_protocol(http)
        http.connection_made(encrypted)
        if self._came:
            http.data_received(self._came)

    def _forget(self) -> None:
        self.admission.closed(self)
        self._server_state.connections.discard(self)


def connections(admission: Admission, context: ssl.SSLContext | None) -> type[asyncio.Protocol]:
    """The protocol of a server whose connections `admission` counts: HTTP, over TLS where there is a `context`.

    Uvicorn itself is told nothing of TLS.
    """
    http = http_connections(admission)
    if context is None:
        return http
    return type(
        "AdmittedTlsConnection", (TlsConnection,), {"context": context, "admission": admission, "http": http}
    )


_CERTIFICATE: Final = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)
_WRONG_DATES: Final = {9: "is not valid yet", 10: "has expired"}
"""X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED (OpenSSL, X509_STORE_CTX_get_error(3))."""


@dataclass(frozen=True)
class ServerCertificate:
    """`context` for the server's side of connections; `certificate` (PEM) is the service's own, without its chain."""

    context: ssl.SSLContext
    certificate: str


def server_certificate(certificate: Path, key: Path | None) -> ServerCertificate:
    """Read both files (PEM); the key may stand in the certificate's file. TLS 1.2 and 1.3 are spoken.

    Raises `InvalidInput` that says what is wrong with them: missing, no certificate, no key or not its own, encrypted,
    expired, or for another purpose.
    """
    shown = _own_certificate(certificate)
    key_text = _text(key, "--tls-key") if key else ""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    try:
        context.load_cert_chain(certificate, key, password=_no_password)
    except ssl.SSLError as error:
        raise InvalidInput(_unfit(certificate, key or certificate, error, key_text)) from error
    _try(context, shown, certificate)
    return ServerCertificate(context, shown)


def _own_certificate(file: Path) -> str:
    """The first of a file, which is the server's own (RFC 8446, section 4.4.2)."""
    match = _CERTIFICATE.search(_text(file, "--tls-cert"))
    if not match:
        raise InvalidInput(
            f"{file} holds no certificate: a PEM file has a line '-----BEGIN CERTIFICATE-----'."
        )
    return match[0] + "\n"


def _text(file: Path, option: str) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace")
    except OSError as error:
        raise InvalidInput(f"{file}, given with {option}, cannot be read ({error.strerror}).") from error


def _no_password() -> str:
    raise InvalidInput(
        "The key is encrypted, and a service that starts by itself has nobody to ask for the password. "
        "Write it without one: openssl pkey -in KEY -out KEY.plain, and keep that file to yourself (chmod 600)."
    )


def _unfit(certificate: Path, key: Path, error: ssl.SSLError, key_text: str) -> str:
    if error.reason == "KEY_VALUES_MISMATCH":
        return f"The key in {key} is not the one of the certificate in {certificate}."
    if key == certificate:
        return f"{certificate} holds no key. Name the file that does with --tls-key."
    if "PRIVATE KEY" not in key_text:
        return f"{key} holds no key: a PEM file has a line '-----BEGIN PRIVATE KEY-----'."
    return f"{certificate} and {key} cannot be used ({error.reason or error})."


def _try(context: ssl.SSLContext, shown: str, file: Path) -> None:
    """Shake hands with a client that trusts this certificate alone, and judges its dates and purpose."""
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = context.wrap_bio(to_server, to_client, server_side=True)
    try:
        client = trusting_only(shown).wrap_bio(to_client, to_server)
        for side in (client, server, client, server):
            with suppress(ssl.SSLWantReadError):
                side.do_handshake()
    except ssl.SSLCertVerificationError as error:
        wrong = _WRONG_DATES.get(error.verify_code, f"would be refused by clients: {error.verify_message}")
        raise InvalidInput(f"The certificate in {file} {wrong}.") from error
    except (ssl.SSLError, ValueError) as error:
        raise InvalidInput(f"The certificate in {file} cannot be used ({error}).") from error
