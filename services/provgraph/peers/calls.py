"""A call whose answer is lines of JSON and may be long in coming: `{"result": …}`, or in the end `{"problem": …}`.

While the work goes on, blank lines keep the connection alive; so a caller that hears nothing for a while knows that it
is dead, and one that hangs up ends the work.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, Final

from fastapi.responses import StreamingResponse

from provgraph.errors import InvalidInput, ProvGraphError, Unavailable, error_of_kind
from provgraph.wire.problem import Problem

logger = logging.getLogger(__name__)

SIGN_OF_LIFE_S: Final = 10.0
SILENCE_S: Final = 60.0
"""How long a caller hears nothing before it takes the connection for dead."""

_SAME: Final = "Run the same version of ProvGraph everywhere."
_REPORT: Final = "The service's log says more; please report it."


def answered_when_done(work: Callable[[], Awaitable[Any]]) -> StreamingResponse:
    """The response to a call; `work` gives what JSON can hold, and is cancelled when the caller hangs up."""

    async def once() -> AsyncGenerator[Any]:
        yield await work()

    return answered_as_it_comes(once())


def answered_as_it_comes(items: AsyncGenerator[Any]) -> StreamingResponse:
    """The response to a call that has several results, a line for each."""
    return StreamingResponse(_lines(items), media_type="application/json")


def result_of(line: bytes | str) -> Any:
    """What was answered. Raises the error that the other side raised, and `Unavailable` for half an answer."""
    try:
        told = json.loads(line)
    except ValueError as error:
        raise Unavailable("A service stopped in the middle of its answer. Try again.") from error
    if "problem" in told:
        raise told_problem(told["problem"])
    return told["result"]


def told_problem(problem: dict[str, Any]) -> ProvGraphError:
    """The error that a problem tells of."""
    return error_of_kind(str(problem.get("type", "")).rpartition(":")[2], str(problem.get("detail", "")))


async def _lines(items: AsyncGenerator[Any]) -> AsyncIterator[bytes]:
    async with aclosing(items):
        coming = asyncio.ensure_future(anext(items))
        try:
            while True:
                await asyncio.wait([coming], timeout=SIGN_OF_LIFE_S)
                if not coming.done():
                    yield b"\n"
                    continue
                yield json.dumps({"result": coming.result()}).encode() + b"\n"
                coming = asyncio.ensure_future(anext(items))
        except StopAsyncIteration:
            return
        except ProvGraphError as error:
            yield _problem(error)
        except (KeyError, TypeError, ValueError) as error:
            logger.warning("a call could not be read", exc_info=error)
            yield _problem(InvalidInput(f"The call cannot be read ({error!r}). {_SAME}"))
        except Exception as error:
            logger.exception("a call failed in a way that nobody foresaw")
            yield _problem(
                ProvGraphError(f"The call failed unexpectedly ({type(error).__name__}). {_REPORT}")
            )
        finally:
            coming.cancel()
            await asyncio.wait([coming])


def _problem(error: ProvGraphError) -> bytes:
    return json.dumps({"problem": Problem.of(error).model_dump(exclude_none=True)}).encode() + b"\n"
