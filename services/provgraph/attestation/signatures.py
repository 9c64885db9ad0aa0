"""Signatures of Ed25519, and the short names of keys. The library behind them is imported when one is verified."""

from __future__ import annotations

import hashlib
from typing import Final

_FINGERPRINT_HEX: Final = 32


def fingerprint(public_key: bytes) -> str:
    """The first 32 hexadecimal digits of the SHA-256 of the 32 bytes of a public key."""
    return hashlib.sha256(public_key).hexdigest()[:_FINGERPRINT_HEX]


def is_signed(message: bytes, signature: bytes, public_key: bytes) -> bool:
    """Whether the signature is that of the key (RFC 8032, section 5.1.7); also false for what is no key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
