"""The runner: a flow over the services of a process. It opens each session, and ends it however the answer ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Generic

from provgraph.catalogue.collections import Collections
from provgraph.errors import ProvGraphError
from provgraph.flows.runner.events import Emit, Event
from provgraph.flows.runner.flow import Flow, Q
from provgraph.flows.runner.run import Run
from provgraph.flows.runner.services import FlowServices
from provgraph.provenance import trace
from provgraph.provenance.access import asker_quads
from provgraph.provenance.circumstances import circumstance_quads

Session = Callable[[Emit], Awaitable[None]]
"""A question that is ready to be answered; it emits its events, `Finished` last."""


@dataclass(frozen=True)
class Runner(Generic[Q]):
    flow: Flow[Q]
    services: FlowServices

    async def resolved(self, question: Q) -> Q:
        """The question with all its choices made. Raises `NotFound` for a collection that there is not, and what the
        flow raises for a choice that cannot be."""
        collections = Collections(self.services.store, self.services.explain_collection)
        settings = await collections.settings(question.collection)
        inherited: dict[str, Any] = {
            name: getattr(question, name) or getattr(settings, name) for name in self.flow.inherited
        }
        return await self.flow.resolved(replace(question, **inherited), settings, self.services)

    async def run(self, question: Q, emit: Emit) -> None:
        """Answer a question that is resolved.

        The session ends in the store however this ends: answered, refused, failed (told by `Finished.error`), or cut
        off, when its task is cancelled.
        """
        run = Run(self.services, self.flow.name, question, emit)
        asker = self.services.asker(question.collection)
        try:
            await run.open(
                [
                    *trace.session_quads(run.scope, question.text, question.collection, self.services.now()),
                    *circumstance_quads(run.scope, question.circumstances),
                    *self.flow.session_quads(run, question),
                    *(asker_quads(run.scope, asker) if asker else ()),
                ]
            )
            await self.flow.answer(run, question)
        except ProvGraphError as error:
            await run.fail(error)
        except Exception as error:
            await run.fail(
                ProvGraphError(
                    f"The answer failed unexpectedly ({type(error).__name__}). The service's log says more; "
                    "please report it."
                )
            )
            raise
        except BaseException:
            await run.cut_off()
            raise

    def session(self, question: Q) -> Session:
        """The session of a question that is resolved, not yet begun."""

        async def run(emit: Emit) -> None:
            await self.run(question, emit)

        return run

    def answer(self, question: Q) -> AsyncGenerator[Event]:
        """The events of one session, one at a time, for programs that run in this process. Close it to cut it off."""
        return one_by_one(self.session(question))


AnyRunner = Runner[Any]
"""A runner of whatever flow."""


async def one_by_one(session: Session) -> AsyncGenerator[Event]:
    """The events of a session, which goes on only when the next one is asked for."""
    events: asyncio.Queue[Event | None] = asyncio.Queue()
    turn = asyncio.Semaphore(0)

    async def emit(event: Event) -> None:
        events.put_nowait(event)
        await turn.acquire()

    task = asyncio.ensure_future(session(emit))
    task.add_done_callback(lambda _: events.put_nowait(None))
    try:
        while (event := await events.get()) is not None:
            yield event
            turn.release()
        await task
    finally:
        task.cancel()
        await asyncio.wait([task])
