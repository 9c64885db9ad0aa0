"""`Signer` with the key of this installation: of the environment, or a file in the data folder, made when needed."""

from __future__ import annotations

import base64
import binascii
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from provgraph.errors import InvalidInput, Unavailable

if TYPE_CHECKING:  # slow to import, and needed where something is written
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SETTING: Final = "PROVGRAPH_SIGNING_KEY"
_KEY_BYTES: Final = 32


@dataclass(frozen=True)
class InstallationKey:
    """The private key of RFC 8032, 32 bytes in Base64: `given` by the environment, else the line of `file`.

    Nothing is read or made before it is needed.
    """

    file: Path
    given: str = ""

    @property
    def public_key(self) -> bytes:
        return self._key.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)

    @cached_property
    def _key(self) -> Ed25519PrivateKey:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self._private_bytes())

    def _private_bytes(self) -> bytes:
        """Raises `InvalidInput` for a setting that is none, `Unavailable` for a file that is none or cannot be made."""
        if self.given:
            if (key := _decoded(self.given)) is None:
                raise InvalidInput(f"{SETTING} is no Ed25519 key. Set it to 32 bytes in Base64.")
            return key
        try:
            if not self.file.exists():
                self._make()
            key = _decoded(self.file.read_text())
        except (OSError, UnicodeDecodeError) as error:
            raise Unavailable(
                f"The signing key {self.file} cannot be read or made ({error}). Check the folder's permissions, or "
                f"give the key in {SETTING}."
            ) from error
        if key is None:
            raise Unavailable(
                f"The signing key {self.file} is damaged. Put the right one in its place; without it, remove the file: "
                "a new key is made, and 'provgraph check --signatures' names the record from which on it signs."
            )
        return key

    def _make(self) -> None:
        line = base64.b64encode(os.urandom(_KEY_BYTES)) + b"\n"
        draft = self.file.with_suffix(f".{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.write(descriptor, line)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        draft.replace(self.file)


def _decoded(text: str) -> bytes | None:
    try:
        key = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        return None
    return key if len(key) == _KEY_BYTES else None
