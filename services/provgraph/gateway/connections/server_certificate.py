"""The certificate that a service shows and the key that goes with it, tried out before anybody connects."""

from __future__ import annotations

import re
import ssl
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provgraph.errors import InvalidInput
from provgraph.tls import trusting_only

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
    found = _CERTIFICATE.search(_text(file, "--tls-cert"))
    if not found:
        raise InvalidInput(
            f"{file} holds no certificate: a PEM file has a line '-----BEGIN CERTIFICATE-----'."
        )
    return found[0] + "\n"


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
