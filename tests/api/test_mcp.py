"""The Model Context Protocol by the SDK's own client: over HTTP on a served folder, and over stdio on a folder."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import pytest

from api.running import CURIE, served
from e2e.commands import environment

mcp = pytest.importorskip("mcp", reason="the extra 'mcp' is not installed")

from mcp.client.stdio import StdioServerParameters  # noqa: E402
from mcp.client.streamable_http import streamable_http_client  # noqa: E402

QUESTION = "Who discovered the proton?"


@asynccontextmanager
async def connected(data: Path) -> AsyncIterator[Any]:
    """Within the task of a test: the client's task groups may not be left in another."""
    async with served(data) as service, mcp.Client(f"{service.client.base_url}/mcp") as made:
        yield made


async def test_tools_say_what_they_change(data: Path) -> None:
    async with connected(data) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"ask", "verify", "check_answer", "retrieve", "lineage", "why_not", "trace", "sparql"} <= set(
            tools
        )
        assert tools["ask"].annotations.read_only_hint
        assert tools["delete"].annotations.destructive_hint
        assert not tools["ingest"].annotations.destructive_hint
        assert "short_answer" in tools["ask"].output_schema["properties"]


async def test_an_answer_comes_with_the_words_it_stands_on(data: Path) -> None:
    async with connected(data) as client:
        said = (await client.call_tool("ask", {"query": QUESTION})).structured_content
        assert said["short_answer"] == "Ernest Rutherford"
        source = said["sentences"][-1]["sources"][0]
        assert CURIE[source["start"] : source["end"]] == source["text"]
        trace = (await client.call_tool("trace", {"session": said["session"]})).structured_content
        assert trace["query"] == QUESTION


async def test_a_claim_is_judged_part_by_part(data: Path) -> None:
    async with connected(data) as client:
        claim = "Ernest Rutherford discovered the proton in 1918."
        said = (await client.call_tool("verify", {"claim": claim})).structured_content
        assert said["verdict"] == "REFUTES"
        assert {part["relation"] for part in said["elements"]} >= {"entailed", "contradicted"}


async def test_a_document_is_added_asked_and_deleted(data: Path) -> None:
    async with connected(data) as client:
        text = "Lise Meitner was born in Vienna."
        told: list[float] = []

        async def progress(done: float, total: float | None, message: str | None) -> None:
            told.append(done)

        added = await client.call_tool(
            "ingest", {"name": "meitner.txt", "text": text}, progress_callback=progress
        )
        assert added.structured_content["state"] == "done"
        answer = await client.call_tool("ask", {"query": "Where was Lise Meitner born?"})
        assert answer.structured_content["short_answer"] == "Vienna"
        await client.call_tool("delete", {"document": "meitner.txt"})
        gone = await client.call_tool("ask", {"query": "Where was Lise Meitner born?"})
        assert gone.structured_content["outcome"] == "refused"


async def test_sparql_and_resources_show_the_graph(data: Path) -> None:
    async with connected(data) as client:
        found = await client.call_tool("sparql", {"query": "ASK { GRAPH ?g { ?s ?p ?o } }"})
        assert found.structured_content["boolean"] is True
        documents = await client.read_resource("provgraph://default/documents")
        assert "The Curies" in documents.contents[0].text
        (listed,) = json.loads(documents.contents[0].text)
        document = await client.read_resource(f"provgraph://default/documents/{quote(listed['id'], safe='')}")
        tree = json.loads(document.contents[0].text)
        assert tree["content"][0]["chunks"][0]["facts"]
        answer = (await client.call_tool("ask", {"query": QUESTION})).structured_content
        source = answer["sentences"][-1]["sources"][0]
        page = await client.read_resource(f"provgraph://default/pages/{quote(source['page'], safe='')}")
        assert page.contents[0].text[source["start"] : source["end"]] == source["text"]
        templates = {
            each.uri_template for each in (await client.list_resource_templates()).resource_templates
        }
        assert "provgraph://{collection}/pages/{page}" in templates
        prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
        assert {"answer_with_proof", "check_facts"} <= prompts


async def test_what_is_wrong_is_told_to_the_agent(data: Path) -> None:
    async with connected(data) as client:
        wrong = await client.call_tool("ask", {"query": "Who?", "collection": "nowhere"})
        assert wrong.is_error
        assert "nowhere" in wrong.content[0].text
        local = await client.call_tool("ingest", {"path": "/etc/passwd"})
        assert local.is_error
        assert "sees no files of yours" in local.content[0].text


async def test_the_token_of_the_service_is_asked_for(data: Path) -> None:
    async with served(data, token="a-secret-of-enough-letters") as service:
        address = f"{service.client.base_url}/mcp"
        refused = await service.client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert refused.status_code == 401
        headers = {"Authorization": "Bearer a-secret-of-enough-letters"}
        async with (
            httpx2.AsyncClient(headers=headers, trust_env=False) as http,
            mcp.Client(streamable_http_client(address, http_client=http)) as known,
        ):
            said = await known.call_tool("ask", {"query": QUESTION})
            assert said.structured_content["outcome"] == "answered"


async def test_a_folder_is_served_over_stdio(data: Path, tmp_path: Path) -> None:
    (tmp_path / "meitner.txt").write_text("Lise Meitner was born in Vienna.", "utf-8")
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "provgraph", "mcp", "--data", str(data)],
        env=environment(),
    )
    async with mcp.Client(command) as client:
        added = await client.call_tool("ingest", {"path": str(tmp_path / "meitner.txt")})
        assert added.structured_content["state"] == "done"
        said = (await client.call_tool("ask", {"query": "Where was Lise Meitner born?"})).structured_content
        assert said["short_answer"] == "Vienna"
        page = quote(said["sentences"][-1]["sources"][0]["page"], safe="")
        text = await client.read_resource(f"provgraph://default/pages/{page}")
        assert "Lise Meitner was born in Vienna." in text.contents[0].text
