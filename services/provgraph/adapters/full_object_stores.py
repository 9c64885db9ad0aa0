"""How an object store that takes no more is told from other failures: by what it answered to a write.

`obstore` has no exception of its own for it: its message quotes the answer, whose body is XML with a code and a
sentence (S3 API, "Error responses"; Azure and Google's XML API alike). Who answers what:

    MinIO          507 XMinioStorageFull                its drives
                   500 InternalError                    its drives, in the system's words
                   400 XMinioAdminBucketQuotaExceeded   a bucket's quota
    Ceph           403 QuotaExceeded                    a user's or a bucket's quota, often without a sentence
    Garage         403 AccessDenied                     a bucket's quota, in words
    Huawei OBS     403 InsufficientStorageSpace         a bucket's quota
    others         507

S3, Google Cloud Storage and Azure Blob Storage themselves have room without end. What they call a quota is a rate, told
with 429 or 503, which passes by itself.
"""

from __future__ import annotations

import re
from typing import Final

from provgraph.adapters.full_disks import tells_of_no_room

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
_WORDS: Final = "quota is reached"


def answer_of_no_room(error: Exception) -> str:
    """What the store said, where it was that it takes no more; else nothing.

    Names of buckets and keys, which the message has too, are not looked at.
    """
    answer = _ANSWER.search(str(error))
    if not answer or int(answer[1]) in _OF_RATES:
        return ""
    status, body = int(answer[1]), answer[2]
    code, sentence = _found(_CODE, body), _found(_SENTENCE, body)
    full = status == _STATUS or code in _CODES or tells_of_no_room(sentence) or _WORDS in sentence
    return " ".join(filter(None, [answer[1], code, sentence])) if full else ""


def _found(pattern: re.Pattern[str], body: str) -> str:
    found = pattern.search(body)
    return found[1].strip() if found else ""
