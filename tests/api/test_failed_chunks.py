"""Chunks that a model could not read: noted in the store, counted, and read again from the library, and only they."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import NamedNode

from api.model_service import Script, by_model
from api.running import Running, running
from provgraph.checking.pipeline import Checker
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.vocabulary import PROV
from provgraph.wire.service import CheckFinding
from servers.openai_server import Answer, Asked, OpenAIServer

RECORDS = "\n".join(
    json.dumps({"id": name, "title": f"On {name}", "text": f"Doctor Alba discovered {name} in Rome."})
    for name in ("radium", "polonium", "gallium")
)
ATTEMPTS = "PREFIX tg: <https://trustgraph.ai/ns/> SELECT ?f ?c { ?a tg:failure ?f ; prov:used ?c }"


def failing_on(*words: str, status: int = 500) -> Script:
    def answer(asked: Asked) -> Answer:
        if any(word in asked.user for word in words):
            return Answer("scripted", status=status)
        return Answer('{"facts": []}')

    return answer


async def ingest(service: Running, **fields: str) -> dict[str, Any]:
    files = {"file": ("records.jsonl", RECORDS.encode())}
    sent = await service.client.post("/api/v1/documents", files=files, data=fields)
    return await service.finished(sent.json()["id"])


async def retry(service: Running, **fields: Any) -> dict[str, Any]:
    sent = await service.client.post("/api/v1/documents/retry", json=fields)
    assert sent.status_code == 202, sent.text
    return await service.finished(sent.json()["id"])


async def failed(service: Running) -> dict[str, int]:
    """Failed chunks of each document that has any, while the store is sound."""
    checker = Checker(service.assembly.store, service.assembly.library, "explainability")
    assert [event async for event in checker.check("default") if isinstance(event, CheckFinding)] == []
    found = await service.get("/api/v1/documents")
    return {each["title"]: each["failed_chunks"] for each in found if each["failed_chunks"]}


async def attempts(service: Running) -> list[str]:
    query = f"PREFIX prov: <http://www.w3.org/ns/prov#> {ATTEMPTS}"
    found = await service.client.get(
        "/sparql", params={"query": query}, headers={"Accept": "application/sparql-results+json"}
    )
    return [row["f"]["value"] for row in found.json()["results"]["bindings"]]


async def test_a_failure_is_noted_over_a_restart_and_gone_when_the_chunk_is_read(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    model_server.answer(failing_on("polonium"))
    async with running(tmp_path / "data", **by_model(model_server)) as service:
        await ingest(service)
        assert await failed(service) == {"On polonium": 1}
        (reason,) = await attempts(service)
        assert "cannot be used now" in reason
    model_server.forget()
    model_server.answer(Answer('{"facts": []}'))
    async with running(tmp_path / "data", **by_model(model_server)) as service:
        assert await failed(service) == {"On polonium": 1}
        job = await retry(service)
        assert (job["state"], job["failed"]) == ("done", [])
        (asked,) = model_server.asked
        assert "polonium" in asked.user
        assert await failed(service) == {}
        assert await attempts(service) == []
        assert (await retry(service))["documents"] == []
    assert len(model_server.asked) == 1


async def test_a_second_failure_takes_the_place_of_the_first(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    model_server.answer(failing_on("polonium"))
    async with running(tmp_path / "data", **by_model(model_server)) as service:
        await ingest(service)
        model_server.answer(failing_on("polonium", status=401))
        await retry(service)
        assert await failed(service) == {"On polonium": 1}
        (reason,) = await attempts(service)
        assert "does not accept the key" in reason


async def test_each_extractor_is_tried_again_where_it_failed(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    def answer(asked: Asked) -> Answer:
        return failing_on("radium" if "definition" in asked.system.casefold() else "gallium")(asked)

    async with running(
        tmp_path / "data", **by_model(model_server, extractors="definitions,relationships")
    ) as service:
        model_server.answer(answer)
        await ingest(service)
        counted = await failed(service)
        before = await attempts(service)
        assert sum(counted.values()) >= 2
        model_server.asked.clear()
        model_server.answer(Answer('{"facts": []}'))
        await retry(service)
        assert len(model_server.asked) == len(before)
        assert await failed(service) == {}


async def test_what_a_spent_budget_left_is_read_by_a_retry(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    model_server.answer(Answer('{"facts": []}'))
    async with running(tmp_path / "data", **by_model(model_server, llm_parallel=1)) as service:
        job = await ingest(service, max_tokens="900")
        missing = sum(each["chunks"] for each in job["failed"])
        assert 0 < missing == sum((await failed(service)).values())
        asked = len(model_server.asked)
        await retry(service)
        assert len(model_server.asked) == asked + missing
        assert await failed(service) == {}


async def test_a_document_whose_content_is_lost_is_told_and_the_others_are_read_again(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    model_server.answer(failing_on("Alba"))
    async with running(tmp_path / "data", **by_model(model_server)) as service:
        await ingest(service)
        store, library = service.assembly.store, service.assembly.library
        documents = {each["title"]: NamedNode(each["id"]) for each in await service.get("/api/v1/documents")}
        lost = documents["On radium"]
        (found,) = await store.match([QuadPattern(None, PROV.specialization_of, lost)])
        await library.drop_all(
            "default", [quad.subject for quad in found if isinstance(quad.subject, NamedNode)]
        )
        model_server.answer(Answer('{"facts": []}'))
        job = await retry(service)
        (refused,) = job["refused"]
        assert (job["state"], refused["problem"]["status"]) == ("done", 404)
        assert lost.value in refused["problem"]["detail"]
        assert len(job["documents"]) == 2
        left = await service.get("/api/v1/documents")
        assert [each["title"] for each in left if each["failed_chunks"]] == ["On radium"]


async def test_a_changed_prompt_reads_the_failed_chunk_and_no_other(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    model_server.answer(failing_on("polonium"))
    async with running(tmp_path / "data", **by_model(model_server, prompts=prompts)) as service:
        await ingest(service)
        model_server.asked.clear()
        (prompts / "agent.md").write_text("# System\nRead.\n# User\n{{title}} <text>{{text}}</text>\n")
        model_server.answer(Answer('{"facts": []}'))
        await retry(service)
        assert len(model_server.asked) == 1
        assert await failed(service) == {}


@pytest.mark.parametrize(("body", "status"), [({"collection": "nowhere"}, 404), ({"colour": 1}, 422)])
async def test_a_retry_that_cannot_be_is_refused(
    tmp_path: Path, model_server: OpenAIServer, body: dict[str, Any], status: int
) -> None:
    async with running(tmp_path / "data", **by_model(model_server)) as service:
        refused = await service.client.post("/api/v1/documents/retry", json=body)
    assert refused.status_code in (status, 400)


async def test_a_title_of_ones_own_is_kept_by_a_retry(tmp_path: Path, model_server: OpenAIServer) -> None:
    model_server.answer(failing_on("Alba"))
    async with running(tmp_path / "data", **by_model(model_server)) as service:
        await service.ingest(text="Doctor Alba discovered radium.", title="Mine", id="urn:x:mine")
        model_server.answer(Answer('{"facts": []}'))
        job = await retry(service)
        assert [each["id"] for each in job["documents"]] == ["urn:x:mine"]
        found = await service.get("/api/v1/documents")
        assert [(each["title"], each["failed_chunks"]) for each in found] == [("Mine", 0)]


async def test_what_failed_goes_with_its_document(tmp_path: Path, model_server: OpenAIServer) -> None:
    model_server.answer(failing_on("polonium", "radium"))
    async with running(tmp_path / "data", **by_model(model_server)) as service:
        await ingest(service)
        documents = {each["title"]: each["id"] for each in await service.get("/api/v1/documents")}
        deleted = await service.client.delete("/api/v1/documents", params={"id": documents["On polonium"]})
        assert deleted.status_code == 200, deleted.text
        assert await failed(service) == {"On radium": 1}
        assert len(await attempts(service)) == 1


async def test_what_failed_at_a_chunk_that_a_revision_leaves_is_still_to_be_read(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    stays, goes = (
        "Doctor Alba discovered radium in Rome. " * 40,
        "Doctor Alba discovered gallium in Rome. " * 40,
    )
    model_server.answer(failing_on("radium", "gallium"))
    async with running(tmp_path / "data", **by_model(model_server)) as service:
        await service.ingest(f"{stays}\n\n{goes}", id="urn:paper", title="Paper")
        before = await failed(service)
        rules = {"extractors": ["model-free"]}
        sent = await service.client.post(
            "/api/v1/documents",
            json={
                "text": f"{stays}\n\nNobody knows.",
                "name": "a.txt",
                "id": "urn:paper",
                "title": "Paper",
                **rules,
            },
        )
        job = await service.finished(sent.json()["id"])
        assert job["state"] == "done", job
        left = await failed(service)
        assert 0 < left["Paper"] < before["Paper"]
        model_server.answer(Answer('{"facts": []}'))
        assert (await retry(service))["state"] == "done"
        assert await failed(service) == {}
