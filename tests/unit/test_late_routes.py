"""Late routes are FastAPI's own in all but when they are made."""

from __future__ import annotations

import asyncio
from threading import Event
from typing import Annotated, Any

import httpx2
from fastapi import APIRouter, FastAPI, Query, Request
from pydantic import BaseModel

from provgraph.late_routes import GroupsMadeAside, LateGroup, LateRoute, LateRouter, add_routers, add_routes


class Sum(BaseModel):
    value: int


def calculating(router: APIRouter) -> FastAPI:
    @router.get("/double/{number}", tags=["numbers"])
    async def double(number: int, times: Annotated[int, Query(ge=1)] = 1) -> Sum:
        """Twice as much."""
        return Sum(value=number * 2**times)

    @router.post("/sum", status_code=201, name="added", response_model=Sum)
    async def added(body: list[int]) -> Any:
        return {"value": sum(body), "secret": "not told"}

    @router.delete("/sum", include_in_schema=False)
    async def forgotten() -> None: ...

    app = FastAPI()
    add_routers(app, [router])
    return app


ASKED = [
    ("GET", "/calc/double/21", None, 200),
    ("GET", "/calc/double/21?times=2", None, 200),
    ("GET", "/calc/double/21?times=0", None, 422),
    ("GET", "/calc/double/many", None, 422),
    ("POST", "/calc/double/21", None, 405),
    ("POST", "/calc/sum", [1, 2], 201),
    ("POST", "/calc/sum", {"not": "a list"}, 422),
    ("DELETE", "/calc/sum", None, 200),
    ("GET", "/calc/nothing", None, 404),
]


async def answers(app: FastAPI) -> list[tuple[int, bytes]]:
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:
        made = [await client.request(method, path, json=body) for method, path, body, _ in ASKED]
    return [(answer.status_code, answer.content) for answer in made]


async def test_they_answer_and_describe_themselves_as_fastapis_own_do() -> None:
    late, own = (calculating(kind(prefix="/calc", tags=["all"])) for kind in (LateRouter, APIRouter))
    answered = await answers(late)
    assert [status for status, _ in answered] == [expected for *_, expected in ASKED]
    assert answered == await answers(own)
    assert late.openapi() == own.openapi()
    assert late.url_path_for("added") == own.url_path_for("added") == "/calc/sum"


async def test_one_is_analysed_when_a_request_is_for_it_and_not_before() -> None:
    router = LateRouter(prefix="/calc")
    transport = httpx2.ASGITransport(calculating(router))
    async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:
        assert (await client.post("/calc/sum", json=[1, 2])).json() == {"value": 3}
    assert [isinstance(route, LateRoute) and route.is_made for route in router.routes] == [False, True, False]


def group(made: list[str], name: str, *methods: str, place: int = 0) -> LateGroup:
    """A group of one path, `/name`, that is noted in `made` when it is made."""

    def routers() -> list[APIRouter]:
        made.append(name)
        router = LateRouter()

        @router.api_route(f"/{name}", methods=list(methods))
        async def method(request: Request) -> str:
            return f"{name} {request.method}"

        return [router]

    return LateGroup(routers, place)


async def test_a_group_is_made_when_no_group_before_it_takes_a_request() -> None:
    made: list[str] = []
    app = FastAPI()
    add_routes(app, [group(made, "near", "GET"), group(made, "near", "POST"), group(made, "far", "GET")])
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:
        assert (await client.get("/near")).json() == "near GET"
        assert made == ["near"]
        assert (await client.post("/near")).json() == "near POST"
        assert made == ["near", "near"]
        assert (await client.get("/far")).json() == "far GET"
        assert (await client.put("/near")).status_code == 405
        assert (await client.get("/nothing")).status_code == 404
    assert made == ["near", "near", "far"]
    assert list(app.openapi()["paths"]) == ["/near", "/far"]


async def test_groups_are_described_by_their_places() -> None:
    app = FastAPI()
    add_routes(app, [group([], "near", "GET", place=1), group([], "far", "GET", place=0)])
    assert list(app.openapi()["paths"]) == ["/far", "/near"]


async def test_while_a_group_is_made_aside_those_before_it_answer() -> None:
    begun, may_end = Event(), Event()

    def slow() -> list[APIRouter]:
        begun.set()
        assert may_end.wait(30)
        return [APIRouter(routes=group([], "far", "GET").routes)]

    app, groups = FastAPI(), [group([], "near", "GET"), LateGroup(slow)]
    add_routes(app, groups)
    transport = httpx2.ASGITransport(GroupsMadeAside(app, groups))
    async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:
        assert (await client.get("/near")).json() == "near GET"
        async with asyncio.timeout(30):
            waiting = asyncio.create_task(client.get("/far"))
            assert await asyncio.to_thread(begun.wait, 30)
            assert (await client.get("/near")).json() == "near GET"
            may_end.set()
            assert (await waiting).json() == "far GET"
