"""The indexes of one collection: chunks, entities, facts, and which subgraphs they were made from.

All of it is derived from store and library. The subgraphs are committed last, so what they list is in the others.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from provgraph.retrieval.keyword_index import Entry, KeywordIndex

SCHEMA_VERSION: Final = 5
_STATE: Final = "schema.json"


@dataclass
class IndexChanges:
    """Entries to put, by index."""

    chunks: list[Entry] = field(default_factory=list)
    entities: list[Entry] = field(default_factory=list)
    facts: list[Entry] = field(default_factory=list)
    subgraphs: list[Entry] = field(default_factory=list)


class CollectionIndex:
    """Opens the indexes in `folder`; those of another version, and those that lost something, are thrown away."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        counts = _recorded(folder)
        if counts is None:
            self._start_anew()
        self._open()
        if counts and any(len(index) < counts.get(name, 0) for name, index in self._named().items()):
            self.close()
            self._start_anew()
            self._open()

    def put(self, changes: IndexChanges) -> None:
        """Put the changes and commit them."""
        pairs = (
            (self.facts, changes.facts),
            (self.entities, changes.entities),
            (self.chunks, changes.chunks),
            (self.subgraphs, changes.subgraphs),
        )
        for index, entries in pairs:
            index.put(entries)
        for index, entries in pairs:
            if entries:
                index.commit()
        self._record({name: len(index) for name, index in self._named().items()})

    def missing(self, subgraphs: Sequence[str]) -> list[str]:
        """Those of the subgraphs that are not indexed."""
        known = self.subgraphs.get(subgraphs)
        return [subgraph for subgraph in subgraphs if subgraph not in known]

    def close(self) -> None:
        for index in self._named().values():
            index.close()

    def _open(self) -> None:
        self.chunks = KeywordIndex(self._folder / "chunks")
        self.entities = KeywordIndex(self._folder / "entities")
        self.facts = KeywordIndex(self._folder / "facts")
        self.subgraphs = KeywordIndex(self._folder / "subgraphs")

    def _named(self) -> dict[str, KeywordIndex]:
        return {
            "chunks": self.chunks,
            "entities": self.entities,
            "facts": self.facts,
            "subgraphs": self.subgraphs,
        }

    def _start_anew(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._record({})

    def _record(self, counts: Mapping[str, int]) -> None:
        written = self._folder / f"{_STATE}.new"
        written.write_text(json.dumps({"version": SCHEMA_VERSION, "entries": counts}))
        written.replace(self._folder / _STATE)


def _recorded(folder: Path) -> dict[str, int] | None:
    """How many entries each index had when last changed; None for indexes that this version cannot read."""
    try:
        state = json.loads((folder / _STATE).read_text())
        return dict(state["entries"]) if state["version"] == SCHEMA_VERSION else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
