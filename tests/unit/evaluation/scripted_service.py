"""A service that answers as a test says, in the wire's own shapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from provgraph.evaluation.replies import Declined, IngestedFile

Json = dict[str, Any]


@dataclass
class ScriptedService:
    """Implements `EvaluatedService`; `asked` and `ingested` are what it was told."""

    answer: Callable[[Mapping[str, Any]], Json] = lambda _: {}
    traces: Mapping[str, Json] = field(default_factory=dict)
    chunks: list[Json] = field(default_factory=list)
    pages: Mapping[str, str] = field(default_factory=dict)
    refuses: list[str] = field(default_factory=list)
    asked: list[Mapping[str, Any]] = field(default_factory=list)
    ingested: list[tuple[str, IngestedFile]] = field(default_factory=list)

    def ingest(self, collection: str, file: IngestedFile, progress: Callable[[int, int], None]) -> list[str]:
        self.ingested.append((collection, file))
        progress(1, 1)
        return self.refuses

    def build_pairs(self, collection: str) -> None:
        self.asked.append({"flow": "kgqa/build", "collection": collection})

    def ask(self, flow: str, body: Mapping[str, Any]) -> Json:
        self.asked.append({"flow": flow, **body})
        return self.answer(body)

    def trace(self, session: str) -> Json:
        if session not in self.traces:
            raise Declined("There is no such trace.")
        return self.traces[session]

    def retrieve(self, body: Mapping[str, Any]) -> Json:
        return {"chunks": self.chunks[: int(body["limit"])]}

    def page_text(self, collection: str, page: str) -> str:
        if page not in self.pages:
            raise Declined(f"There is no such page in {collection}.")
        return self.pages[page]
