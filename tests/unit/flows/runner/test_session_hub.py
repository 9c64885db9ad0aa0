"""Sessions that outlive their readers."""

from __future__ import annotations

import asyncio
import sys
import threading
from contextlib import aclosing

import pytest
from starlette.requests import Request

from provgraph.errors import InvalidInput, NotFound
from provgraph.flows.runner import sessions
from provgraph.flows.runner.events import Emit, TextAdded
from provgraph.flows.runner.routes import AnswerEncoding, Answers, ReplyForm
from provgraph.flows.runner.runner import Session
from provgraph.flows.runner.sessions import RunningSession, SessionHub


def two_words_and_a_wait(release: asyncio.Event) -> Session:
    async def answer(emit: Emit) -> None:
        await emit(TextAdded("first"))
        await emit(TextAdded("second"))
        await release.wait()
        await emit(TextAdded("last"))

    return answer


async def first_event(hub: SessionHub, session: RunningSession) -> None:
    """Read one event, and go."""
    async with aclosing(hub.read(session)) as events:
        await anext(events)


async def words(hub: SessionHub, session: RunningSession, position: int = 0) -> list[str]:
    async with aclosing(hub.read(session, position)) as events:
        return [event.text async for _, event in events if isinstance(event, TextAdded)]


async def test_a_reader_that_returns_in_time_stops_the_end_of_its_session() -> None:
    hub, release = SessionHub(grace_s=3600), asyncio.Event()
    session = hub.start(two_words_and_a_wait(release))
    await first_event(hub, session)
    ending = session.ending
    assert ending is not None
    reading = asyncio.create_task(words(hub, session))
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(ending, 10)
    release.set()
    assert await reading == ["first", "second", "last"]
    await hub.close()


async def test_a_session_that_nobody_returns_to_ends_after_the_grace() -> None:
    hub = SessionHub(grace_s=0)
    session = hub.start(two_words_and_a_wait(asyncio.Event()))
    await first_event(hub, session)
    assert session.ending is not None
    await session.ending
    assert session.finished


async def test_a_session_that_takes_too_long_ends_also_while_somebody_reads() -> None:
    hub = SessionHub(grace_s=3600, most_s=0.05)
    session = hub.start(two_words_and_a_wait(asyncio.Event()))
    assert await words(hub, session) == ["first", "second"]
    assert session.finished


async def nothing(_: Emit) -> None:
    return None


async def test_other_threads_may_ask_whether_it_is_busy_while_sessions_come_and_go() -> None:
    hub, over = SessionHub(grace_s=3600), threading.Event()

    def ask() -> int:
        asked = 0
        while not over.is_set():
            asked += 1 + hub.busy
        return asked

    asking = asyncio.create_task(asyncio.to_thread(ask))
    switches = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(500):
            await words(hub, hub.start(nothing))
    finally:
        over.set()
        sys.setswitchinterval(switches)
    assert await asking > 0
    await hub.close()


async def test_two_readers_read_the_same_session() -> None:
    hub, release = SessionHub(grace_s=0), asyncio.Event()
    session = hub.start(two_words_and_a_wait(release))
    readers = [asyncio.create_task(words(hub, session)) for _ in range(2)]
    release.set()
    assert await asyncio.gather(*readers) == [["first", "second", "last"]] * 2


async def test_one_reader_that_goes_leaves_the_other_its_session() -> None:
    hub, release = SessionHub(grace_s=0), asyncio.Event()
    session = hub.start(two_words_and_a_wait(release))
    staying = asyncio.create_task(words(hub, session))
    await asyncio.sleep(0)
    await first_event(hub, session)
    assert session.ending is None
    release.set()
    assert (await staying)[-1] == "last"


async def test_a_session_is_resumed_after_the_message_that_was_seen() -> None:
    hub, release = SessionHub(grace_s=0), asyncio.Event()
    release.set()
    session = hub.start(two_words_and_a_wait(release))
    assert len(await words(hub, session)) == 3
    found, position = hub.resume(session.message_id(0))
    assert found is session
    assert await words(hub, found, position) == ["second", "last"]
    with pytest.raises(NotFound, match="ask again"):
        hub.resume(session.message_id(3))


async def test_old_sessions_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "KEPT_SESSIONS", 1)
    hub, release = SessionHub(grace_s=0), asyncio.Event()
    release.set()
    started = []
    for _ in range(3):
        session = hub.start(two_words_and_a_wait(release))
        await words(hub, session)
        started.append(session)
    hub.start(two_words_and_a_wait(release))
    assert hub.resume(started[-1].message_id(0))[0] is started[-1]
    with pytest.raises(NotFound, match="no longer kept"):
        hub.resume(started[0].message_id(0))
    await hub.close()


async def test_a_session_that_has_told_no_name_yet_is_not_stopped_by_an_empty_one() -> None:
    hub, release = SessionHub(grace_s=3600), asyncio.Event()
    session = hub.start(two_words_and_a_wait(release))
    with pytest.raises(NotFound):
        await hub.stop("")
    release.set()
    assert await words(hub, session) == ["first", "second", "last"]


async def test_a_session_is_not_watched_from_a_message_of_another() -> None:
    hub, release = SessionHub(grace_s=3600), asyncio.Event()
    release.set()
    session = hub.start(two_words_and_a_wait(release))
    assert await words(hub, session)
    seen = ReplyForm(Request({"type": "http"}), "text/event-stream", str(session.message_id(0)))
    with pytest.raises(InvalidInput, match="another session"):
        Answers(hub, AnswerEncoding("explainability")).watched(seen, "1cb90d00-2d04-469e-9d0f-dd26dfaf35a2")
