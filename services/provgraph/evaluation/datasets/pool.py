"""The passages that questions are asked of: given in a file of their own, or collected from the questions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from provgraph.errors import InvalidInput
from provgraph.evaluation.files import DataFile, Record, text_of
from provgraph.evaluation.questions import CorpusPassage

_ID_HEX = 16


class Pool:
    """Passages under ids made of their content, each once, so that the same data set always has the same ids."""

    def __init__(self, dataset: str) -> None:
        self._dataset = dataset
        self._passages: dict[str, CorpusPassage] = {}

    def add(self, title: str, text: str) -> str:
        """The id of the passage, whether it is new or not."""
        digest = hashlib.sha256(f"{title}\n{text}".encode()).hexdigest()[:_ID_HEX]
        passage = CorpusPassage(f"{self._dataset}/{digest}", title, text)
        self._passages.setdefault(passage.id, passage)
        return passage.id

    @property
    def passages(self) -> tuple[CorpusPassage, ...]:
        return tuple(self._passages.values())


def read_pool(file: DataFile) -> dict[str, CorpusPassage]:
    """Passages by the ids that their file gives them; records without any text are passed over.

    Fields: `id` (or `doc_id`, `_id`), `text` (or `abstract`, `contents`; a list is joined), perhaps `title`.
    """
    found: dict[str, CorpusPassage] = {}
    for number, record in enumerate(file.records):
        where = file.where(number)
        name = text_of(
            record, next((field for field in ("id", "doc_id", "_id") if record.get(field)), "id"), where
        )
        text = joined(
            next((record[field] for field in ("text", "abstract", "contents") if record.get(field)), "")
        )
        if text:
            found[name] = CorpusPassage(name, str(record.get("title") or name), text)
    if not found:
        raise InvalidInput(f"{file.path} holds no passages. Give each record an 'id' and a 'text'.")
    return found


def own_passages(records: Iterable[Record], question: str, where: str) -> tuple[CorpusPassage, ...]:
    """Passages that belong to one question; those without an id are named after it."""
    return tuple(
        CorpusPassage(
            str(record.get("id") or f"{question}/{number}"),
            str(record.get("title") or ""),
            text_of(record, "text", where),
        )
        for number, record in enumerate(records)
    )


def joined(text: Any) -> str:
    """Text that may come as a list of sentences."""
    parts = text if isinstance(text, list) else [text]
    return " ".join(str(part).strip() for part in parts if str(part).strip())


def titles_to_ids(passages: Mapping[str, CorpusPassage]) -> dict[str, str]:
    return {passage.title: name for name, passage in passages.items()} | {name: name for name in passages}
