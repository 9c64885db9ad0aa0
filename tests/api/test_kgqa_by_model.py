"""Pairs and wordings by a model, over real sockets: what is kept is what the text bears, and rules stand in for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from api.model_service import MODEL, by_model
from api.running import Running, running
from api.test_kgqa import CONTRACT, DOC, QUESTION, ROUTE, ask, pairs, sound
from servers.openai_server import Answer, Asked, OpenAIServer

ITEM: Final = "deliver the Goods within 30 days of the Order Date"
WORDED: Final = "Under clause 3.1(a), the Supplier shall deliver the Goods within 30 days."
PROPOSED: Final = [
    {"question": "When shall the Supplier deliver the Goods?", "answer": "within 30 days", "quote": ITEM},
    {"question": "Who pays in gold?", "answer": "the Buyer", "quote": "The Buyer pays in gold."},
    {"question": "Who may sing?", "answer": "whales in the ocean", "quote": ITEM},
]
DRAWN: Final = [
    {"pair": 1, "subject": "Supplier", "subject_type": "Organization", "relation": "shall deliver within",
     "object": "30 days", "object_type": "Number"},
    {"pair": 1, "subject": "Whales", "relation": "sing in", "object": "the sea"},
    {"pair": 7, "subject": "Supplier", "relation": "is", "object": "here"},
]  # fmt: skip


def scripted(wording: str = f"[1] {WORDED}\n[2] Whales sing in the sea.") -> Any:
    """A model that proposes what the text bears and what it does not."""

    def answer(asked: Asked) -> Answer:
        if asked.system.startswith("You read numbered pieces"):
            return Answer(json.dumps({"pairs": PROPOSED if ITEM in asked.user else []}))
        if asked.system.startswith("You turn questions"):
            return Answer(json.dumps({"facts": DRAWN}))
        if asked.system.startswith("You judge how well"):
            return Answer("no scores")
        return Answer(wording)

    return answer


async def built(service: Running, **how: Any) -> dict[str, Any]:
    document = {"text": CONTRACT, "id": DOC, "title": "Supply Agreement", "name": "contract.md"}
    sent = await service.client.post("/api/v1/documents", json={**document, "extractors": ["model-free"]})
    await service.finished(sent.json()["id"])
    job = await service.client.post(f"{ROUTE}/build", json=how)
    assert job.status_code == 202, job.text
    return await service.finished(job.json()["id"])


async def test_a_model_makes_pairs_and_words_them_and_what_the_text_does_not_bear_is_dropped(
    tmp_path: Path, server: OpenAIServer
) -> None:
    server.answer(scripted())
    async with running(tmp_path / "data", **by_model(server)) as service:
        job = await built(service)
        assert (job["state"], job["extractors"]) == ("done", ["pairs-by-model"])
        dropped = job["model"]["dropped"]
        assert (dropped["quote not found"], dropped["names not in the text"], dropped["incomplete"]) == (
            1,
            2,
            1,
        )
        (pair,) = (await pairs(service))["pairs"]
        assert (pair["question"], pair["clause"]) == (PROPOSED[0]["question"], "3.1(a)")
        assert ITEM in pair["text"] == CONTRACT[pair["start"] : pair["end"]]
        assert {"subject": "Supplier", "relation": "shall deliver within", "object": "30 days"} in pair[
            "facts"
        ]

        answer = await ask(service, rerank="none")
        assert answer["response"] == WORDED
        assert answer["model"] == MODEL
        trace = await service.get(f"/api/v1/traces/{answer['session']}")
        assert [call["step"] for call in trace["calls"]] == ["selection"]
        await sound(service)


async def test_a_wording_that_the_edges_do_not_bear_is_put_back(tmp_path: Path, server: OpenAIServer) -> None:
    server.answer(scripted("[1] The Supplier shall deliver the Goods within 90 days."))
    async with running(tmp_path / "data", **by_model(server)) as service:
        await built(service)
        answer = await ask(service, rerank="none")
        assert "90" not in answer["response"]
        assert "30 days" in answer["response"]


async def test_a_dead_model_leaves_the_templates_and_says_so(tmp_path: Path, server: OpenAIServer) -> None:
    server.answer(scripted())
    async with running(tmp_path / "data", **by_model(server)) as service:
        await built(service, engine="model-free")
        server.answer(Answer("no", status=500))
        answer = await ask(service, rerank="none")
        assert answer["response"].startswith("Clause 3.1(a): Supplier shall deliver the Goods within 30 days")
        assert "The edges are worded by templates instead." in answer["warnings"][0]
        await sound(service)


async def test_chunks_that_a_model_failed_at_are_built_by_the_same_command_again(
    tmp_path: Path, server: OpenAIServer
) -> None:
    server.answer(Answer("no", status=500))
    async with running(tmp_path / "data", **by_model(server)) as service:
        job = await built(service)
        assert job["failed"][0]["extractor"] == "pairs-by-model"
        server.answer(scripted())
        again = await service.client.post(f"{ROUTE}/build", json={})
        assert (await service.finished(again.json()["id"]))["failed"] == []
        assert (await ask(service, QUESTION, engine="model-free", rerank="none"))["outcome"] == "answered"
