"""The passages of a data set as files for collections: one for all, or one for each question that has its own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from provgraph.evaluation.questions import Dataset, Passage, Question
from provgraph.evaluation.service import IngestedFile

_TOGETHER: Final = 500
"""Passages in one upload: few enough that the bar moves, and that a broken line loses little."""


def collection_of(dataset: Dataset, question: Question) -> str:
    """The collection in which a question's passages are, named by the content of the data set."""
    name = f"evaluate-{_plain(dataset.name)}-{dataset.sha256[:8]}"
    return f"{name}-{_plain(question.id)}" if question.passages else name


def files_of(passages: Sequence[Passage]) -> Iterator[IngestedFile]:
    """Passages as files: plain ones together in JSON Lines, each page of the web alone."""
    plain = [passage for passage in passages if not passage.html]
    for start in range(0, len(plain), _TOGETHER):
        part = plain[start : start + _TOGETHER]
        lines = (
            json.dumps({"id": each.id, "text": each.text} | ({"title": each.title} if each.title else {}))
            for each in part
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
