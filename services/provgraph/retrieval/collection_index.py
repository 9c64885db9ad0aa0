"""The indexes of one collection: chunks, entities, facts, and which subgraphs they were made from.

All of it is derived from store and library. The subgraphs are committed last, so what they list is in the others.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from provgraph.retrieval.keyword_index import Entry, KeywordIndex

SCHEMA_VERSION: Final = 3
_STATE: Final = "schema.json"


@dataclass
class IndexChanges:
    """Entries to put, by index."""

    chunks: list[Entry] = field(default_factory=list)
    entities: list[Entry] = field(default_factory=list)
    facts: list[Entry] = field(default_factory=list)
    subgraphs: list[Entry] = field(default_factory=list)


class CollectionIndex:
    """Opens the indexes in `folder`; those of another schema version are thrown away."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        _require_version(folder)
        self.chunks = KeywordIndex(folder / "chunks")
        self.entities = KeywordIndex(folder / "entities")
        self.facts = KeywordIndex(folder / "facts")
        self.subgraphs = KeywordIndex(folder / "subgraphs")

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
        for index, _ in pairs:
            index.commit()

    def missing(self, subgraphs: Sequence[str]) -> list[str]:
        """Those of the subgraphs that are not indexed."""
        known = self.subgraphs.get(subgraphs)
        return [subgraph for subgraph in subgraphs if subgraph not in known]

    def close(self) -> None:
        for index in self._all():
            index.close()

    def _all(self) -> Iterable[KeywordIndex]:
        return (self.chunks, self.entities, self.facts, self.subgraphs)


def _require_version(folder: Path) -> None:
    state = folder / _STATE
    try:
        version = json.loads(state.read_text())["version"]
    except (OSError, ValueError, KeyError, TypeError):
        version = None
    if version != SCHEMA_VERSION:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        state.write_text(json.dumps({"version": SCHEMA_VERSION}))
