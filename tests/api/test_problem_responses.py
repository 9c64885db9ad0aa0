"""Every wrong request gets one problem (RFC 9457) whose sentences say what is wrong and what to do."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from api.running import PROBLEM, STREAM, Running, running

ASK = "/api/v1/graph-rag"
DOCUMENTS = "/api/v1/documents"
JSON = {"Content-Type": "application/json"}

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def service(unchanged: Running) -> Running:
    """What is wrong leaves nothing, so one service can be asked everything."""
    return unchanged


def told(answer: httpx2.Response, status: int) -> str:
    """The detail of a problem that has this status and the one shape of all."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == PROBLEM
    problem: dict[str, Any] = answer.json()
    assert set(problem) >= {"type", "title", "status", "detail"}
    assert problem["status"] == status
    detail: str = problem["detail"]
    assert len(detail.rstrip(".").split(". ")) >= 2, detail
    assert "Traceback" not in answer.text
    return detail


@pytest.mark.parametrize("query", ["", "   \n\t "])
@pytest.mark.parametrize("headers", [{}, STREAM])
async def test_an_empty_question(service: Running, query: str, headers: dict[str, str]) -> None:
    answer = await service.client.post(ASK, json={"query": query}, headers=headers)
    assert "question is empty" in told(answer, 400)
    assert await service.get("/api/v1/traces") == []


async def test_a_question_of_a_hundred_thousand_characters(service: Running) -> None:
    for path in (ASK, "/api/v1/retrieve"):
        answer = await service.client.post(path, json={"query": "Who? " * 20_000})
        assert "8,000" in told(answer, 413)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (b"", "body"),
        (b"{", "JSON"),
        (b'{"query": "Who?"', "JSON"),
        (b'{"query":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b"[]", "body"),
        (b"null", "body"),
        (b"{}", "query"),
        (b'{"query": 7}', "query"),
        (b'{"query": ["Who?"]}', "query"),
        (b'{"query": "Who?", "edge_limit": 0}', "edge_limit"),
        (b'{"query": "Who?", "edge_limit": "many"}', "edge_limit"),
        (b'{"query": "Who?", "colection": "default"}', "colection"),
        (b'{"query": "\\ud800"}', "query"),
        (b"\xff\xfe", "body"),
        (b'{"query": "Who?", "query": }', "character 27"),
    ],
)
async def test_a_body_that_is_no_question(service: Running, body: bytes, names: str) -> None:
    assert names in told(await service.client.post(ASK, content=body, headers=JSON), 400)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({}, "text"),
        ({"text": "a", "content": "YQ=="}, "text"),
        ({"content": "no base64!"}, "base64"),
        ({"text": 7}, "text"),
        ({"text": "A fact.", "collection": "../etc"}, "collection name"),
        ({"text": "A fact.", "colection": "default"}, "colection"),
    ],
)
async def test_a_body_that_is_no_document(service: Running, body: dict[str, Any], names: str) -> None:
    assert names in told(await service.client.post(DOCUMENTS, json=body), 400)


@pytest.mark.parametrize("surrogate", ["title", "id", "text", "name"])
async def test_half_a_character_in_a_document(service: Running, surrogate: str) -> None:
    fields = {"text": "A fact.", "name": "a.txt", surrogate: "\ud800"}
    content = "{" + ", ".join(f'"{key}": "{value}"' for key, value in fields.items()) + "}"
    body = content.replace("\ud800", "\\ud800").encode()
    assert "hex escape" in told(await service.client.post(DOCUMENTS, content=body, headers=JSON), 400)


@pytest.mark.parametrize("path", [DOCUMENTS, "/api/v1/import"])
async def test_a_body_of_another_type(service: Running, path: str) -> None:
    for headers in (
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {},
    ):
        detail = told(await service.client.post(path, content=b"a=b", headers=headers), 415)
        assert "multipart/form-data" in detail


async def test_a_form_without_a_file(service: Running) -> None:
    fields = [("title", (None, "On Lise"))]
    assert "no file" in told(await service.client.post(DOCUMENTS, files=fields), 400)


async def test_a_form_without_its_boundary(service: Running) -> None:
    headers = {"Content-Type": "multipart/form-data"}
    assert "boundary" in told(await service.client.post(DOCUMENTS, content=b"--x\r\n", headers=headers), 400)


async def test_one_id_for_several_files(service: Running) -> None:
    files = [("file", ("a.txt", b"A.")), ("file", ("b.txt", b"B."))]
    answer = await service.client.post(DOCUMENTS, data={"id": "lise"}, files=files)
    assert "one by one" in told(answer, 400)


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_an_unknown_collection(service: Running, method: str) -> None:
    requests = {
        "GET": [
            DOCUMENTS,
            f"{DOCUMENTS}/content?id=urn:a",
            "/api/v1/export",
            "/api/v1/lineage?s=a:b&p=a:b&o=a:b",
        ],
        "POST": [ASK, "/api/v1/retrieve", "/api/v1/check"],
    }
    for path in requests[method]:
        if method == "GET":
            query = dict(httpx2.URL(path).params) | {"collection": "absent"}
            answer = await service.client.get(path.partition("?")[0], params=query)
        else:
            body = {"query": "Who?", "collection": "absent"}
            answer = await service.client.post(
                path, json=body if "check" not in path else {"collection": "absent"}
            )
        assert "no collection 'absent'" in told(answer, 404)
    removed = await service.client.delete("/api/v1/collections", params={"collection": "absent"})
    assert "no collection 'absent'" in told(removed, 404)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "-a", "a" * 65, "a b", "ä", "a\n", "a:b"])
async def test_a_name_that_no_collection_can_have(service: Running, name: str) -> None:
    made = await service.client.post("/api/v1/collections", json={"collection": name})
    assert "collection name" in told(made, 400)
    listed = await service.client.get(DOCUMENTS, params={"collection": name})
    assert "collection name" in told(listed, 400)


@pytest.mark.parametrize(
    ("path", "status", "names"),
    [
        (f"{DOCUMENTS}?id=no+iri", 404, "no document"),
        (f"{DOCUMENTS}/content", 400, "id"),
        ("/api/v1/explain", 400, "id"),
        ("/api/v1/explain?id=no+iri", 400, "IRI"),
        ("/api/v1/explain?id=urn:trustgraph:session:absent", 404, "explain_id"),
        ("/api/v1/traces/absent", 404, "provgraph traces"),
        (
            "/api/v1/traces/urn:trustgraph:session:7f2c1a34-0000-4000-8000-000000000000",
            404,
            "provgraph traces",
        ),
        ("/api/v1/traces?limit=0", 400, "limit"),
        ("/api/v1/traces?limit=all", 400, "limit"),
        ("/api/v1/lineage?s=a:b&p=a:b", 400, "o"),
        ("/api/v1/lineage?s=a:b&p=a:b&o=%22open", 400, "N-Triples"),
        ("/api/v1/lineage?s=a:b&p=a:b&o=%3Ca:b%3E+.+%3Ca:c%3E+%3Ca:d%3E+%3Ca:e%3E", 400, "N-Triples"),
        ("/api/v1/export?format=pdf", 400, "nquads"),
        (f"{ASK}?query=", 400, "empty"),
        (f"{ASK}", 400, "query"),
        ("/api/v1/nothing", 404, "/docs"),
    ],
)
async def test_a_request_for_what_is_not_there(service: Running, path: str, status: int, names: str) -> None:
    assert names in told(await service.client.get(path), status)


async def test_a_method_that_a_route_does_not_have(service: Running) -> None:
    answer = await service.client.put(ASK, json={})
    assert "PUT" in told(answer, 405)
    assert answer.headers["allow"]


async def test_texts_and_a_text_at_once(service: Running) -> None:
    for body in (b"{}", b'{"text": "a", "texts": ["b"]}', b'{"text": "\\ud800"}', b'{"texts": ["\\ud800"]}'):
        detail = told(await service.client.post("/api/v1/extract", content=body, headers=JSON), 400)
        assert "text" in detail


async def a_body_without_end(part: bytes, sent: list[int]) -> AsyncGenerator[bytes]:
    yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    while True:
        sent[0] += len(part)
        yield part


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (DOCUMENTS, "multipart/form-data; boundary=x"),
        (DOCUMENTS, "application/json"),
        ("/api/v1/import", "multipart/form-data; boundary=x"),
        ("/api/v1/extract", "application/json"),
        (ASK, "application/json"),
    ],
)
async def test_a_body_that_does_not_end_is_refused_at_the_limit(tmp_path: Path, path: str, kind: str) -> None:
    sent = [0]
    async with running(tmp_path / "data", max_upload_mb=1) as service:
        content = a_body_without_end(b"x" * 100_000, sent)
        answer = await service.client.post(path, content=content, headers={"Content-Type": kind})
        assert "PROVGRAPH_MAX_UPLOAD_MB" in told(answer, 413)
        assert sent[0] < 1_300_000


async def test_a_body_that_says_it_is_too_large_is_not_read(tmp_path: Path) -> None:
    sent = [0]
    async with running(tmp_path / "data", max_upload_mb=1) as service:
        headers = {"Content-Type": "application/json", "Content-Length": "100000000"}
        answer = await service.client.post(DOCUMENTS, content=a_body_without_end(b"x", sent), headers=headers)
        assert "100.0 MB" in told(answer, 413)
        assert sent[0] == 0


async def test_a_failure_that_nobody_foresaw_is_a_problem_too(tmp_path: Path) -> None:
    async with running(tmp_path / "data") as service:

        @service.app.get("/fail")
        async def fail() -> None:
            raise ZeroDivisionError

        answer = await service.client.get("/fail")
        assert "ZeroDivisionError" in told(answer, 500)


@pytest.mark.parametrize(
    ("path", "field", "meant"),
    [
        ("graph-rag", "question", "query"),
        ("graph-rag", "q", "query"),
        ("graph-rag", "colection", "collection"),
        ("verify", "question", "claim"),
    ],
)
async def test_an_unknown_field_is_named_with_the_one_that_is_meant(
    service: Running, path: str, field: str, meant: str
) -> None:
    answer = await service.client.post(f"/api/v1/{path}", json={field: "Who?"})
    assert f"Unknown field '{field}'. Did you mean '{meant}'?" in told(answer, 400)


async def test_an_unknown_parameter_is_named_with_the_one_that_is_meant(service: Running) -> None:
    answer = await service.client.get("/api/v1/graph-rag", params={"question": "Who?"})
    assert "Unknown field 'question'. Did you mean 'query'?" in told(answer, 400)


async def test_a_body_that_is_not_marked_as_json(service: Running) -> None:
    answer = await service.client.post("/api/v1/graph-rag", content=b'{"query": "Who?"}')
    assert "Content-Type: application/json" in told(answer, 400)


async def test_a_body_that_is_no_object(service: Running) -> None:
    answer = await service.client.post("/api/v1/graph-rag", json=[])
    assert "the body must be a JSON object" in told(answer, 400)
