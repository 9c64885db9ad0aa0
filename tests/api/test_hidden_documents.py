"""Whatever a team asks, in whatever way and by whatever name: nothing comes of what it may not see."""

from __future__ import annotations

import asyncio
import json
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio
from websockets.asyncio.client import ClientConnection, connect

from api.running import STREAM, running, served
from api.two_teams import ADMIN, BLUE, BOTH, QUESTION, RED, SharedService, Team
from provgraph.access.principals import Right
from provgraph.access.rights import ROUTE_RIGHTS

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

HIDDEN: Final = ("Kestrel", "Lima", "70 million", "blue")
KESTREL: Final = "http://trustgraph.ai/e/project%20kestrel"


@pytest_asyncio.fixture
async def names(shared: SharedService) -> dict[str, str]:
    """What the other team's document, answer and job are called."""
    (document,) = [d for d in await shared.admin.get("/api/v1/documents") if d["source"] == "blue.txt"]
    tree = await shared.admin.get("/api/v1/documents", id=document["id"])
    ben = await shared.team("ben", groups=["blue"])
    answered = await ben.ask()
    assert "Kestrel" in answered["response"]
    (page,) = tree["content"]
    return {
        "document": document["id"],
        "page": page["id"],
        "chunk": page["chunks"][0]["id"],
        "session": answered["session"],
        "entity": KESTREL,
    }


def leaks(text: str, asked: str) -> list[str]:
    """Hidden words of a reply that the request did not have."""
    return [word for word in HIDDEN if word in text and word not in asked]


async def test_no_name_of_anything_hidden_opens_it(red: Team, names: dict[str, str]) -> None:
    """Every route that a reader may use, with every name of the other team's things in every parameter."""
    found = []
    for each in ROUTE_RIGHTS:
        if each.right not in (Right.READ, Right.ASK) or each.path == "/mcp":
            continue
        for name in names.values() if each.right is Right.READ else [names["document"]]:
            path = each.path
            for place in ("{session:path}", "{session}", "{model:path}", "{name}", "{flow}", "{service}"):
                path = path.replace(place, name.rpartition(":")[2] if "session" in name else name)
            query = {"id": name, "name": name, "session": name, "document-id": name, "s": name, "p": "leads"}
            query |= {"o": name, "fact": name, "limit": "100", "query": QUESTION, "start": "0", "end": "20"}
            for method in sorted(each.methods & {"GET", "POST"}):
                body = {"query": QUESTION, "again": name} if method == "POST" else None
                answer = await red.client.request(method, path, params=query, json=body)
                found += [(method, path, word) for word in leaks(answer.text, f"{path}{query}{body}")]
    assert found == []


async def test_traces_of_others_are_not_there(
    shared: SharedService, red: Team, names: dict[str, str]
) -> None:
    await red.ask()
    assert [each["query"] for each in await red.get("/api/v1/traces")] == [QUESTION]
    assert len(await shared.admin.get("/api/v1/traces")) == 2
    uuid = names["session"].rpartition(":")[2]
    for path in ("", "/graph", "/picture"):
        assert (await red.client.get(f"/api/v1/traces/{uuid}{path}")).status_code == 404
    assert (await red.client.get(f"/api/v1/proofs/{uuid}")).status_code == 404
    assert (await red.client.get(f"/api/v1/sessions/{uuid}/events")).status_code == 404
    again = await red.client.post("/api/v1/graph-rag", json={"query": "", "again": names["session"]})
    assert again.status_code == 404


async def test_who_sees_all_that_an_answer_stood_on_may_read_it(shared: SharedService, red: Team) -> None:
    answered = await red.ask()
    uuid = answered["session"].rpartition(":")[2]
    other_red = await shared.team("uma", groups=["red"])
    both = await shared.team("max", groups=["red", "blue"])
    auditor = await shared.team("kim", "auditor")
    none = await shared.team("lou")
    for team in (other_red, both, auditor, shared.admin):
        assert (await team.client.get(f"/api/v1/traces/{uuid}")).status_code == 200
    assert (await none.client.get(f"/api/v1/traces/{uuid}")).status_code == 404


async def test_a_stream_is_resumed_by_nobody_else(shared: SharedService, red: Team) -> None:
    ben = await shared.team("ben", groups=["blue"])
    sent = await ben.client.post("/api/v1/graph-rag", json={"query": QUESTION}, headers=STREAM)
    (first, *_) = [line for line in sent.text.splitlines() if line.startswith("id:")]
    headers = {**STREAM, "Last-Event-ID": first.removeprefix("id:").strip()}
    resumed = await red.client.post("/api/v1/graph-rag", json={"query": QUESTION}, headers=headers)
    assert leaks(resumed.text, "") == []
    own = await ben.client.post("/api/v1/graph-rag", json={"query": QUESTION}, headers=headers)
    assert "Kestrel" in own.text


async def test_a_stream_is_resumed_when_there_is_more_to_see(shared: SharedService) -> None:
    ben = await shared.team("ben", groups=["blue"])
    sent = await ben.client.post("/api/v1/graph-rag", json={"query": QUESTION}, headers=STREAM)
    (first, *_) = [line for line in sent.text.splitlines() if line.startswith("id:")]
    headers = {**STREAM, "Last-Event-ID": first.removeprefix("id:").strip()}
    await shared.ingest("Ida Holm lives in Turin.\n", "ida.txt", "blue")
    resumed = await ben.client.post("/api/v1/graph-rag", json={"query": QUESTION}, headers=headers)
    assert "Kestrel" in resumed.text
    await shared.admin.client.put(
        "/api/v1/documents/readers", json={"documents": ["ida.txt"], "readers": ["red"]}
    )
    refused = await ben.client.post("/api/v1/graph-rag", json={"query": QUESTION}, headers=headers)
    assert "Kestrel" not in refused.text


async def test_views_are_thrown_away_with_what_is_erased(shared: SharedService, tmp_path: Path) -> None:
    await (await shared.team("ada", groups=["red"])).ask()
    views = tmp_path / "data" / "views"
    assert [file for file in views.rglob("*") if file.is_file()]
    erased = await shared.admin.client.delete(
        "/api/v1/documents", params={"id": "both.txt", "redact": "true", "erase": "true"}
    )
    assert erased.status_code == 200, erased.text
    assert [file for file in views.rglob("*") if file.is_file()] == []


async def test_rules_that_are_set_later_count_from_the_next_request(shared: SharedService, red: Team) -> None:
    assert "2011" in (await red.ask("When did Marta Lind join the company?"))["response"]
    body = {"documents": ["both.txt"], "readers": ["blue"]}
    answer = await shared.admin.client.put("/api/v1/documents/readers", json=body)
    assert answer.json()[0]["readers"] == ["blue"]
    assert "2011" not in str(await red.ask("When did Marta Lind join the company?"))
    await shared.admin.client.put("/api/v1/documents/readers", json={**body, "readers": []})
    assert "2011" in (await red.ask("When did Marta Lind join the company?"))["response"]


async def test_readers_outlive_a_new_version_of_their_document(shared: SharedService, red: Team) -> None:
    first = {
        "text": BLUE,
        "name": "plan.txt",
        "id": "https://example.org/plan",
        "metadata": {"readers": ["blue"]},
    }
    for body in (first, {**first, "text": BLUE + "Kestrel is in Lima.\n", "metadata": {}}):
        job = await shared.running.finished((await shared.admin.post("/api/v1/documents", body))["id"])
        assert job["state"] == "done"
    found = await shared.admin.get("/api/v1/documents/readers", id="plan.txt")
    assert [each["readers"] for each in found] == [["blue"]]
    assert leaks(str(await red.get("/api/v1/documents")), "") == []


async def test_a_writer_writes_to_its_own_collections_only(shared: SharedService) -> None:
    writer = await shared.team("wim", "writer", collections=["lab"])
    document = {"text": "Nils Dahl leads Project Petrel.\n", "name": "lab.txt", "collection": "lab"}
    job = await shared.running.finished((await writer.post("/api/v1/documents", document))["id"])
    assert job["state"] == "done"
    assert (await writer.client.get(f"/api/v1/jobs/{job['id']}")).status_code == 200
    assert "Petrel" in (await writer.ask("Which project does Nils Dahl lead?", collection="lab"))["response"]
    elsewhere = await writer.client.post("/api/v1/documents", json={**document, "collection": "default"})
    assert elsewhere.status_code == 403
    gone = await writer.client.delete("/api/v1/documents", params={"id": "red.txt"})
    assert gone.status_code == 403
    assert len(await shared.admin.get("/api/v1/documents")) == 3
    asked = await writer.client.post("/api/v1/graph-rag", json={"query": QUESTION})
    assert "Heron" not in asked.text
    own = await writer.client.delete("/api/v1/documents", params={"id": "lab.txt", "collection": "lab"})
    assert own.status_code == 200, own.text


async def test_jobs_of_others_are_not_there(shared: SharedService) -> None:
    body = {"text": "Ida Holm lives in Turin.\n", "name": "ida.txt"}
    job = (await shared.admin.post("/api/v1/documents", body))["id"]
    await shared.running.finished(job)
    writer = await shared.team("wim", "writer", collections=["lab"])
    assert (await writer.client.get(f"/api/v1/jobs/{job}")).status_code == 404
    assert (await writer.client.delete(f"/api/v1/jobs/{job}")).status_code == 404


async def test_an_auditor_reads_and_changes_nothing(shared: SharedService) -> None:
    auditor = await shared.team("kim", "auditor")
    assert len(await auditor.get("/api/v1/documents")) == 3
    assert (await auditor.client.post("/api/v1/graph-rag", json={"query": QUESTION})).status_code == 403
    checked = await auditor.client.post("/api/v1/check", json={})
    assert checked.status_code == 200, checked.text


async def test_an_auditor_of_some_collections_checks_these(shared: SharedService) -> None:
    await shared.ingest(RED, "lab.txt", "red", collection="lab")
    await shared.admin.ask()
    mia = await shared.team("mia", "auditor", collections=["lab"])
    report = await mia.post("/api/v1/check", {"collection": "lab", "everything": True, "extract_again": True})
    assert report["summary"]["passed"], report
    assert report["summary"]["extracted"] == 1
    for body in ({"collection": "default"}, {"collection": "lab", "signatures": True}):
        assert (await mia.client.post("/api/v1/check", json=body)).status_code in (403, 404)


async def test_a_collection_of_hidden_documents_is_not_there(shared: SharedService, red: Team) -> None:
    await shared.ingest(BLUE, "blue.txt", "blue", collection="kestrels")
    for path in ("graph-rag", "retrieve", "passages"):
        answers = [
            await red.client.post(f"/api/v1/{path}", json={"query": QUESTION, "collection": name})
            for name in ("kestrels", "nothings")
        ]
        assert [each.status_code for each in answers] == [404, 404], path
    assert "kestrels" not in str(await red.get("/api/v1/collections"))
    await shared.ingest(BOTH, "both.txt", collection="kestrels")
    assert "kestrels" in str(await red.get("/api/v1/collections"))


async def test_the_log_of_all_collections_is_not_for_an_auditor_of_some(shared: SharedService) -> None:
    await shared.team("kim", "auditor")
    await shared.ingest(BLUE, "blue-lab.txt", "blue", collection="lab")
    some = await shared.team("mia", "auditor", collections=["default"])
    answer = await some.client.get("/api/v1/audit")
    assert answer.status_code == 403, answer.text
    assert leaks(answer.text, "") == []


async def test_openais_clients_are_answered_from_their_own_documents(red: Team) -> None:
    body = {"model": "provgraph/default", "messages": [{"role": "user", "content": QUESTION}]}
    answered = await red.client.post("/v1/chat/completions", json=body)
    assert answered.status_code == 200
    assert "Heron" in answered.text
    assert leaks(answered.text, "") == []


async def test_tools_of_an_agent_have_the_rights_of_its_token(red: Team, names: dict[str, str]) -> None:
    pytest.importorskip("mcp")
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}

    async def call(method: str, params: Mapping[str, Any]) -> str:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = await red.client.post("/mcp", json=body, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.text

    listed = await call("tools/list", {})
    assert "ask" in listed
    tools = json.loads(listed[listed.index("{") :].splitlines()[0])["result"]["tools"]
    for tool in tools:
        wanted = tool["inputSchema"].get("properties", {})
        given = {
            name: QUESTION if name in ("question", "query", "claim") else names["document"] for name in wanted
        }
        told = await call("tools/call", {"name": tool["name"], "arguments": given})
        assert leaks(told, str(given)) == [], tool["name"]


async def test_trustgraphs_clients_see_the_same(shared: SharedService, red: Team) -> None:
    asked = await red.client.post("/api/v1/flow/default/service/graph-rag", json={"query": QUESTION})
    assert "Heron" in asked.text
    assert leaks(asked.text, "") == []
    triples = await red.client.post("/api/v1/flow/default/service/triples", json={"limit": 10_000})
    assert "heron" in triples.text.casefold()
    assert leaks(triples.text, "") == []
    listed = await red.client.post("/api/v1/librarian", json={"operation": "list-documents"})
    assert leaks(listed.text, "") == []
    added = await red.client.post(
        "/api/v1/collection-management", json={"operation": "update-collection", "collection": "mine"}
    )
    assert "error" in added.json(), added.text
    traces = len(await shared.admin.get("/api/v1/traces"))
    for team in (red, await shared.team("wim", "writer"), await shared.team("kim", "auditor")):
        removal = {"operation": "delete-collection", "collection": "default"}
        removed = await team.client.post("/api/v1/collection-management", json=removal)
        assert "error" in removed.json(), removed.text
    assert len(await shared.admin.get("/api/v1/documents")) == 3
    assert len(await shared.admin.get("/api/v1/traces")) == traces > 0


async def test_every_way_of_asking_is_open_to_a_reader(red: Team) -> None:
    for path in ("graph-rag", "document-rag", "extractive", "passages", "kgqa", "research"):
        answer = await red.client.post(f"/api/v1/{path}", json={"query": QUESTION})
        assert answer.status_code == 200 or "kgqa build" in answer.text, answer.text
        assert leaks(answer.text, "") == []
    judged = await red.client.post("/api/v1/verify", json={"claim": "Marta Lind leads Project Heron."})
    assert judged.json()["response"].startswith("SUPPORTS")
    other = await red.client.post("/api/v1/verify", json={"claim": "Marta Lind lives in Lima."})
    assert not other.json()["response"].startswith("SUPPORTS")
    text = {"text": "Marta Lind leads Project Heron. Marta Lind lives in Oslo.", "collection": "default"}
    attributed = await red.client.post("/api/v1/attribution", json=text)
    assert attributed.status_code == 200, attributed.text
    assert leaks(attributed.text, "") == []


async def test_a_socket_is_its_principals(tmp_path: Path) -> None:
    """The published client brings its token in the address of the socket, and in its first frame."""
    async with served(tmp_path / "data", token=ADMIN) as service:
        service.client.headers["Authorization"] = f"Bearer {ADMIN}"
        shared = SharedService(service, Team(service.client, ADMIN))
        await shared.ingest(RED, "red.txt", "red")
        await shared.ingest(BLUE, "blue.txt", "blue")
        red = await shared.team("ada", groups=["red"])
        url = str(service.client.base_url).replace("http:", "ws:").rstrip("/") + "/api/v1/socket"
        async with connect(f"{url}?token={red.token}", proxy=None) as socket:
            assert "auth-ok" in await _told(socket, {"type": "auth", "token": red.token})
            request = {"limit": 10_000}
            told = await _told(
                socket, {"id": "1", "service": "triples", "flow": "default", "request": request}
            )
            assert "heron" in told.casefold()
            assert leaks(told, "") == []
            asked = {"query": QUESTION, "collection": "default"}
            await _told(socket, {"id": "2", "service": "graph-rag", "flow": "default", "request": asked})
            await _told(socket, {"id": "3", "service": "nothing", "flow": "default", "request": {}})
            path = "WS /api/v1/socket"
            noted = [each for each in await _audited(shared) if each["request"].startswith(f"{path} ")]
            assert [(each["by"], each["request"], each["status"] < 400) for each in noted] == [
                ("ada", f"{path} triples", True),
                ("ada", f"{path} graph-rag", True),
                ("ada", f"{path} nothing", False),
            ]
            assert "default" in noted[1]["concerns"]
            assert "urn:trustgraph:session:" in str(noted[1]["concerns"])
            assert QUESTION not in str(noted)
        async with connect(url, proxy=None) as socket:
            assert "auth-failed" in await _told(socket, {"type": "auth", "token": "pg_nobody"})


async def _audited(shared: SharedService) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = (await shared.admin.get("/api/v1/audit"))["entries"]
    return entries


async def _told(socket: ClientConnection, frame: Mapping[str, Any]) -> str:
    await socket.send(json.dumps(frame))
    return str(await socket.recv())


async def test_who_asked_read_and_wrote_is_noted(shared: SharedService, red: Team) -> None:
    answered = await red.ask()
    await red.client.delete("/api/v1/traces")
    await red.client.post("/api/v1/document-rag", json={"query": QUESTION}, headers=STREAM)
    auditor = await shared.team("kim", "auditor")
    report = await auditor.get("/api/v1/audit")
    assert report["first_fault"] is None
    told = [(each["by"], each["right"], each["status"], each["request"]) for each in report["entries"]]
    assert ("ada", "ask", 200, "POST /api/v1/graph-rag") in told
    assert ("ada", "admin", 403, "DELETE /api/v1/traces") in told
    assert ("", "admin", 201, "POST /api/v1/tokens") in told
    assert answered["session"] in str(report["entries"])
    streamed = [
        each["concerns"] for each in report["entries"] if each["request"] == "POST /api/v1/document-rag"
    ]
    assert ["urn:trustgraph:session:" in name for names in streamed for name in names] == [True]
    assert QUESTION not in str(report)
    turtle = await auditor.client.get("/api/v1/audit", headers={"Accept": "text/turtle"})
    assert "urn:trustgraph:principal:ada" in turtle.text
    log = shared.running.assembly.authentication.log
    lines = log.file.read_text().splitlines(keepends=True)
    log.file.write_text("".join([*lines[:1], *lines[2:]]))
    assert await log.first_fault() == 2


async def test_what_is_deleted_stays_hidden(shared: SharedService, red: Team, names: dict[str, str]) -> None:
    """Answers that stood on it, its deletion, and what the store says of both."""
    whole = await shared.admin.ask()
    deleted = await shared.admin.client.delete("/api/v1/documents", params={"id": "blue.txt"})
    assert deleted.status_code == 200, deleted.text
    assert await red.get("/api/v1/traces") == []
    for session in (names["session"], whole["session"]):
        uuid = session.rpartition(":")[2]
        for path in (f"traces/{uuid}", f"traces/{uuid}/graph", f"proofs/{uuid}"):
            assert (await red.client.get(f"/api/v1/{path}")).status_code == 404, path
    query = {"query": "SELECT * { GRAPH ?g { ?s ?p ?o } }"}
    for told in (await red.client.get("/sparql", params=query), await red.client.get("/api/v1/export")):
        assert told.status_code == 200, told.text
        assert leaks(told.text, "") == []
        assert names["document"] not in told.text
    checked = await shared.admin.post("/api/v1/check", {})
    assert checked["summary"]["findings"] == 0, checked
    await shared.ingest(BLUE, "blue.txt")
    assert leaks(str(await red.get("/api/v1/documents")), "") == []


async def test_answers_of_an_archive_are_for_who_sees_what_they_stood_on(
    shared: SharedService, names: dict[str, str], tmp_path: Path
) -> None:
    """An archive does not say which documents a view had."""
    archive = (await shared.admin.client.get("/api/v1/archive", params={"collection": "default"})).content
    headers = {"Authorization": f"Bearer {ADMIN}"}
    async with running(tmp_path / "other", headers=headers, token=ADMIN) as service:
        other = SharedService(service, Team(service.client, ADMIN))
        sent = await service.client.post(
            "/api/v1/archive", content=archive, headers={"Content-Type": "application/zip"}
        )
        assert sent.status_code == 200, sent.text
        path = f"/api/v1/traces/{names['session'].rpartition(':')[2]}"
        for groups in (["red"], []):
            reader = await other.team(f"reader{len(groups)}", groups=groups)
            assert (await reader.client.get(path)).status_code == 404
        assert "Kestrel" in (await service.client.get(path)).text


async def test_what_is_handed_in_is_hidden_with_its_document(tmp_path: Path) -> None:
    """The library of TrustGraph's clients lies in the default collection, and reads documents into others."""
    headers = {"Authorization": f"Bearer {ADMIN}"}
    async with running(tmp_path / "data", headers=headers, token=ADMIN) as service:
        shared = SharedService(service, Team(service.client, ADMIN))
        await shared.ingest(RED, "red.txt")
        await shared.ingest("Ida Holm lives in Turin.\n", "ida.txt", collection="lab")
        about = {"id": "urn:example:plan", "title": "Plan of Kestrel", "kind": "text/plain"}
        content = b64encode(BLUE.encode()).decode()
        await _library(shared.admin, "add-document", content=content, **{"document-metadata": about})
        reading = {"id": "p1", "document-id": about["id"], "collection": "lab", "flow": "default"}
        await _library(shared.admin, "add-processing", **{"processing-metadata": reading})
        while "done" not in await _library(shared.admin, "list-processing"):
            await asyncio.sleep(0.05)
        body = {"documents": [about["id"]], "readers": ["blue"], "collection": "lab"}
        answer = await service.client.put("/api/v1/documents/readers", json=body)
        assert answer.status_code == 200, answer.text
        ben = await shared.team("ben", groups=["blue"])
        other = await shared.team("ada", groups=["red"])
        for reader in (other, await shared.team("uma", groups=["blue"], collections=["default"])):
            for operation in ("list-documents", "get-document", "get-document-content"):
                told = await _library(reader, operation, **{"document-id": about["id"]})
                assert [*leaks(told, ""), *(["content"] if content in told else [])] == []
            path = "/api/v1/document-stream"
            assert (await reader.client.get(path, params={"document-id": about["id"]})).status_code == 404
            assert leaks((await reader.client.get("/api/v1/export")).text, "") == []
        assert "Kestrel" in await _library(ben, "list-documents")


async def _library(team: Team, operation: str, **fields: Any) -> str:
    answer = await team.client.post("/api/v1/librarian", json={"operation": operation, **fields})
    assert answer.status_code == 200, answer.text
    return answer.text


async def test_a_socket_that_is_open_shows_what_may_be_seen_now(tmp_path: Path) -> None:
    async with served(tmp_path / "data", token=ADMIN) as service:
        service.client.headers["Authorization"] = f"Bearer {ADMIN}"
        shared = SharedService(service, Team(service.client, ADMIN))
        await shared.ingest(RED, "red.txt")
        red = await shared.team("ada", groups=["red"])
        url = str(service.client.base_url).replace("http:", "ws:").rstrip("/") + "/api/v1/socket"
        asked = {"service": "triples", "flow": "default", "request": {"limit": 10_000}}
        async with connect(f"{url}?token={red.token}", proxy=None) as socket:
            assert "auth-ok" in await _told(socket, {"type": "auth", "token": red.token})
            assert "heron" in (await _told(socket, {"id": "1", **asked})).casefold()
            await shared.ingest(BLUE, "blue.txt", "blue")
            told = await _told(socket, {"id": "2", **asked})
            assert "heron" in told.casefold()
            assert leaks(told, "") == []
            await shared.admin.client.delete("/api/v1/tokens/ada")
            refused = json.loads(await _told(socket, {"id": "3", **asked}))
            assert refused["error"]["type"] == "unauthorized"
