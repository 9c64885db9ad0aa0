"""Passages of a data set and documents of the service: which is which."""

from __future__ import annotations

from collections.abc import Iterable

from provgraph.rdf.iris import given_iri


class PassageIds:
    """Both ways between the id of a passage and the IRI of its document; what is unknown stays as it is."""

    def __init__(self, passages: Iterable[str]) -> None:
        self._document = {passage: given_iri(passage).value for passage in passages}
        self._passage = {document: passage for passage, document in self._document.items()}

    def document(self, passage: str) -> str:
        return self._document.get(passage, passage)

    def passage(self, document: str) -> str:
        return self._passage.get(document, document)
