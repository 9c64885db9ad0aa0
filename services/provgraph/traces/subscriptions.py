"""Subscriptions: whoever asked to be told is sent each sentence of an answer that loses its evidence, and why.

They are kept in a file of the folder, with what each subscriber was told as hashes: no words of documents, so that what
is erased is not kept here. What a subscriber was not told yet is the difference to how the answer stands now. So an
event that is not taken is sent again, also after a restart, under the same id, and none is sent of what has passed.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, Protocol
from uuid import uuid4

from anyio import to_thread
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from provgraph.errors import Conflict, NotFound, ProvGraphError, Unavailable
from provgraph.traces.fallen import fallen

logger = logging.getLogger(__name__)

MOST: Final = 1000
SETTLED_S: Final = 1.0
"""How long after a change the answers are looked at: one change rarely comes alone."""
_LONGEST_PAUSE_S: Final = 3600.0
_AT_ONCE: Final = 8

View = Mapping[str, Any]
"""A `TraceView` as JSON."""


class Attempt(Protocol):
    @property
    def is_taken(self) -> bool: ...
    @property
    def is_final(self) -> bool: ...
    @property
    def outcome(self) -> str: ...


class Sender(Protocol):
    """Sends events to one address; a `Webhook` of the adapters."""

    def attempt(self, event: Mapping[str, Any], identity: str) -> Attempt: ...


class Subscription(BaseModel):
    """`reported` are the sentences that the subscriber knows to have fallen, by the hash of why; `sent` counts events,
    `failures` the attempts since the last that was taken, and `problem` says what came of the last."""

    model_config = ConfigDict(extra="forbid")

    id: str
    session: str
    collection: str
    url: str
    made: datetime
    reported: dict[str, int] = {}
    sent: int = 0
    failures: int = 0
    next_attempt: datetime | None = None
    problem: str = ""


_SAVED: Final = TypeAdapter(list[Subscription])


@dataclass
class Subscriptions:
    """The subscriptions of one folder. `trace` gives a session as it stands now and raises `NotFound` where it is gone;
    `sender` gives what sends to an address and raises where it must not be sent to. Every `poll_s` all are looked at,
    whatever was said to have changed."""

    file: Path
    trace: Callable[[str], Any]
    sender: Callable[[str], Sender]
    now: Callable[[], datetime]
    poll_s: float
    settled_s: float = SETTLED_S
    _known: dict[str, Subscription] | None = field(default=None, init=False)
    _changed: set[str] = field(default_factory=set, init=False)
    _woken: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    async def add(self, session: str, url: str) -> Subscription:
        """Subscribe an address to a session. Raises `NotFound` where there is none, `Conflict` where there are too many
        subscriptions, and what `sender` raises."""
        view = await self.trace(session)
        await to_thread.run_sync(self.sender, url)
        known = self._all()
        if len(known) >= MOST:
            raise Conflict(f"There are {MOST:,} subscriptions, the most there may be. Remove one first.")
        subscription = Subscription(
            id=uuid4().hex,
            session=view["session"],
            collection=view["collection"],
            url=url,
            made=self.now(),
        )
        known[subscription.id] = subscription
        self._save()
        self.changed(subscription.collection)
        return subscription

    def listed(self) -> list[Subscription]:
        """The oldest first."""
        return sorted(self._all().values(), key=lambda subscription: subscription.made)

    def remove(self, identity: str) -> Subscription:
        """Raises `NotFound`."""
        known = self._all()
        if identity not in known:
            raise NotFound(
                f"There is no subscription {identity[:80]!r}. GET /api/v1/subscriptions lists them."
            )
        removed = known.pop(identity)
        self._save()
        return removed

    def changed(self, collection: str) -> None:
        """Something was read, changed or deleted in a collection."""
        self._changed.add(collection)
        self._woken.set()

    async def run(self) -> None:
        """Look at all, then at those of each collection that changes, and send again what was not taken."""
        collections: set[str] | None = None
        while True:
            try:
                await self.look(collections)
                collections = await self._next()
            except Unavailable as error:
                logger.warning("subscriptions: %s", error)
                await asyncio.sleep(self.poll_s)

    async def _next(self) -> set[str] | None:
        """The collections that have changed; None where it is time to look at all, or to send an event again."""
        try:
            await asyncio.wait_for(self._woken.wait(), self._pause())
        except TimeoutError:
            return None
        await asyncio.sleep(self.settled_s)
        self._woken.clear()
        changed, self._changed = self._changed, set()
        return changed

    def _pause(self) -> float:
        waits = [
            (subscription.next_attempt - self.now()).total_seconds()
            for subscription in self._all().values()
            if subscription.next_attempt
        ]
        return max(0.0, min([self.poll_s, *waits]))

    async def look(self, collections: set[str] | None = None) -> None:
        """Tell the subscribers of these collections, or of all, what they do not know yet."""
        due = [
            subscription
            for subscription in self.listed()
            if (collections is None or subscription.collection in collections)
            and (subscription.next_attempt is None or subscription.next_attempt <= self.now())
        ]
        turns = asyncio.Semaphore(_AT_ONCE)

        async def in_turn(subscription: Subscription) -> None:
            async with turns:
                await self._tell(subscription)

        await asyncio.gather(*map(in_turn, due))

    async def _tell(self, subscription: Subscription) -> None:
        try:
            view = await self.trace(subscription.session)
        except NotFound:
            view = None
        except ProvGraphError as error:  # as of a store that is away
            self._failed(subscription, str(error))
            return
        for event in _events(subscription, view):
            if not await self._sent(subscription, event):
                return
            event.note(subscription)
            self._save()
        if view is None:
            self._all().pop(subscription.id, None)
            self._save()

    async def _sent(self, subscription: Subscription, event: _Event) -> bool:
        """Whether an event need not be sent again: it was taken, or refused for good."""
        identity = _hash(f"{subscription.id} {subscription.sent} {event.body['event']} {event.key}")
        told = {
            "at": self.now().isoformat(timespec="seconds"),
            "subscription": subscription.id,
            **event.body,
        }
        try:
            sender = await to_thread.run_sync(self.sender, subscription.url)
            attempt = await to_thread.run_sync(sender.attempt, told, f"msg_{identity}")
        except ProvGraphError as error:  # no such host, or one that must not be sent to
            self._failed(subscription, str(error))
            return False
        if not attempt.is_taken and not attempt.is_final:
            self._failed(subscription, attempt.outcome)
            return False
        subscription.problem = "" if attempt.is_taken else f"refused for good: {attempt.outcome}"
        subscription.failures, subscription.next_attempt = 0, None
        return True

    def _failed(self, subscription: Subscription, outcome: str) -> None:
        pause = min(2.0**subscription.failures, _LONGEST_PAUSE_S)
        subscription.failures += 1
        subscription.problem = outcome
        subscription.next_attempt = self.now() + timedelta(seconds=pause)
        self._save()

    def _all(self) -> dict[str, Subscription]:
        """By id. Raises `Unavailable` where the file cannot be read."""
        if self._known is None:
            try:
                saved = _SAVED.validate_json(self.file.read_bytes()) if self.file.exists() else []
            except (OSError, ValidationError) as error:
                raise Unavailable(f"{self.file} cannot be read. Restore it, or remove it.") from error
            self._known = {subscription.id: subscription for subscription in saved}
        return self._known

    def _save(self) -> None:
        draft = self.file.with_suffix(".part")
        try:
            draft.write_bytes(_SAVED.dump_json(list(self._all().values()), indent=1))
            draft.replace(self.file)
        except OSError as error:
            raise Unavailable(
                f"{self.file} cannot be written ({error.strerror}). Free some space, or check its permissions."
            ) from error


def _events(subscription: Subscription, view: View | None) -> list[_Event]:
    """What the subscriber does not know yet; of a session without a trace, that it was removed."""
    session, reported = subscription.session, subscription.reported
    if view is None:
        return [_Event("", 0, {"event": "removed", "session": session, "reason": "its trace was removed"})]
    states = {_hash(key): state for key, state in fallen(view).items()}
    sentences = (view.get("answer") or {}).get("sentences", ())
    texts = dict(enumerate((sentence["text"].strip() for sentence in sentences), 1))
    again = [
        _Event(
            key,
            number,
            {"event": "stands again", "session": session, "sentence": number, "text": texts[number]},
        )
        for key, number in reported.items()
        if key not in states
    ]
    fell = [
        _Event(key, state["sentence"], {"event": "fell", **state})
        for key, state in states.items()
        if key not in reported
    ]
    return [*again, *fell]


@dataclass(frozen=True)
class _Event:
    """`key` is the hash by which a subscription knows why a sentence fell."""

    key: str
    number: int
    body: dict[str, Any]

    def note(self, subscription: Subscription) -> None:
        """From now on the subscriber knows it."""
        if self.body["event"] == "fell":
            subscription.reported[self.key] = self.number
        else:
            subscription.reported.pop(self.key, None)
        subscription.sent += 1


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
