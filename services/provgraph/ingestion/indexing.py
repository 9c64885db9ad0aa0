"""The indexes brought up to date while an ingest goes on: one call at a time, beside the reading."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Final

from provgraph.ports.retriever import Retriever
from provgraph.rdf.terms import NamedNode

DOCUMENTS_AT_ONCE: Final = 256


@dataclass
class Indexing:
    """`stored` are documents of the collection whose indexing has not begun."""

    retriever: Retriever
    collection: str
    stored: list[NamedNode] = field(default_factory=list)
    _following: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Begin to index what is stored, when all that was stored before is indexed."""
        await self.ended()
        stored, self.stored = self.stored, []
        self._following = asyncio.create_task(self.retriever.follow(self.collection, stored))

    async def begin_with_many(self) -> None:
        if len(self.stored) >= DOCUMENTS_AT_ONCE:
            await self.begin()

    async def ended(self) -> None:
        if self._following:
            await self._following
