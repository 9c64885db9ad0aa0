"""Where a service is, and which one has a folder open: an address, proved before anybody is given a token."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import httpx2

from provgraph.adapters.served_folder import Challenge, announcement, challenge
from provgraph.tls import trusted, trusting_only
from provgraph.wire.addresses import PROOF_PATH, is_loopback

if TYPE_CHECKING:
    import ssl

_PROOF_TIMEOUT_S: Final = 5


@dataclass(frozen=True)
class ServiceAddress:
    """Where a service is, and the certificates that its client takes for its own."""

    url: str
    trust: ssl.SSLContext

    @staticmethod
    def given(url: str) -> ServiceAddress:
        return ServiceAddress(url.rstrip("/"), trusted())

    @property
    def is_beyond(self) -> bool:
        """Whether it is on another machine, where a proxy may be needed."""
        return not is_loopback(httpx2.URL(self.url).host)


def served_at(folder: Path) -> ServiceAddress | None:
    """The address of the service that has the folder open and proves it, or nothing."""
    word = announcement(folder)
    try:
        if not word or not is_loopback(httpx2.URL(word.url).host):
            return None  # questions and the token would go where the word says
        trust = trusting_only(word.certificate) if word.certificate else trusted()
        address = ServiceAddress(word.url, trust)
    except (httpx2.InvalidURL, ValueError, OSError):
        return None
    with challenge(folder) as asked:
        return address if _proves(address, asked) else None


def _proves(address: ServiceAddress, asked: Challenge) -> bool:
    """Whether who listens there sees the challenge. Nobody is given a token before."""
    url = httpx2.URL(address.url)
    try:
        reply = httpx2.get(
            url.copy_with(path=PROOF_PATH, params={"question": asked.question}),
            timeout=_PROOF_TIMEOUT_S,
            trust_env=False,
            verify=address.trust,
        )
        reply.raise_for_status()
        return asked.is_met_by(str(reply.json()["proof"]), url.port or (443 if url.scheme == "https" else 80))
    except (OSError, ValueError, KeyError, TypeError, httpx2.HTTPError, httpx2.InvalidURL):
        return False
