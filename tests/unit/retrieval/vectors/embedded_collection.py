"""A taught collection with vectors, and an embedder that counts what it embeds and can be made to fail."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from provgraph.adapters.lexical_embedder import LexicalEmbedder
from provgraph.errors import ModelUnavailable
from provgraph.ports.embedder import Role
from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.retrieval.vectors.index_sync import VectorIndexSync, VectorSettings
from unit.retrieval.taught_collection import TaughtCollection

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors


class CountingEmbedder(LexicalEmbedder):
    """The built-in embedder under another name; fails while `failing` is not empty, with that message.

    A word of `synonyms` has the vector of the other. After `hold` calls wait until `go_on` is set; `begun` is set when
    one has come, and `cut_off` counts those that were ended.
    """

    def __init__(self, name: str = "counting") -> None:
        self.name = name
        self.passages: list[str] = []
        self.failing = ""
        self.synonyms: dict[str, str] = {}
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.begun = asyncio.Event()
        self.cut_off = 0

    def hold(self) -> None:
        self.go_on.clear()
        self.begun.clear()

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        if self.failing:
            raise ModelUnavailable(self.failing)
        self.begun.set()
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.cut_off += 1
            raise
        if role == "passage":
            self.passages += texts
        return await super().embed([self.synonyms.get(text, text) for text in texts], role)


TRIED_AT_ONCE = VectorSettings(rest_s=0)


class EmbeddedCollection(TaughtCollection):
    def __init__(self, folder: Path, settings: VectorSettings = TRIED_AT_ONCE) -> None:
        self.embedder = CountingEmbedder()
        self.settings = settings
        super().__init__(folder)

    def reopened(self) -> GraphRetriever:
        folder = self.folder / "vectors"
        self.vectors = VectorIndexSync(self.store, self.library, folder, self.embedder, self.settings)
        return GraphRetriever(self.store, self.library, self.folder / "index", self.vectors, "fusion")

    async def likest(self, question: str) -> list[str]:
        """Titles of the chunks that vectors find, best first."""
        return [hit.title for hit in (await self.ask(question, method="vector")).chunks]
