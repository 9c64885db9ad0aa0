"""Bytes as they stand in JSON: base64."""

from __future__ import annotations

import base64
import binascii

from provgraph.errors import InvalidInput


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


def decoded(content: str) -> bytes:
    """Raises `InvalidInput` for what is not base64."""
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidInput(f"'content' is not base64 ({error}). Encode the file's bytes.") from error
