"""Retrievers that misbehave as real ones do: one that takes its time, one that fails."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pyoxigraph import NamedNode

from provgraph.ports.retriever import RetrievalRequest, RetrievalResult

NOTHING = RetrievalResult((), (), (), (), ())


class HeldRetriever:
    """Finds nothing, and that only after `release` is set; `begun` is set when it was asked."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.release = asyncio.Event()
        self.asked: list[str] = []
        self.ended = 0

    async def retrieve(self, request: RetrievalRequest) -> RetrievalResult:
        self.asked.append(request.question)
        self.begun.set()
        try:
            await self.release.wait()
        finally:
            self.ended += 1
        return NOTHING

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None: ...

    async def forget(self, collection: str) -> None: ...


class FailingRetriever:
    """Raises the given error for every question."""

    def __init__(self, error: Exception) -> None:
        self._error = error
        self.asked: list[str] = []

    async def retrieve(self, request: RetrievalRequest) -> RetrievalResult:
        self.asked.append(request.question)
        raise self._error

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None: ...

    async def forget(self, collection: str) -> None: ...
