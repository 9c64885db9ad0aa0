"""A policy says who would read what, as the service decides it, and whether that is what was expected."""

from __future__ import annotations

from typing import Any

import pytest

from api.two_teams import SharedService, Team

pytestmark = pytest.mark.asyncio
TEST = "/api/v1/documents/readers/test"


def _named(tested: dict[str, Any], name: str, field: str = "documents") -> set[str]:
    titles = {each["id"]: each["title"] for each in tested["documents"]}
    (own,) = [each for each in tested["principals"] if each["name"] == name]
    return {titles[document] for document in own[field]}


async def test_a_policy_shows_what_everybody_is_really_shown(
    shared: SharedService, red: Team, blue: Team
) -> None:
    tested = await shared.admin.post(TEST, {})
    for name, team in (("ada", red), ("ben", blue)):
        assert _named(tested, name) == {each["title"] for each in await team.get("/api/v1/documents")}


async def test_what_differs_from_the_expectation_is_named(shared: SharedService, red: Team) -> None:
    expect = {"ada": ["red.txt", "blue.txt"], "new": ["*"]}
    tested = await shared.admin.post(
        TEST, {"principals": {"new": {"groups": ["red", "blue"]}}, "expect": expect}
    )
    assert not tested["passed"]
    assert _named(tested, "ada", "missing") == {"blue"}
    assert _named(tested, "ada", "unexpected") == {"both"}
    assert _named(tested, "new", "missing") == set()


async def test_readers_of_a_policy_are_tried_and_not_set(shared: SharedService, red: Team) -> None:
    policy = {"readers": {"both.txt": ["blue"]}, "expect": {"ada": ["red.txt"]}}
    assert (await shared.admin.post(TEST, policy))["passed"]
    assert {each["source"] for each in await red.get("/api/v1/documents")} == {"red.txt", "both.txt"}


async def test_a_principal_of_other_collections_reads_nothing(shared: SharedService) -> None:
    policy = {"principals": {"kim": {"role": "auditor", "collections": ["lab"]}}, "expect": {"kim": []}}
    assert (await shared.admin.post(TEST, policy))["passed"]


@pytest.mark.parametrize(
    ("policy", "status"),
    [
        ({"expect": {"nobody": []}}, 400),
        ({"readers": {"nothing.txt": []}}, 404),
        ({"readers": {"red.txt": ["a b"]}}, 400),
        ({"collection": "nowhere"}, 404),
        ({"rules": {}}, 400),
    ],
)
async def test_a_policy_that_names_what_is_not_there_is_refused(
    shared: SharedService, policy: dict[str, Any], status: int
) -> None:
    answer = await shared.admin.client.post(TEST, json=policy)
    assert answer.status_code == status, answer.text


async def test_readers_may_not_see_who_reads_what(red: Team) -> None:
    assert (await red.client.post(TEST, json={})).status_code == 403
