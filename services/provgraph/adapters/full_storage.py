"""How a disk or an object store that takes no more is told from other failures, and whether a disk has room
again."""

from __future__ import annotations

import errno
import os
import re
import shutil
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

_NUMBERS: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_DISK_WORDS: Final = ("no space left", "quota exceeded", "file too large", "insufficient storage")
"""What the C library calls these numbers, and HTTP its status 507; servers hand it on in their own sentences."""


def is_full(error: OSError) -> bool:
    """Whether the error of a write says that there was no room for it."""
    return error.errno in _NUMBERS or tells_of_no_room(str(error))


def tells_of_no_room(said: str) -> bool:
    """Whether a server says that its disk takes no more."""
    return any(words in said.lower() for words in _DISK_WORDS)


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


_ANSWER: Final = re.compile(
    r"Server returned non-2xx status code: (\d{3})(.*?)(?:\n\nDebug source|\Z)", re.DOTALL
)
_CODE: Final = re.compile(r"<Code>([^<]{1,100})</Code>")
_SENTENCE: Final = re.compile(r"<Message>([^<]{1,1000})</Message>")
_STATUS: Final = 507
_OF_RATES: Final = (429, 503)
_CODES: Final = frozenset(
    {
        "XMinioStorageFull",
        "XMinioAdminBucketQuotaExceeded",
        "QuotaExceeded",
        "InsufficientStorageSpace",
    }
)
_STORE_WORDS: Final = "quota is reached"


def answer_of_no_room(error: Exception) -> str:
    """What the store said, where it was that it takes no more; else nothing.

    Names of buckets and keys, which the message has too, are not looked at.
    """
    answer = _ANSWER.search(str(error))
    if not answer or int(answer[1]) in _OF_RATES:
        return ""
    status, body = int(answer[1]), answer[2]
    code, sentence = _found(_CODE, body), _found(_SENTENCE, body)
    full = status == _STATUS or code in _CODES or tells_of_no_room(sentence) or _STORE_WORDS in sentence
    return " ".join(filter(None, [answer[1], code, sentence])) if full else ""


def _found(pattern: re.Pattern[str], body: str) -> str:
    match = pattern.search(body)
    return match[1].strip() if match else ""
