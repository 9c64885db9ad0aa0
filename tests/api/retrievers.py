"""Retrievers in the states of real ones: one that finds nothing, one that takes its time, one that fails."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pyoxigraph import NamedNode

from provgraph.ports.retriever import RetrievalRequest, RetrievalResult

NOTHING = RetrievalResult((), (), (), (), ())


class EmptyRetriever:
    """Finds nothing; `asked` are the questions that came."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def accept(self, request: RetrievalRequest) -> None: ...

    async def retrieve(self, request: RetrievalRequest) -> RetrievalResult:
        self.asked.append(request.question)
        return NOTHING

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None: ...

    async def forget(self, collection: str) -> None: ...

    async def rewrite(self, collection: str) -> None: ...


class HeldRetriever(EmptyRetriever):
    """Finds nothing, and that only after `release` is set; `begun` is set when it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = asyncio.Event()
        self.release = asyncio.Event()
        self.ended = 0

    async def retrieve(self, request: RetrievalRequest) -> RetrievalResult:
        self.begun.set()
        try:
            await self.release.wait()
        finally:
            self.ended += 1
        return await super().retrieve(request)


class FailingRetriever(EmptyRetriever):
    """Raises the given error for every question."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    async def retrieve(self, request: RetrievalRequest) -> RetrievalResult:
        await super().retrieve(request)
        raise self._error
