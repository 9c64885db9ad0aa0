"""Contents of documents → the texts that are embedded, and what each of them is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from provgraph.rdf.iris import local_name
from provgraph.rdf.terms import NamedNode
from provgraph.retrieval.contents import DocumentContents, SubgraphContents
from provgraph.retrieval.vectors.ledger import Item

CHUNK, ENTITY, TYPE = "chunk", "entity", "type"
KINDS: Final = (CHUNK, ENTITY, TYPE)


@dataclass
class VectorChanges:
    """All items of some documents; `texts` has the text of each by kind and digest."""

    documents: list[str] = field(default_factory=list)
    items: dict[Item, None] = field(default_factory=dict)
    subgraphs: list[tuple[str, str]] = field(default_factory=list)
    texts: dict[tuple[str, bytes], str] = field(default_factory=dict)

    def in_parts(
        self, wanted: Sequence[tuple[str, bytes]]
    ) -> Iterator[tuple[VectorChanges, list[tuple[str, bytes]]]]:
        """All at once: a text has one vector, however often it stands in the documents."""
        yield self, list(wanted)

    def add(self, kind: str, text: str, thing: tuple[str, str], origin: tuple[str, str]) -> None:
        """`thing` is IRI and label, `origin` chunk and document."""
        if text.strip():
            digest = sha256(text.encode()).digest()[:16]
            self.texts[kind, digest] = text
            self.items[Item(kind, digest, *thing, *origin)] = None


def vector_changes(documents: Iterable[DocumentContents]) -> VectorChanges:
    changes = VectorChanges()
    for document in documents:
        changes.documents.append(document.iri.value)
        for part in document.parts:
            origin = part.iri.value, document.iri.value
            if part.place:
                text = f"{document.title}\n{part.text}" if document.title else part.text
                changes.add(CHUNK, text, (part.iri.value, document.title), origin)
            for subgraph in part.subgraphs:
                changes.subgraphs.append((subgraph.iri.value, document.iri.value))
                for kind, node, label in _things(subgraph):
                    changes.add(kind, label, (node.value, label), origin)
    return changes


def _things(subgraph: SubgraphContents) -> Iterator[tuple[str, NamedNode, str]]:
    """Entities by each of their labels, and the types they have."""
    for reading in subgraph.readings.values():
        ends = (reading.fact.subject, reading.labels[0]), (reading.fact.object, reading.labels[2])
        for thing, shown in ends:
            if isinstance(thing, NamedNode):
                for label in dict.fromkeys((shown, *subgraph.names.get(thing, ()))):
                    yield ENTITY, thing, label
    for types in subgraph.types.values():
        for type_ in types:
            yield TYPE, NamedNode(type_), local_name(type_)
