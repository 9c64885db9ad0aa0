"""How a disk that takes no more is told from other failures: by an error's number, or by a server's words for it.
And whether it has room again."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

_NUMBERS: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_WORDS: Final = ("no space left", "quota exceeded", "file too large", "insufficient storage")
"""What the C library calls these numbers, and HTTP its status 507; servers hand it on in their own sentences."""


def is_full(error: OSError) -> bool:
    """Whether the error of a write says that there was no room for it."""
    return error.errno in _NUMBERS or tells_of_no_room(str(error))


def tells_of_no_room(said: str) -> bool:
    """Whether a server says that its disk takes no more."""
    return any(words in said.lower() for words in _WORDS)


def has_room(folder: Path, size: int) -> bool:
    """Whether a file of so many bytes fits into a folder: it is reserved for a moment, for of quotas and other limits
    the disk's free space says nothing."""
    reserve = getattr(os, "posix_fallocate", None)  # macOS has none
    if not reserve:
        return shutil.disk_usage(folder).free >= size
    try:
        with TemporaryFile(dir=folder) as file:
            reserve(file.fileno(), 0, size)
    except OSError as error:
        if is_full(error):
            return False
        raise
    return True
