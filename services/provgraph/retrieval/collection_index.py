"""The indexes of one collection: entities, readings of facts, chunks, and marks of who is who.

All of it is derived from store and library. A *reading* is a fact as one subgraph says it: entries are only ever
added or removed with their document, never counted up, so following a document again changes nothing and what is
indexed step by step equals what is built at once. Each chunk's entry lists its subgraphs; chunks are committed
last, so a subgraph that is listed is indexed whole.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from provgraph.retrieval.identity.marks import MARK_FIELDS
from provgraph.retrieval.keyword_index import DamagedIndex, Entry, Fields, KeywordIndex

SCHEMA_VERSION: Final = 6
"""Rises with every change of the fields, the payloads, or how text is cut into terms."""

CHUNK_FIELDS: Final = Fields(
    keys=("chunk", "document", "subgraph", "topic", "name", "called"), ranked=("words",)
)
READING_FIELDS: Final = Fields(
    keys=("document", "chunk", "fact", "node", "type"), terms=("labels", "context")
)
ENTITY_FIELDS: Final = Fields(keys=("key", "label", "type", "entity", "form"), terms=("words",))


@dataclass
class IndexChanges:
    """Entries, and documents that they take the place of what is indexed of: a document whose entries come in several
    changes is named by the first of them."""

    documents: list[str] = field(default_factory=list)
    chunks: list[Entry] = field(default_factory=list)
    readings: list[Entry] = field(default_factory=list)
    entities: list[Entry] = field(default_factory=list)
    marks: list[Entry] = field(default_factory=list)


class CollectionIndex:
    """The indexes in `folder`. Indexes of another schema version are thrown away, damaged ones too."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shown: CollectionIndex | None = None
        if not _is_current(folder):
            _clear(folder)
        try:
            self._open()
        except DamagedIndex:
            _clear(folder)
            self._open()

    @property
    def as_it_is(self) -> CollectionIndex:
        """The indexes as they were committed last, all at the same moment, for questions only.

        One question searches many times and reads what it found: all of it has to be from one moment.
        """
        return self._shown or self

    def without(self, documents: Sequence[str], facts: Sequence[str]) -> CollectionIndex:
        """The indexes as they are now, for questions only, as if these documents and facts (by key) were not there."""
        narrowed = copy(self.as_it_is)
        narrowed.readings = self.readings.without("document", documents).without("fact", facts)
        narrowed.chunks = self.chunks.without("document", documents)
        narrowed.marks = self.marks.without("document", documents).without("fact", facts)
        return narrowed

    def put(self, changes: IndexChanges) -> None:
        """Add the changes; they count from `commit` on."""
        for index in (self.readings, self.marks, self.chunks):
            index.remove("document", changes.documents)
        self.entities.add(self._unseen(changes.entities))
        self.readings.add(changes.readings)
        self.marks.add(changes.marks)
        self.chunks.add(changes.chunks)

    def names(self, documents: Iterable[str]) -> dict[str, set[str]]:
        """The labels under which the entities of these documents are indexed, by IRI."""
        nodes = {
            node
            for document in documents
            for address in self.readings.all_having("document", document)
            for node in self.readings.payload(address)["nodes"]
        }
        return {node: self._labels(node) for node in nodes}

    def forget_names(self, names: Mapping[str, Iterable[str]]) -> None:
        """Remove labels of entities; this counts from `commit` on."""
        keys = [f"{node} {label}" for node, labels in names.items() for label in labels]
        self.entities.remove("key", keys)
        self._added.difference_update(keys)

    def _labels(self, node: str) -> set[str]:
        keys = self.entities.values("key", f"{node} ")
        return {key.removeprefix(f"{node} ") for key in keys if self.entities.count("key", key)}

    def commit(self) -> None:
        for index in self._indexes:
            index.commit()
        self._added.clear()
        self._show()

    def rollback(self) -> None:
        for index in self._indexes:
            index.rollback()
        self._added.clear()

    def subgraphs(self) -> set[str]:
        """The IRIs of all subgraphs that are indexed."""
        return set(self.chunks.values("subgraph"))

    def documents_of(self, subgraphs: Sequence[str]) -> set[str]:
        """The documents that the index has these subgraphs from."""
        documents = set()
        for subgraph in subgraphs:
            for _, address in self.chunks.search(self.chunks.having("subgraph", subgraph), 2):
                documents.add(str(self.chunks.payload(address)["document"]))
        return documents

    def close(self) -> None:
        for index in self._indexes:
            index.close()

    def _open(self) -> None:
        self.entities = KeywordIndex(self._folder / "entities", ENTITY_FIELDS)
        self.readings = KeywordIndex(self._folder / "readings", READING_FIELDS)
        self.marks = KeywordIndex(self._folder / "marks", MARK_FIELDS)
        self.chunks = KeywordIndex(self._folder / "chunks", CHUNK_FIELDS)
        self._added: set[str] = set()
        self._show()

    def _show(self) -> None:
        """Let questions see what is committed, in all indexes at once."""
        shown: CollectionIndex = copy(self)
        shown.entities, shown.readings = self.entities.as_it_is(), self.readings.as_it_is()
        shown.marks, shown.chunks = self.marks.as_it_is(), self.chunks.as_it_is()
        self._shown, shown._shown = shown, None

    @property
    def _indexes(self) -> tuple[KeywordIndex, ...]:
        """In the order in which they are committed: chunks last."""
        return self.entities, self.readings, self.marks, self.chunks

    def _unseen(self, entries: Iterable[Entry]) -> Iterable[Entry]:
        for entry in entries:
            (key,) = entry.keys["key"]
            if key not in self._added and not self.entities.count("key", key):
                self._added.add(key)
                yield entry


def _is_current(folder: Path) -> bool:
    """Whether the folder holds all indexes, of this schema version."""
    try:
        version = json.loads((folder / "schema.json").read_text())["version"]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    parts = ("entities", "readings", "marks", "chunks")
    return bool(version == SCHEMA_VERSION and all((folder / part / "meta.json").exists() for part in parts))


def _clear(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "schema.json").write_text(json.dumps({"version": SCHEMA_VERSION}))
