"""The wire of TrustGraph's clients against frames that no client sends: each is answered, and the next one too."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Close

from api.running import QUESTION, Running, served

FLOWS: Final = {"service": "flow", "request": {"operation": "list-flows"}}
EVERYTHING: Final = {"service": "triples", "flow": "default", "request": {"limit": 5}}


@asynccontextmanager
async def socket(
    service: Running, token: str = "", path: str = "/api/v1/socket", **options: Any
) -> AsyncGenerator[ClientConnection]:
    """A connection as the client opens it, past the frame with its token."""
    url = str(service.client.base_url).replace("http", "ws").rstrip("/") + path
    async with connect(url, proxy=None, **options) as made:
        if path == "/api/v1/socket":
            await made.send(json.dumps({"type": "auth", "token": token}))
            assert (await received(made))["type"] == "auth-ok"
        yield made


async def received(connection: ClientConnection) -> dict[str, Any]:
    frame: dict[str, Any] = json.loads(await asyncio.wait_for(connection.recv(), 20))
    return frame


async def answered(
    connection: ClientConnection, frame: dict[str, Any], request_id: str = "1"
) -> dict[str, Any]:
    await connection.send(json.dumps({"id": request_id, **frame}))
    return await received(connection)


async def closing(connection: ClientConnection) -> Close:
    """How the service closes the connection."""
    with pytest.raises(ConnectionClosed) as closed:
        await received(connection)
    assert closed.value.rcvd is not None
    return closed.value.rcvd


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ("{not json", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1, 2]", "not a JSON object"),
        ("", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (json.dumps(FLOWS), "no 'id'"),
        (json.dumps({"id": True, **FLOWS}), "no 'id'"),
        (json.dumps({"id": "x", "request": {}}), "no 'service'"),
        (json.dumps({"id": "x", "service": "flow"}), "'request' is not an object"),
        (json.dumps({"id": "x", "service": ["flow"], "request": {}}), "'service' is not a text"),
        (json.dumps({"id": "x", "service": "flow", "request": {}}), "no 'operation'"),
        (json.dumps({"id": "x", "service": "\ud800", "request": {}}), "whole characters"),
        (json.dumps({"id": "x", "service": "nonsense", "request": {}}), "There is no service 'nonsense'"),
        (json.dumps({"id": "x", "service": "agent", "flow": "default", "request": {}}), "not provided here"),
        (
            json.dumps({"id": "x", "service": "triples", "flow": "other", "request": {}}),
            "There is no flow 'other'",
        ),
        (json.dumps({"id": "x", **EVERYTHING, "request": {"s": {"t": "?"}}}), "not an RDF term"),
        (json.dumps({"id": "x", **EVERYTHING, "request": {"limit": -1}}), "not a whole number"),
        (json.dumps({"id": "x", **EVERYTHING, "request": {"collection": "../up"}}), "not a collection name"),
    ],
)
async def test_a_bad_frame_is_told_what_is_wrong_and_the_connection_goes_on(
    data: Path, sent: str | bytes, said: str
) -> None:
    async with served(data) as service, socket(service) as connection:
        await connection.send(sent)
        assert said in (await received(connection))["error"]["message"]
        assert (await answered(connection, FLOWS))["response"] == {"flow-ids": ["default"]}


async def test_a_frame_of_fifty_megabytes_closes_its_connection_and_no_other(data: Path) -> None:
    async with served(data) as service, socket(service) as other:
        async with socket(service) as connection:
            with suppress(ConnectionClosed):  # it may be closed before all is sent
                await connection.send(json.dumps({"id": "1", "pad": "x" * 50_000_000}))
            assert (await closing(connection)).code == 1009
        assert "response" in await answered(other, FLOWS)


async def test_an_id_is_refused_while_it_is_in_use_and_free_again_after(data: Path) -> None:
    question = {
        "id": "1",
        "service": "graph-rag",
        "flow": "default",
        "request": {"query": QUESTION, "streaming": True, "explainable": True},
    }
    async with served(data) as service, socket(service) as connection:
        await connection.send(json.dumps(question))
        await connection.send(json.dumps({"id": "1", **FLOWS}))
        refused, last = False, None
        while last is None or not refused:
            frame = await received(connection)
            if "error" in frame:
                refused = "still being answered" in frame["error"]["message"]
            elif frame["complete"]:
                last = frame
        assert last["response"]["end_of_session"]
        assert "response" in await answered(connection, FLOWS)


async def test_a_client_that_vanishes_ends_its_question(data: Path) -> None:
    async with served(data) as service:
        async with socket(service) as connection:
            request = {"query": QUESTION, "streaming": True}
            await connection.send(
                json.dumps({"id": "1", "service": "graph-rag", "flow": "default", "request": request})
            )
            connection.transport.abort()
        async with socket(service) as connection:
            assert "response" in await answered(connection, EVERYTHING)


async def test_requests_run_side_by_side_and_are_told_apart_by_their_ids(data: Path) -> None:
    async with served(data) as service, socket(service) as connection:
        for number in range(100):
            await connection.send(json.dumps({"id": f"r{number}", **EVERYTHING}))
        frames = [await received(connection) for _ in range(100)]
        assert {frame["id"] for frame in frames} == {f"r{number}" for number in range(100)}
        assert all(len(frame["response"]["response"]) == 5 for frame in frames)


@pytest.mark.parametrize("first", ["{}", "no json", '{"type": "auth", "token": "wrong"}', '{"type": "auth"}'])
async def test_without_the_token_in_its_first_frame_a_connection_is_closed(data: Path, first: str) -> None:
    async with served(data, token="secret") as service:
        url = str(service.client.base_url).replace("http", "ws").rstrip("/") + "/api/v1/socket"
        async with connect(url, proxy=None) as connection:
            await connection.send(first)
            assert (await received(connection))["type"] == "auth-failed"
            with pytest.raises(ConnectionClosed):
                await received(connection)


async def test_with_the_token_in_its_first_frame_a_connection_is_served(data: Path) -> None:
    async with served(data, token="secret") as service, socket(service, token="secret") as connection:
        assert "response" in await answered(connection, FLOWS)


@pytest.mark.parametrize("path", ["/api/v1/socket", "/api/v1/flow/default/import/triples"])
@pytest.mark.parametrize("header", [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")])
async def test_a_page_of_another_site_opens_no_connection(
    data: Path, path: str, header: tuple[str, str]
) -> None:
    async with served(data) as service:
        url = str(service.client.base_url).replace("http", "ws").rstrip("/") + path
        with pytest.raises(InvalidStatus) as refused:
            await connect(url, proxy=None, additional_headers=[header])
        assert refused.value.response.status_code == 403


async def test_a_name_that_leads_here_by_rebinding_opens_no_connection(data: Path) -> None:
    async with served(data) as service:
        port = service.client.base_url.port
        with pytest.raises(InvalidStatus) as refused:
            await connect("ws://evil.example/api/v1/socket", proxy=None, host="127.0.0.1", port=port)
        assert refused.value.response.status_code == 403


async def test_bulk_loads_ask_for_the_token_before_the_connection(data: Path) -> None:
    async with served(data, token="secret") as service:
        path = "/api/v1/flow/default/import/triples"
        with pytest.raises(InvalidStatus) as refused:
            async with socket(service, path=path):
                pass
        assert refused.value.response.status_code == 401
        async with socket(service, path=f"{path}?token=secret"):
            pass


def load(*triples: tuple[str, str, str], document: str = "https://example.org/load") -> str:
    wire = [
        {place: {"t": "i", "i": iri} for place, iri in zip("spo", triple, strict=True)} for triple in triples
    ]
    return json.dumps({"metadata": {"id": document, "collection": "default"}, "triples": wire})


ONE: Final = ("https://example.org/a", "https://example.org/knows", "https://example.org/b")
TWO: Final = ("https://example.org/b", "https://example.org/knows", "https://example.org/c")
KNOWS: Final = {**EVERYTHING, "request": {"p": {"t": "i", "i": ONE[1]}}}
IMPORT: Final = "/api/v1/flow/default/import/triples"


async def known(service: Running) -> int:
    async with socket(service) as connection:
        return len((await answered(connection, KNOWS))["response"]["response"])


async def test_a_load_is_seen_as_soon_as_its_connection_is_closed_and_twice_is_once(data: Path) -> None:
    async with served(data) as service:
        async with socket(service, path=IMPORT) as bulk:
            await bulk.send(load(ONE))
            await bulk.send(load(TWO))
        assert await known(service) == 2
        before = len(await service.get("/api/v1/documents"))
        async with socket(service, path=IMPORT) as bulk:
            await bulk.send(load(TWO, ONE))
        assert await known(service) == 2
        assert len(await service.get("/api/v1/documents")) == before


async def test_a_load_that_breaks_off_leaves_nothing(data: Path) -> None:
    async with served(data) as service:
        async with socket(service, path=IMPORT) as bulk:
            await bulk.send(load(ONE))
            await bulk.ping()
            bulk.transport.abort()
        assert await known(service) == 0


@pytest.mark.parametrize(
    "frame", ["no json", '{"triples": [{"s": 1}]}', load(ONE, document="urn:graph:knowledge")]
)
async def test_a_load_that_cannot_be_taken_is_closed_with_the_reason(data: Path, frame: str) -> None:
    async with served(data) as service:
        async with socket(service, path=IMPORT) as bulk:
            await bulk.send(load(ONE))
            await bulk.send(frame)
            closed = await closing(bulk)
        assert closed.code == 1008
        assert closed.reason
        assert await known(service) == 0


async def test_what_is_not_provided_in_bulk_is_closed_with_the_reason(data: Path) -> None:
    path = "/api/v1/flow/default/export/document-embeddings"
    async with served(data) as service, socket(service, path=path) as bulk:
        assert "not provided here" in (await closing(bulk)).reason
