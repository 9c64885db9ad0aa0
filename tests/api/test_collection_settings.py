"""What a collection has set: kept in the store, obeyed by ingest and answers, and overruled by a request."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal, Quad

from api.model_service import MODEL, by_model, failing, good, step
from api.running import QUESTION, Running, running
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.iris import collection_iri
from provgraph.rdf.ontology_files import ontology_text
from provgraph.rdf.vocabulary import TG
from servers.openai_server import Answer, Asked, OpenAIServer

RESEARCH = ontology_text("research.ttl")
BERT = "BERT uses attention."
FACT = {"subject": "BERT", "subject_type": "METHOD", "relation": "USES", "object": "attention",
        "object_type": "CONCEPT", "quote": BERT}  # fmt: skip


def reading(asked: Asked) -> Answer:
    """Facts for a chunk, else the good model's answers."""
    return Answer(json.dumps({"facts": [FACT]})) if "<text>" in asked.user else good()(asked)


async def put(service: Running, **settings: Any) -> dict[str, Any]:
    answer = await service.client.post("/api/v1/collections", json={"collection": "lab", **settings})
    assert answer.status_code in (200, 201), answer.text
    found: dict[str, Any] = answer.json()["settings"]
    return found


async def test_settings_are_kept_over_a_restart_and_changed_one_by_one(tmp_path: Path) -> None:
    async with running(tmp_path / "data") as service:
        await put(service, engine="model-free", corrective=True, extractors=["model-free"])
        await put(service, corrective=False, method="bm25")
        await put(service, engine=None)
    async with running(tmp_path / "data") as service:
        (kept,) = [each for each in await service.get("/api/v1/collections") if each["collection"] == "lab"]
    assert kept["settings"] == {
        "engine": "",
        "method": "bm25",
        "corrective": False,
        "rerank": None,
        "extractors": ["model-free"],
        "ontology": None,
        "max_tokens": 0,
        "sparing": None,
    }


@pytest.mark.parametrize(
    "settings",
    [
        {"engine": "magic"},
        {"method": "magic"},
        {"extractors": ["magic"]},
        {"ontology": "no turtle"},
        {"ontology": RESEARCH, "ontology_name": "research.doc"},
        {"max_tokens": -1},
        {"colour": "red"},
    ],
)
async def test_a_setting_that_cannot_be_changes_nothing(service: Running, settings: dict[str, Any]) -> None:
    await put(service, engine="model-free")
    body = {"collection": "lab", "corrective": True, **settings}
    refused = await service.client.post("/api/v1/collections", json=body)
    assert 400 <= refused.status_code < 500
    assert "Traceback" not in refused.text
    (kept,) = [each for each in await service.get("/api/v1/collections") if each["collection"] == "lab"]
    assert (kept["settings"]["engine"], kept["settings"]["corrective"]) == ("model-free", None)


async def test_a_collection_is_asked_as_it_is_set_unless_the_question_says_otherwise(
    data: Path, server: OpenAIServer
) -> None:
    body = {"collection": "default", "engine": "model-free"}
    async with failing(data, server, good()) as service:
        await service.client.post("/api/v1/collections", json=body)
        await service.ask()
        assert server.asked == []
        await service.ask(engine="model")
        assert [step(asked) for asked in server.asked] == ["grounding", "selection", "answer"]
        server.asked.clear()
        await service.client.post(
            "/api/v1/collections",
            json={"collection": "default", "engine": "", "corrective": True, "rerank": True},
        )
        await service.ask()
        assert [step(asked) for asked in server.asked][1:3] == ["check", "reranking"]


async def test_a_collection_is_read_with_its_extractors_and_its_ontology(
    tmp_path: Path, server: OpenAIServer
) -> None:
    server.answer(reading)
    async with running(tmp_path / "data", **by_model(server)) as service:
        set_ = await put(service, ontology=RESEARCH, ontology_name="research.ttl")
        assert set_["ontology"]["sha256"] == hashlib.sha256(RESEARCH.encode()).hexdigest()
        kept = await service.client.get(
            "/api/v1/documents/content", params={"id": set_["ontology"]["id"], "collection": "lab"}
        )
        assert kept.text == RESEARCH
        await service.ingest(text=BERT, collection="lab")
        (asked,) = server.asked
        assert "COMPARES_TO" in asked.system
        found = await service.get("/api/v1/documents", collection="lab")
        tree = await service.get("/api/v1/documents", collection="lab", id=found[0]["id"])
        relations = [fact["relation"] for chunk in tree["content"][0]["chunks"] for fact in chunk["facts"]]
        assert relations == ["uses"]


async def test_an_ingest_may_say_otherwise_than_its_collection(tmp_path: Path, server: OpenAIServer) -> None:
    server.answer(reading)
    async with running(tmp_path / "data", **by_model(server)) as service:
        await put(service, extractors=["agent"], ontology=RESEARCH)
        job = await service.client.post(
            "/api/v1/documents", json={"text": BERT, "collection": "lab", "extractors": ["model-free"]}
        )
        assert (await service.finished(job.json()["id"]))["state"] == "done"
        assert server.asked == []
        await service.ingest(text=BERT, collection="lab")
        assert len(server.asked) == 1


@pytest.mark.parametrize("settings", [{}, {"sparing": True}])
async def test_rules_go_first_where_calls_are_to_be_saved(
    tmp_path: Path, server: OpenAIServer, settings: dict[str, Any]
) -> None:
    server.answer(reading)
    async with running(tmp_path / "data", **by_model(server)) as service:
        await put(service, **settings)
        for text in ("Marie Curie discovered polonium in 1898.", "Zut alors, quelle journée sans fin!"):
            body = {"text": text, "collection": "lab", "sparing": not settings}
            for _ in range(2):
                job = await service.client.post("/api/v1/documents", json=body)
                assert (await service.finished(job.json()["id"]))["state"] == "done"
    (asked,) = server.asked
    assert "Zut" in asked.user


async def test_settings_go_with_an_export_and_the_collection_itself(tmp_path: Path) -> None:
    async with running(tmp_path / "data") as service:
        await put(service, engine="model-free")
        await service.client.delete("/api/v1/collections", params={"collection": "lab"})
        assert await put(service) == (await put(service, engine=None))
        assert (await put(service))["engine"] == ""


async def test_a_collection_that_needs_a_model_says_so_where_there_is_none(informed: Running) -> None:
    await informed.client.post("/api/v1/collections", json={"collection": "default", "engine": "model"})
    refused = await informed.client.post("/api/v1/graph-rag", json={"query": QUESTION})
    assert refused.status_code == 400
    assert "PROVGRAPH_LLM_MODEL" in refused.json()["detail"]
    assert MODEL not in refused.text


async def test_settings_that_cannot_be_read_do_not_stop_a_question(service: Running) -> None:
    node, graph = collection_iri("default"), source_graph()
    await service.assembly.store.add([Quad(node, TG.settings, Literal('{"colour": 1}'), graph)])
    assert (await service.ask())["outcome"] == "refused"
    body = {"collection": "default", "engine": "model-free"}
    assert (await service.client.post("/api/v1/collections", json=body)).is_success
    (kept,) = await service.get("/api/v1/collections")
    assert kept["settings"]["engine"] == "model-free"
