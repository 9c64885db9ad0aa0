"""Passages of a data set as files for collections, and which document of the service is which passage."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from provgraph.evaluation.questions import CorpusPassage, EvaluationQuestion, QuestionSet
from provgraph.evaluation.service import IngestedFile
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
