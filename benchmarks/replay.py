"""Passages ingested with facts that a model once extracted, answered by a server in the model's place."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from model_extraction import TEXT, Answer, Asked, openai_server, quoted
from multihop import collection

from provgraph.assembly import Assembly
from provgraph.ingestion.planning import SourceFile
from provgraph.settings import Settings


@asynccontextmanager
async def replayed(
    files: list[SourceFile], folder: Path, triples: Path, settings: Settings
) -> AsyncIterator[Assembly]:
    """A collection with the facts of a file of OpenIE results, which a server answers in a model's place."""
    facts = {
        " ".join(doc["text"].split()): list(quoted(doc["text"], doc["extracted_triples"]))
        for doc in json.loads(triples.read_text("utf-8"))["docs"]
    }

    def answer(request: Asked) -> Answer:
        text = TEXT.search(request.user)
        said = facts.get(" ".join(text[1].split()), []) if text else []
        return Answer(json.dumps({"facts": said}))

    with openai_server() as server:
        server.answer(answer)
        recorded = {
            "openai_base_url": server.url,
            "llm_model": "recorded",
            "llm_parallel": 4,
            "extractors": "agent",
        }
        by_model = settings.model_copy(update=recorded)
        async with collection(files, folder, by_model) as assembly:
            yield assembly
