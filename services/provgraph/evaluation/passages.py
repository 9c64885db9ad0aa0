"""Passages that questions are asked of: read from a file of their own, or collected from the questions; as files for
collections; and which document of the service is which passage.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from provgraph.errors import InvalidInput
from provgraph.evaluation.files import DataFile, Record, text_of
from provgraph.evaluation.questions import CorpusPassage, EvaluationQuestion, QuestionSet
from provgraph.evaluation.replies import IngestedFile
from provgraph.rdf.iris import given_iri


class PassageIds:
    """Both ways between the id of a passage and the IRI of its document; what is unknown stays as it is."""

    def __init__(self, passages: Iterable[str]) -> None:
        self._document = {passage: given_iri(passage).value for passage in passages}
        self._passage = {document: passage for passage, document in self._document.items()}

    @classmethod
    def of(cls, dataset: QuestionSet) -> PassageIds:
        """All that a data set names: its pool, the passages of single questions, and gold evidence."""
        named = [passage.id for passage in dataset.passages]
        for question in dataset.questions:
            named += [*(passage.id for passage in question.passages), *question.gold_passages]
        return cls(named)

    def document(self, passage: str) -> str:
        return self._document.get(passage, passage)

    def passage(self, document: str) -> str:
        return self._passage.get(document, document)


_TOGETHER: Final = 500
"""Passages in one upload: few enough that the bar moves, and that a broken line loses little."""


def collection_of(dataset: QuestionSet, question: EvaluationQuestion) -> str:
    """The collection in which a question's passages are, named by the content of the data set."""
    name = f"evaluate-{_plain(dataset.name)}-{dataset.sha256[:8]}"
    return f"{name}-{_plain(question.id)}" if question.passages else name


def files_of(passages: Sequence[CorpusPassage]) -> Iterator[IngestedFile]:
    """Passages as files: plain ones together in JSON Lines, each page of the web alone."""
    plain = [passage for passage in passages if not passage.html]
    for start in range(0, len(plain), _TOGETHER):
        part = plain[start : start + _TOGETHER]
        lines = (
            json.dumps(
                {"id": corpus_passage.id, "text": corpus_passage.text}
                | ({"title": corpus_passage.title} if corpus_passage.title else {})
            )
            for corpus_passage in part
        )
        yield IngestedFile("passages.jsonl", "\n".join(lines).encode())
    for passage in passages:
        if passage.html:
            content = passage.text.encode(errors="replace")
            yield IngestedFile("page.html", content, passage.id, passage.title)


def _plain(text: str) -> str:
    return "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in text)[:60].strip(
        "-"
    )


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
