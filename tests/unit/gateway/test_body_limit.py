"""Large bodies come piece by piece, so that nobody's question waits for all of them."""

from __future__ import annotations

import asyncio

from starlette.types import Message, Receive, Scope, Send

from provgraph.gateway.body_limit import UNPACED, BodyLimit, BodyLimits

LIMITS = BodyLimits(upload=1_000_000_000, archive=1)
SCOPE = {"type": "http", "method": "POST", "path": "/api/v1/extract", "headers": []}


async def whole(_scope: Scope, receive: Receive, _send: Send) -> None:
    while (await receive())["more_body"]:
        continue


async def nowhere(_message: Message) -> None:
    """Nobody reads the answer."""


async def test_a_step_of_a_question_waits_for_one_piece_of_all_large_bodies() -> None:
    taken, many, limit = list[int](), 45, BodyLimit(whole, LIMITS)

    def pieces(count: int) -> Receive:
        left = iter(range(count))

        async def receive() -> Message:
            taken.append(left_over := count - 1 - next(left))
            return {"type": "http.request", "body": b" " * (UNPACED + 1), "more_body": left_over > 0}

        return receive

    bodies = [asyncio.create_task(limit(SCOPE, pieces(20), nowhere)) for _ in range(many)]
    await asyncio.sleep(0)
    before = len(taken)
    for _ in range(100):
        await asyncio.sleep(0)
    assert 0 < len(taken) - before <= 100
    await asyncio.gather(*bodies)
    assert len(taken) == 20 * many
