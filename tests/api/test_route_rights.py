"""Every route says which right it asks for, and nobody without it gets anything from it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from uuid import uuid4

import pytest
from starlette.routing import BaseRoute, Route, WebSocketRoute

from api.running import assembled
from api.two_teams import BLUE, SharedService, Team
from provgraph.access.principals import RIGHTS, AccessRole, Right
from provgraph.access.rights import ROUTE_RIGHTS, required_right
from provgraph.gateway.access_control import FREE
from provgraph.late_routes import LateGroup, LateRoute

REQUESTS: Final = 500
_PARAMETER: Final = re.compile(r"\{[^}]*\}")


def routes(found: Sequence[BaseRoute]) -> Iterator[tuple[str, str]]:
    """Each method and path, WS for a WebSocket."""
    for route in found:
        if isinstance(route, LateGroup):
            yield from routes(route.routes)
        elif isinstance(route, WebSocketRoute):
            yield "WS", route.path
        else:
            assert isinstance(route, LateRoute | Route)
            outline = route._outline if isinstance(route, LateRoute) else route
            yield from ((method, outline.path) for method in sorted(outline.methods or ()))


@pytest.fixture(scope="module")
def all_routes(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    app = assembled(tmp_path_factory.mktemp("routes") / "data").app()
    return list(dict.fromkeys(routes(app.router.routes)))


def test_a_group_may_take_a_request_for_each_of_its_routes(tmp_path: Path) -> None:
    groups = [
        each for each in assembled(tmp_path / "data").app().router.routes if isinstance(each, LateGroup)
    ]
    assert len(groups) > 10
    for group in groups:
        assert all(path.startswith(group.beginnings) for _, path in routes([group])), group.beginnings


def test_each_route_declares_the_right_that_it_asks_for(all_routes: list[tuple[str, str]]) -> None:
    declared = {(method, each.path) for each in ROUTE_RIGHTS for method in each.methods}
    asked = {(method, path) for method, path in all_routes if method != "HEAD"}
    assert asked - declared == set(), "say in access/rights.py who may use these"
    assert {each for each in declared - asked if not each[1].startswith("/internal")} == set()


def test_the_right_of_a_path_is_that_of_the_route_that_answers_it(all_routes: list[tuple[str, str]]) -> None:
    declared = {(method, each.path): each.right for each in ROUTE_RIGHTS for method in each.methods}
    for method, path in all_routes:
        asked = "GET" if method == "HEAD" else method
        assert required_right(method, _filled(path)) == declared[asked, path], (method, path)


def test_what_nobody_declared_is_an_admins() -> None:
    assert required_right("GET", "/api/v1/made-tomorrow") is Right.ADMIN
    assert required_right("PATCH", "/api/v1/documents") is Right.ADMIN


@pytest.mark.asyncio
async def test_no_request_without_the_right_is_let_through(
    shared: SharedService, all_routes: list[tuple[str, str]]
) -> None:
    """Tokens that are nobody's, have expired, were revoked or rotated, or are of a role that has not the right."""
    dice = random.Random(7)
    roles = {AccessRole.READER, AccessRole.WRITER, AccessRole.AUDITOR}
    teams = {role: await shared.team(role.value, role.value, groups=["red"]) for role in roles}
    nobodies = [shared.with_token(""), shared.with_token("pg_" + "x" * 43), *await _ended(shared)]
    http = [(method, path) for method, path in all_routes if method != "WS"]
    let_through, unknown = [], 0
    for _ in range(REQUESTS):
        method, path = dice.choice(http)
        right = required_right(method, path)
        if right is Right.OPEN:
            continue
        lacking = [teams[role] for role in roles if right not in RIGHTS[role]]
        if not lacking and unknown >= FREE - 10:
            continue
        team = dice.choice(lacking if lacking and unknown >= FREE - 10 else [*nobodies, *lacking])
        unknown += team in nobodies
        answer = await team.client.request(method, _filled(path), json={})
        if answer.status_code not in (401, 403) or BLUE[:20] in answer.text:
            let_through.append((method, path, answer.status_code))
    assert let_through == []


@pytest.mark.asyncio
async def test_a_token_ends_with_the_request_that_revokes_it(shared: SharedService) -> None:
    team = await shared.team("eve", groups=["red"])
    assert (await team.client.get("/api/v1/documents")).status_code == 200
    rotated = await shared.admin.post("/api/v1/tokens/eve/rotate", {})
    assert (await team.client.get("/api/v1/documents")).status_code == 401
    anew = shared.with_token(rotated["token"])
    assert (await anew.client.get("/api/v1/documents")).status_code == 200
    assert (await shared.admin.client.delete("/api/v1/tokens/eve")).status_code == 200
    assert (await anew.client.get("/api/v1/documents")).status_code == 401


@pytest.mark.asyncio
async def test_tokens_are_kept_as_hashes_and_shown_once(shared: SharedService, tmp_path: Path) -> None:
    team = await shared.team("eve", groups=["red"])
    assert team.token not in (await shared.admin.client.get("/api/v1/tokens")).text
    await team.ask()
    traces = await shared.admin.client.get("/api/v1/export", params={"graph": "retrieval"})
    assert team.token not in traces.text
    kept = [file for file in (tmp_path / "data").rglob("*") if file.is_file()]
    assert kept
    assert [file for file in kept if team.token.encode() in file.read_bytes()] == []


@pytest.mark.asyncio
async def test_the_first_token_must_not_lock_everybody_out(tmp_path: Path) -> None:
    from api.running import running

    async with running(tmp_path / "data") as service:
        body = {"name": "eve", "role": "reader"}
        refused = await service.client.post("/api/v1/tokens", json=body)
        assert refused.status_code == 403
        assert "admin first" in refused.json()["detail"]
        made = await service.client.post("/api/v1/tokens", json={**body, "role": "admin"})
        assert (await service.client.get("/api/v1/documents")).status_code == 401
        headers = {"Authorization": f"Bearer {made.json()['token']}"}
        assert (await service.client.get("/api/v1/documents", headers=headers)).status_code == 200


async def _ended(shared: SharedService) -> list[Team]:
    """Somebody whose token has expired, was revoked, and was rotated."""
    revoked, rotated = await shared.team("gone", "admin"), await shared.team("turned", "admin")
    await shared.admin.client.delete("/api/v1/tokens/gone")
    await shared.admin.post("/api/v1/tokens/turned/rotate", {})
    soon = datetime.now(UTC) + timedelta(milliseconds=300)
    expired = await shared.team("late", "admin", expires=soon.isoformat())
    shared.running.assembly.authentication.principals.now = lambda: soon + timedelta(seconds=1)
    return [revoked, rotated, expired]


def _filled(path: str) -> str:
    return _PARAMETER.sub(lambda _: str(uuid4()), path)
