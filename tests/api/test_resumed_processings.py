"""A processing of the library that the end of the service cut off: the next start takes it up, and ends it."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from api.model_service import by_model
from api.running import CURIE, QUESTION, Running, running
from servers.openai_server import Answer, OpenAIServer

DOCUMENT = "https://example.org/curie"
METADATA = {
    "id": DOCUMENT,
    "title": "Curie",
    "kind": "text/plain",
    "comments": "",
    "tags": [],
    "metadata": [],
}
PROCESSING = {"id": "p1", "document-id": DOCUMENT, "flow": "default", "collection": "papers", "tags": ["x"]}


async def librarian(service: Running, **request: Any) -> Mapping[str, Any]:
    answer = await service.client.post("/api/v1/librarian", json=request)
    assert answer.status_code == 200, answer.text
    said: Mapping[str, Any] = answer.json()
    assert "error" not in said, said
    return said


async def tags(service: Running) -> list[str]:
    """Those of the only processing; its state is the last."""
    (only,) = (await librarian(service, operation="list-processing"))["processing-metadatas"]
    return [str(tag) for tag in only["tags"]]


async def test_a_processing_that_a_stop_cut_off_is_taken_up_at_the_next_start(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    model_server.answer(Answer("never said", delay_s=60))
    data = tmp_path / "data"
    async with running(data, **by_model(model_server)) as service:
        content = base64.b64encode(CURIE.encode()).decode()
        await librarian(service, operation="add-document", content=content, **{"document-metadata": METADATA})
        await librarian(service, operation="add-processing", **{"processing-metadata": PROCESSING})
        async with asyncio.timeout(30):
            while not model_server.asked:
                assert await tags(service) == ["x", "running"]
    async with running(data) as service:
        async with asyncio.timeout(30):
            while await tags(service) == ["x", "running"]:
                continue
        assert await tags(service) == ["x", "done"]
        answer = await service.ask(QUESTION, collection="papers")
        assert answer["response"].startswith("Marie Curie discovered polonium")
    async with running(data) as service:
        assert await tags(service) == ["x", "done"]
