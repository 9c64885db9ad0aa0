"""Whom this machine trusts, for the clients of servers that are reached over TLS."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl


@cache
def trusted() -> ssl.SSLContext:
    """The certificates of the system, or those that `SSL_CERT_FILE` or `SSL_CERT_DIR` names.

    Read once in a process: that takes longer than most requests, and a client that is given none reads them for itself.
    """
    import httpx2

    return httpx2.create_ssl_context()


def trusting_only(certificate: str) -> ssl.SSLContext:
    """For a client of the one server that has the key of this certificate (PEM), under whatever name it is reached.

    Raises `ssl.SSLError` or `ValueError` where that is no certificate.
    """
    import ssl

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    context.load_verify_locations(cadata=certificate)
    return context
