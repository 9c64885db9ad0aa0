"""The page's own files: served with headers that let nothing else in, and to those too who have no token yet."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from api.running import PROBLEM, Running, running
from provgraph.web.routes import page_files

FILES = sorted(page_files())

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def service(unchanged: Running) -> Running:
    return unchanged


@pytest_asyncio.fixture(loop_scope="module")
async def guarded(tmp_path: Path) -> AsyncIterator[Running]:
    async with running(tmp_path / "guarded", token="a secret") as made:
        yield made


async def test_the_page_stands_at_the_root(service: Running) -> None:
    answer = await service.client.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert '<main id="main"' in answer.text


async def test_the_policy_lets_in_only_what_is_the_services_own(service: Running) -> None:
    headers = (await service.client.get("/")).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert policy["frame-ancestors"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("name", FILES)
async def test_every_file_is_served_as_what_it_is_and_with_the_same_policy(
    service: Running, name: str
) -> None:
    answer = await service.client.get(f"/web/{name}")
    assert answer.status_code == 200
    kind = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
    assert answer.headers["content-type"].startswith(kind[name.rpartition(".")[2]])
    assert "script-src 'self'" in answer.headers["content-security-policy"]


async def test_everything_that_a_file_names_is_there(service: Running) -> None:
    texts = {name: page_files()[name].content.decode() for name in FILES}
    named = {path for text in texts.values() for path in re.findall(r'"/web/([^"]+)"', text)}
    assert "app.js" in named
    assert named <= set(FILES)


async def test_a_file_that_has_not_changed_is_not_sent_again(service: Running) -> None:
    first = await service.client.get("/web/app.js")
    tag = first.headers["etag"]
    for known in (tag, f'W/{tag}, "another"', "*"):
        again = await service.client.get("/web/app.js", headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag
    other = await service.client.get("/web/app.js", headers={"If-None-Match": '"another"'})
    assert other.status_code == 200


async def test_a_file_can_be_asked_about_without_its_content(service: Running) -> None:
    answer = await service.client.head("/")
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize(
    "name", ["absent.js", "../files.py", "%2e%2e/files.py", "../../settings.py", "style", ""]
)
async def test_what_is_no_file_of_the_page_is_not_found(service: Running, name: str) -> None:
    answer = await service.client.get(f"/web/{name}")
    assert answer.status_code == 404


async def test_the_page_needs_no_token_and_what_it_asks_for_does(guarded: Running) -> None:
    assert (await guarded.client.get("/")).status_code == 200
    assert (await guarded.client.get("/web/app.js")).status_code == 200
    for path in ("/api/v1/flows", "/api/v1/traces", "/webs", "/web"):
        answer = await guarded.client.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (401, PROBLEM)
    for path in ("//api/v1/traces", "/web/../api/v1/traces", "/web/%2e%2e/api/v1/traces"):
        assert (await guarded.client.get(path)).status_code in (401, 404)


async def test_a_foreign_host_does_not_get_the_page(service: Running) -> None:
    assert (await service.client.get("/", headers={"Host": "evil.example"})).status_code == 403
