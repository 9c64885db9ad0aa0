"""Which service has a data folder open: where it says so, and how it proves that this folder is its own.

`serving.json` names an address, and nothing more: the file is copied with the folder, and outlives a crash. So a
command leaves an empty file in the folder whose name is a secret, and asks the service at that address for it. Only
who sees the very same folder, under whatever name, can answer; a copy, a folder that was served before, and whoever
listens on the port now cannot. See docs/tech-specs/served-folders.md.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provgraph.errors import NotFound, Unavailable

SERVING_FILE: Final = "serving.json"
_SECRET_BYTES: Final = 32
_CHALLENGE: Final = re.compile(r"challenge-([0-9a-f]{64})")


@contextmanager
def announced(folder: Path, url: str, certificate: str = "") -> Iterator[None]:
    """Leave word in a folder of the service that has it open, for commands that are given the folder.

    `certificate` (PEM) is what it shows where it speaks TLS.
    """
    for forgotten in folder.glob("challenge-*"):
        forgotten.unlink(missing_ok=True)
    word = folder / SERVING_FILE
    word.write_text(json.dumps({"url": url, "pid": os.getpid(), "certificate": certificate}))
    try:
        yield
    finally:
        word.unlink(missing_ok=True)


@dataclass(frozen=True)
class Announcement:
    """The address that a folder names, and the `certificate` (PEM) shown there or nothing. Whose service answers
    there is not known yet."""

    url: str
    certificate: str = ""


def announcement(folder: Path) -> Announcement | None:
    """What a folder says of its service, or nothing where it says nothing that can be understood."""
    try:
        word = json.loads((folder / SERVING_FILE).read_text())
        return Announcement(str(word["url"]), str(word.get("certificate", "")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


@dataclass(frozen=True)
class Challenge:
    """What a service is asked, which tells nobody the secret; and whether an answer proves that it found it."""

    secret: str

    @property
    def question(self) -> str:
        return _question(self.secret)

    def is_met_by(self, proof: str, port: int) -> bool:
        """`port` is the one that was asked: a proof that somebody there fetched from another port is none."""
        return hmac.compare_digest(proof.encode(), _proof(self.secret, port).encode())


@contextmanager
def challenge(folder: Path) -> Iterator[Challenge]:
    """A secret that lies in the folder meanwhile. Raises `Unavailable` when nothing can be written there."""
    secret = secrets.token_hex(_SECRET_BYTES)
    file = folder / f"challenge-{secret}"
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise Unavailable(
            f"Whether {folder} is being served cannot be determined: the folder is not writable ({error.strerror}). "
            "Name the service with --url."
        ) from error
    try:
        yield Challenge(secret)
    finally:
        file.unlink(missing_ok=True)


class FolderProver:
    """Answers challenges for the folder that this process has open, also after it was given another name."""

    def __init__(self, folder: Path) -> None:
        self._path = folder
        self._folder: int | None = None

    async def open(self) -> None:
        self._folder = os.open(self._path, os.O_RDONLY | os.O_DIRECTORY)

    async def close(self) -> None:
        if self._folder is not None:
            os.close(self._folder)
            self._folder = None

    def proof(self, question: str, port: int) -> str:
        """`port` is where the service was asked. Raises `NotFound` when the challenge does not lie in the folder."""
        for secret in self._secrets():
            if hmac.compare_digest(_question(secret), question):
                return _proof(secret, port)
        raise NotFound("This service has another folder open. Name the one that it serves, or its address.")

    def _secrets(self) -> list[str]:
        if self._folder is None:
            return []
        with os.scandir(self._folder) as entries:
            names = [_CHALLENGE.fullmatch(entry.name) for entry in entries]
        return [name[1] for name in names if name]


def _question(secret: str) -> str:
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def _proof(secret: str, port: int) -> str:
    return hmac.new(bytes.fromhex(secret), str(port).encode(), hashlib.sha256).hexdigest()
