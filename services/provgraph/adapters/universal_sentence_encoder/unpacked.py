"""The encoder's files as they are worked with, unpacked once for each user and kept in the user's folder for caches.

To unpack 30 MB and to read 128,000 pieces takes half a second, which each command would spend again, and 65 MB of each
process. A table that is mapped from a file takes none of either: what a text needs of it is read.

The folder is `provgraph/` in `$XDG_CACHE_HOME`, or in `~/.cache`. What stands there is named by the digests of the
package's files and its form, is written whole or not at all, and is made again where it is gone or damaged. Where
nothing can be written, all of it is held in memory.
"""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from provgraph.adapters.universal_sentence_encoder.network import PieceVocabulary, table_of

FORM: Final = 1
"""Rises when the files below are written in another form."""
_TABLE: Final = "table.npy"
_REST: Final = "rest.npz"
_ARRAYS: Final = "w."

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Unpacked:
    """`table` (piece, 512) of bytes, the other weights by their names, and the vocabulary."""

    table: NDArray[np.uint8]
    weights: Arrays
    vocabulary: PieceVocabulary

    @classmethod
    def of(cls, weights: Arrays, model: bytes) -> Unpacked:
        """From the package's archive of weights and its SentencePiece file."""
        others = {name: weights[name] for name in weights if not name.startswith("q")}
        return cls(table_of(weights), others, PieceVocabulary.of(model))

    @classmethod
    def read(cls, folder: Path) -> Unpacked:
        """Raises `OSError`, `KeyError`, `ValueError` and `BadZipFile` for files that are not whole."""
        table = np.load(folder / _TABLE, mmap_mode="r")
        with (folder / _REST).open("rb") as file, np.load(file) as rest:
            arrays = {name: rest[name] for name in rest.files}
        weights = {name.removeprefix(_ARRAYS): arrays[name] for name in arrays if name.startswith(_ARRAYS)}
        pieces = arrays["pieces"].tobytes().decode().split("\n")
        scores, normalizer = arrays["scores"], arrays["normalizer"].tobytes()
        return cls(table, weights, PieceVocabulary(pieces, scores, normalizer))

    def write(self, folder: Path) -> None:
        """Raises `OSError`."""
        folder.mkdir(parents=True, exist_ok=True)
        known = self.vocabulary
        rest: dict[str, Any] = {f"{_ARRAYS}{name}": array for name, array in self.weights.items()}
        rest["pieces"] = np.frombuffer("\n".join(known.pieces).encode(), np.uint8)
        rest["scores"], rest["normalizer"] = known.scores, np.frombuffer(known.normalizer, np.uint8)
        _replace(folder / _REST, lambda file: np.savez(file, **rest))
        _replace(folder / _TABLE, lambda file: np.save(file, self.table))


def load_or_unpack(digest: str, unpack: Callable[[], Unpacked]) -> Unpacked:
    """What was unpacked before of the files with that digest, or what `unpack` gives, kept for the next time."""
    folder = _cache_folder()
    if folder is None:
        return unpack()
    own = folder / f"sentence-encoder-{FORM}-{digest}"
    with suppress(OSError, KeyError, ValueError, zipfile.BadZipFile):  # not there, or not whole: made anew
        return Unpacked.read(own)
    unpacked = unpack()
    with suppress(OSError):  # no room, or no right to write: the next process unpacks for itself
        unpacked.write(own)
        return Unpacked.read(own)
    return unpacked


def _cache_folder() -> Path | None:
    """None where there is no home."""
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    except RuntimeError:
        return None
    return home / "provgraph"


def _replace(path: Path, write: Callable[[Any], None]) -> None:
    """Write a file aside, have it on the disk, and put it in its place: two processes may do so at once."""
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
