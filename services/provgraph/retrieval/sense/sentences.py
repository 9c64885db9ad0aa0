"""Contents of documents → their sentences as they are embedded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from provgraph.documents.tables import quotable_spans
from provgraph.retrieval.contents import DocumentContents

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors

TITLE_SHARE: Final = 0.3
"""What the title's vector counts beside the sentence's: "He was born in Linz" says of whom only under its title."""

MOST_OF_A_CHUNK: Final = 64
"""Prose has a dozen sentences in a thousand characters. Of more, neighbours are embedded together: a file of lines of
one letter each would have a vector, of two kilobytes, for every two bytes."""

MOST_AT_ONCE: Final = 4_096
"""Sentences whose vectors are in memory together, but for those of the chunk that is the last of them."""

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

    def in_parts(self, wanted: Sequence[SentenceKey]) -> Iterator[tuple[SentenceChanges, list[SentenceKey]]]:
        """The changes again and again, each time with some of the keys that are wanted: whole chunks of them. Only the
        last names the subgraphs, so that documents count as embedded when all of them is."""
        of_chunks = dict.fromkeys(iri for iri, number in wanted if number != _TITLE)
        part: dict[SentenceKey, None] = {}
        for iri in of_chunks:
            if len(part) >= MOST_AT_ONCE:
                yield replace(self, subgraphs=[]), list(part)
                part = {}
            part |= dict.fromkeys(self.keys_of(self.chunks[iri]))
        yield self, list(part)

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
                spans = tuple(embedded_spans(part.text))
                chunk = EmbeddedChunk(part.iri.value, document.iri.value, document.title, spans)
                changes.chunks[chunk.iri] = chunk
                for number, (start, end) in enumerate(spans):
                    changes.texts[chunk.iri, number] = part.text[start:end]
    return changes


def embedded_spans(text: str) -> list[tuple[int, int]]:
    """The places of the sentences of a text, or of as many groups of neighbours as get vectors."""
    spans = quotable_spans(text)
    size = -(-len(spans) // MOST_OF_A_CHUNK)
    if size < 2:
        return spans
    groups = (spans[at : at + size] for at in range(0, len(spans), size))
    return [(group[0][0], group[-1][1]) for group in groups]
