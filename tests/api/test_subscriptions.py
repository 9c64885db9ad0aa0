"""Subscriptions: a receiver on loopback is told which sentence of an answer fell, and why, until it has taken it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from api.running import Running, running
from provgraph.adapters.webhooks import signature
from servers.webhook_receiver import Receiver, receiving

pytestmark = pytest.mark.slow

SETTINGS: Final[dict[str, Any]] = {"webhook_secret": "a-secret", "webhook_allow_private": True}
CHANGED: Final = "Marie Curie was born in Warsaw.\n"
PATH: Final = "/api/v1/subscriptions"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder without documents."""
    return tmp_path / "data"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


async def subscribed(service: Running, receiver: Receiver) -> dict[str, Any]:
    """A subscription to an answer that stands."""
    await service.ingest("Marie Curie discovered polonium in 1898.\n", id="curie")
    session = (await service.ask())["session"]
    url = f"http://127.0.0.1:{receiver.server_port}/hook"
    made = await service.client.post(PATH, json={"session": session, "url": url})
    assert made.status_code == 201, made.text
    subscription: dict[str, Any] = made.json()
    return subscription


async def came(receiver: Receiver, number: int) -> list[dict[str, Any]]:
    """The first events that the receiver was sent, in whichever attempt."""
    until = time.monotonic() + 60
    while len(receiver.came) < number:
        assert time.monotonic() < until, receiver.came
        await asyncio.sleep(0.05)
    return [json.loads(body) for _, body in receiver.came]


async def test_a_sentence_that_falls_and_stands_again_is_told_with_its_reason(
    data: Path, receiver: Receiver
) -> None:
    async with running(data, **SETTINGS) as service:
        subscription = await subscribed(service, receiver)
        await service.ingest(CHANGED, id="curie")
        fell, other = await came(receiver, 2)  # the sentence says two facts
        assert {each["event"] for each in (fell, other)} == {"fell"}
        assert fell["sentence"] == other["sentence"] == 1
        assert fell["text"] == "Marie Curie discovered polonium in 1898."
        assert "was changed, and no longer says" in fell["reason"]
        assert fell["subscription"] == subscription["id"]
        headers, body = receiver.came[0]
        at = int(headers["webhook-timestamp"])
        assert signature("a-secret", headers["webhook-id"], at, body).items() <= headers.items()
        kept = (data / "subscriptions.json").read_text()
        assert "polonium" not in kept
        await service.ingest("Marie Curie discovered polonium in 1898.\n", id="curie")
        assert (await came(receiver, 3))[2]["event"] == "stands again"


async def test_what_is_not_taken_is_sent_again_under_its_id_also_after_a_restart(
    data: Path, receiver: Receiver
) -> None:
    receiver.statuses = [500, 500]
    async with running(data, **SETTINGS) as service:
        subscription = await subscribed(service, receiver)
        await service.client.delete("/api/v1/documents", params={"id": "curie"})
        await came(receiver, 1)
    async with running(data, **SETTINGS) as service:
        events = await came(receiver, 4)
        assert {event["event"] for event in events} == {"fell"}
        first, second = (
            [event["reason"] for event in events].count(why)
            for why in (events[0]["reason"], events[3]["reason"])
        )
        assert (first, second) == (3, 1)
        assert len({headers["webhook-id"] for headers, _ in receiver.came}) == 2
        ended = await service.client.delete(f"{PATH}/{subscription['id']}")
        assert ended.status_code == 200
        assert await service.get(PATH) == []


async def test_an_answer_that_is_contradicted_later_falls(data: Path, receiver: Receiver) -> None:
    async with running(data, **SETTINGS) as service:
        await service.ingest("Ada Larkfield was born in Graz.\n", id="one")
        session = (await service.ask("Where was Ada Larkfield born?"))["session"]
        url = f"http://127.0.0.1:{receiver.server_port}/hook"
        await service.client.post(PATH, json={"session": session, "url": url})
        await service.ingest("Ada Larkfield was born in Linz.\n", id="two")
        (fell, *_) = await came(receiver, 1)
        assert "is contradicted by" in fell["reason"]


async def test_a_refusal_for_good_is_told_in_the_list_and_not_sent_again(
    data: Path, receiver: Receiver
) -> None:
    receiver.statuses = [404, 404]
    async with running(data, **SETTINGS) as service:
        await subscribed(service, receiver)
        await service.client.delete("/api/v1/documents", params={"id": "curie"})
        await came(receiver, 2)
        await asyncio.sleep(2)
        assert len({headers["webhook-id"] for headers, _ in receiver.came}) == len(receiver.came) == 2
        (shown,) = await service.get(PATH)
        assert "404" in shown["problem"]
        assert shown["fallen"] == [1]


async def test_private_networks_unknown_sessions_and_a_missing_secret_are_refused(data: Path) -> None:
    async with running(data, webhook_secret="a-secret") as service:
        await service.ingest("Marie Curie discovered polonium in 1898.\n", id="curie")
        session = (await service.ask())["session"]
        for body, status, why in (
            ({"session": session, "url": "http://127.0.0.1:9/"}, 403, "PROVGRAPH_WEBHOOK_ALLOW_PRIVATE"),
            ({"session": "nosession", "url": "https://example.org/"}, 404, "no trace"),
            ({"session": session, "url": "ftp://example.org/"}, 400, "https://"),
        ):
            refused = await service.client.post(PATH, json=body)
            assert (refused.status_code, why in refused.text) == (status, True), refused.text
        assert (await service.client.delete(f"{PATH}/none")).status_code == 404
    async with running(data) as service:
        refused = await service.client.post(PATH, json={"session": session, "url": "https://example.org/"})
        assert (refused.status_code, "PROVGRAPH_WEBHOOK_SECRET" in refused.text) == (400, True)
