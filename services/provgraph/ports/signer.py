"""Port of what signs records: a key in the data folder or the environment, or a signer outside this process.

A hardware module or a signing service implements `Signer`; `assembly.stores` hands it to the store.
"""

from __future__ import annotations

from typing import Protocol


class Signer(Protocol):
    """Ed25519 (RFC 8032) with one private key, which this process need not know."""

    @property
    def public_key(self) -> bytes:
        """32 bytes."""
        ...

    def sign(self, message: bytes) -> bytes:
        """64 bytes. Raises `Unavailable` where the key cannot be used."""
        ...
