"""Contents of documents → their sentences as they are embedded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from provgraph.documents.sentences import quotable_spans
from provgraph.retrieval.contents import DocumentContents

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors

TITLE_SHARE: Final = 0.3
"""What the title's vector counts beside the sentence's: "He was born in Linz" says of whom only under its title."""

_TITLE: Final = -1


@dataclass(frozen=True)
class EmbeddedChunk:
    """`spans` are the places of its sentences in its text; `title` is its document's."""

    iri: str
    document: str
    title: str
    spans: tuple[tuple[int, int], ...]


SentenceKey = tuple[str, int]
"""A chunk and the number of its sentence; or a title and −1."""


@dataclass
class SentenceChanges:
    """All sentences of some documents, which take the place of what there is of them."""

    documents: list[str] = field(default_factory=list)
    chunks: dict[str, EmbeddedChunk] = field(default_factory=dict)
    subgraphs: list[tuple[str, str]] = field(default_factory=list)
    texts: dict[SentenceKey, str] = field(default_factory=dict)

    def keys_of(self, chunk: EmbeddedChunk) -> list[SentenceKey]:
        """Of all that its vectors are made of."""
        title = [(chunk.title, _TITLE)] if chunk.title else []
        return [*title, *((chunk.iri, number) for number in range(len(chunk.spans)))]

    def vectors_of(self, chunk: EmbeddedChunk, vectors: dict[SentenceKey, Vectors]) -> Vectors:
        """A unit row for each of its sentences, with its title in it."""
        import numpy as np

        rows = np.stack([vectors[chunk.iri, number] for number in range(len(chunk.spans))])
        if chunk.title:
            rows = rows + TITLE_SHARE * vectors[chunk.title, _TITLE]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = (rows / np.maximum(lengths, 1e-9)).astype(np.float32)
        return unit


def sentence_changes(documents: Iterable[DocumentContents]) -> SentenceChanges:
    changes = SentenceChanges()
    for document in documents:
        changes.documents.append(document.iri.value)
        if document.title:
            changes.texts[document.title, _TITLE] = document.title
        for part in document.parts:
            changes.subgraphs += [(subgraph.iri.value, document.iri.value) for subgraph in part.subgraphs]
            if part.place:
                spans = tuple(quotable_spans(part.text))
                chunk = EmbeddedChunk(part.iri.value, document.iri.value, document.title, spans)
                changes.chunks[chunk.iri] = chunk
                for number, (start, end) in enumerate(spans):
                    changes.texts[chunk.iri, number] = part.text[start:end]
    return changes
