"""Documents written for training the network that reads for answers, each with questions and claims
(`training/comprehension/documents.jsonl.xz`); one in five is kept from the training, for fitting weights and measuring.

A line is a document (JSON): `title`, `text`, `questions` of `q`, `answer` (characters of the text) and `near` (how the
sentence begins that has it), `unanswerable` questions, `claims` of `true`, `false` and `near`, and `open` claims.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from pathlib import Path
from typing import Any, Final

DOCUMENTS: Final = Path(__file__).parents[1] / "training/comprehension/documents.jsonl.xz"
PARTS: Final = 5


def written_documents(held: bool) -> list[dict[str, Any]]:
    """Those that are kept from the training, or all others."""
    with lzma.open(DOCUMENTS, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row for row in rows if is_held(row["title"]) == held]


def is_held(title: str) -> bool:
    digest = hashlib.sha1(title.encode(), usedforsecurity=False).digest()
    return int.from_bytes(digest) % PARTS == 0
