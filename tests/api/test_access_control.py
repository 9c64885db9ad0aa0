"""Who is let in, over HTTP."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import shutil
import socket
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx2
import pytest
import pytest_asyncio
import uvicorn

from api.running import PROBLEM, STREAM, Running, assembled, running
from provgraph.errors import InvalidInput
from provgraph.gateway.access_control import FREE
from servers.direct import DIRECT

TOKEN = "a secret of söme length"
GUARDED = ("/api/v1/traces", "/sparql?query=ASK{}", "/metrics", "/absent")
ASK = {"query": "Who discovered polonium?"}


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def service(unchanged: Running) -> Running:
    return unchanged


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running_guarded(
    tmp_path_factory: pytest.TempPathFactory, informed_folder: Path
) -> AsyncIterator[Running]:
    data = tmp_path_factory.mktemp("guarded") / "data"
    shutil.copytree(informed_folder, data)
    made = running(
        data, token=TOKEN, allowed_hosts="notes.example.org", allowed_origins="https://notes.example.org/"
    )
    async with made as service:
        yield service


@pytest.fixture
def guarded(running_guarded: Running) -> Iterator[Running]:
    """A service with a token, one foreign host and one foreign origin; its client gives no token yet."""
    yield running_guarded
    running_guarded.client.headers.pop("Authorization", None)


@pytest.mark.parametrize("host", ["localhost", "localhost:8888", "127.0.0.1:8888", "[::1]:8888", "LOCALHOST"])
async def test_the_service_answers_to_its_own_names(service: Running, host: str) -> None:
    assert (await service.client.get("/api/v1/traces", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:8888",
        "evil.example@localhost",
        "localhost/evil.example",
        "localhost#.evil.example",
        "localhost:port",
        "[::1",
        "",
        "[",
    ],
)
async def test_a_foreign_host_is_refused_on_every_path(service: Running, host: str) -> None:
    for path in ("/api/v1/traces", "/health", "/docs", "/metrics", "/absent"):
        answer = await service.client.get(path, headers={"Host": host})
        assert answer.status_code == 403
        assert answer.headers["content-type"] == PROBLEM
        assert "PROVGRAPH_ALLOWED_HOSTS" in answer.json()["detail"]


async def test_a_named_host_and_origin_are_let_in(guarded: Running) -> None:
    guarded.client.headers["Authorization"] = f"Bearer {TOKEN}"
    for origin in ("https://notes.example.org", "HTTPS://notes.example.org"):
        headers = {"Host": "notes.example.org:443", "Origin": origin}
        answer = await guarded.client.get("/api/v1/traces", headers=headers)
        assert answer.status_code == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost:9999", "file://", "evil://localhost:8888"]
)
async def test_a_page_of_another_site_is_refused(service: Running, origin: str) -> None:
    for path in ("/api/v1/traces", "/sparql", "/docs"):
        answer = await service.client.get(path, headers={"Origin": origin})
        assert answer.status_code == 403
        assert "PROVGRAPH_ALLOWED_ORIGINS" in answer.json()["detail"]


async def test_a_page_of_the_service_itself_is_let_in(service: Running) -> None:
    headers = {"Host": "localhost:8888", "Origin": "http://localhost:8888"}
    assert (await service.client.get("/api/v1/traces", headers=headers)).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_another_site_cannot_ask_by_an_image_or_a_link(service: Running, site: str) -> None:
    for path in ("/api/v1/graph-rag?query=Who", "/sparql?query=ASK{}"):
        answer = await service.client.get(path, headers={"Sec-Fetch-Site": site})
        assert answer.status_code == 403
    assert await service.get("/api/v1/traces") == []


async def test_a_link_from_another_site_opens_the_documentation(service: Running) -> None:
    answer = await service.client.get("/docs", headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "authorization", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x"]
)
async def test_without_the_token_nothing_is_told(guarded: Running, authorization: str) -> None:
    sent = [(b"Authorization", authorization.encode())] if authorization else []
    accept = [(b"Accept", STREAM["Accept"].encode())]
    requests = [
        guarded.client.build_request("POST", "/api/v1/graph-rag", json=ASK, headers=[*sent, *accept]),
        *(guarded.client.build_request("GET", path, headers=sent) for path in GUARDED),
    ]
    for request in requests:
        answer = await guarded.client.send(request)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.headers["content-type"] == PROBLEM
        assert "Authorization: Bearer" in answer.json()["detail"]


@pytest.mark.parametrize("operation", ["login", "bootstrap", "bootstrap-status"])
async def test_a_client_without_a_token_that_asks_for_one_is_told_that_none_is_given(
    guarded: Running, operation: str
) -> None:
    answer = await guarded.client.post(f"/api/v1/auth/{operation}", content=b"\x00 no JSON")
    assert answer.status_code == 200
    assert "provgraph token" in answer.json()["error"]["message"]
    foreign = {"Origin": "https://evil.example"}
    assert (await guarded.client.post(f"/api/v1/auth/{operation}", headers=foreign)).status_code == 403


async def test_with_the_token_an_answer_is_streamed(guarded: Running) -> None:
    guarded.client.headers["Authorization"] = f"Bearer {TOKEN}"
    assert (await guarded.stream())[-1].data["end_of_session"] is True


@pytest.mark.parametrize("path", ["/health", "/ready"])
async def test_probes_need_no_token(guarded: Running, path: str) -> None:
    assert (await guarded.client.get(path)).status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.7", "provgraph.example"])
async def test_no_service_starts_for_others_without_a_token(tmp_path: Path, host: str) -> None:
    with pytest.raises(InvalidInput, match="PROVGRAPH_TOKEN"):
        assembled(tmp_path / "data", host=host).app()
    assembled(tmp_path / "guarded", host=host, token=TOKEN).app()


async def test_a_token_that_can_be_guessed_does_for_loopback_only(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="at least 16"):
        assembled(tmp_path / "data", host="0.0.0.0", token="t" * 15).app()
    assembled(tmp_path / "here", token="t").app()


async def test_wrong_tokens_are_answered_later_after_many_and_the_right_one_at_once(tmp_path: Path) -> None:
    async with running(tmp_path / "data", token=TOKEN) as service:

        async def seconds(token: str) -> float:
            begun = time.monotonic()
            await service.client.get("/api/v1/traces", headers={b"Authorization": f"Bearer {token}".encode()})
            return time.monotonic() - begun

        for _ in range(FREE):
            await seconds("wrong")
        assert await seconds("wrong") >= 1
        assert await seconds(TOKEN) < 1


async def test_an_allowed_origin_is_answered_its_preflight_and_no_other(tmp_path: Path) -> None:
    async with running(tmp_path / "data", allowed_origins="https://a.example", token=TOKEN) as service:
        asked = {
            "Origin": "https://a.example",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type",
        }
        allowed = await service.client.options("/api/v1/graph-rag", headers=asked)
        assert allowed.status_code == 200
        assert allowed.headers["access-control-allow-origin"] == "https://a.example"
        other = {**asked, "Origin": "https://b.example"}
        refused = await service.client.options("/api/v1/graph-rag", headers=other)
        assert "access-control-allow-origin" not in refused.headers


async def test_the_reference_of_routes_loads_nothing_and_is_shown_in_no_frame(
    running_guarded: Running,
) -> None:
    docs = await running_guarded.client.get("/docs")
    policy = docs.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "frame-ancestors 'none'" in policy
    assert docs.headers["x-frame-options"] == "DENY"
    style = docs.text.partition("<style>")[2].partition("</style>")[0]
    assert base64.b64encode(hashlib.sha256(style.encode()).digest()).decode() in policy
    assert "<script" not in docs.text
    assert "http" not in docs.text.replace("HTTPValidationError", "").casefold().replace("http 1", "")


async def test_the_reference_names_every_route_and_message(running_guarded: Running) -> None:
    described = (await running_guarded.client.get("/openapi.json")).json()
    docs = (await running_guarded.client.get("/docs")).text
    for path, operations in described["paths"].items():
        for method in operations:
            assert f"<span>{method.upper()}</span>{path}</h3>" in docs
    for name in described["components"]["schemas"]:
        assert f'<section id="{name}">' in docs


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
async def test_loopback_needs_no_token(tmp_path: Path, host: str) -> None:
    assert assembled(tmp_path / "data", host=host).app().title == "ProvGraph"


async def test_bound_to_any_address_every_name_is_let_in_with_the_token(tmp_path: Path) -> None:
    async with running(tmp_path / "data", host="0.0.0.0", token="t" * 16) as service:
        headers = {"Host": "anything.example", "Authorization": f"Bearer {'t' * 16}"}
        assert (await service.client.get("/api/v1/traces", headers=headers)).status_code == 200


async def test_the_service_is_reached_over_ipv6(tmp_path: Path) -> None:
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    app = assembled(tmp_path / "data", host="::1").app()
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))
        serving = asyncio.create_task(server.serve([listening]))
        url = f"http://[::1]:{listening.getsockname()[1]}"
        async with httpx2.AsyncClient(base_url=url, **DIRECT) as client:
            assert (await client.get("/api/v1/traces")).json() == []
        server.should_exit = True
        await serving
