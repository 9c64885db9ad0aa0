"""Passages of a data set and documents of the service: which is which."""

from __future__ import annotations

from collections.abc import Iterable

from provgraph.evaluation.questions import Dataset
from provgraph.rdf.iris import given_iri


class PassageIds:
    """Both ways between the id of a passage and the IRI of its document; what is unknown stays as it is."""

    def __init__(self, passages: Iterable[str]) -> None:
        self._document = {passage: given_iri(passage).value for passage in passages}
        self._passage = {document: passage for passage, document in self._document.items()}

    @classmethod
    def of(cls, dataset: Dataset) -> PassageIds:
        """All that a data set names: its pool, the passages of single questions, and gold evidence."""
        named = [passage.id for passage in dataset.passages]
        for question in dataset.questions:
            named += [*(passage.id for passage in question.passages), *question.gold_passages]
        return cls(named)

    def document(self, passage: str) -> str:
        return self._document.get(passage, passage)

    def passage(self, document: str) -> str:
        return self._passage.get(document, document)
