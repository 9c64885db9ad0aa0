"""An OpenAI-compatible endpoint of the suite's own, over real sockets on loopback, with every fault a model can have.

It answers `POST /v1/chat/completions`, streamed or whole, as `answer` says for each request, and keeps what it was
asked; and `POST /v1/embeddings`, with vectors of letters, as `embed_answer` says. Faults are values of `Answer`, so a
script is a list of answers or a function of the request.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route


@dataclass(frozen=True)
class Answer:
    """One answer. `status` other than 200 is an error with `headers`; `dies_after` pieces the connection breaks,
    `holds_after` pieces it waits until the server's `go_on` is set. `tokens` are counted in place of the true ones;
    with `says_nothing` a stream goes on for ever with pieces that are empty."""

    text: str = ""
    status: int = 200
    code: str = ""
    param: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    finish: str = "stop"
    delay_s: float = 0.0
    dies_after: int | None = None
    holds_after: int | None = None
    counts: bool = True
    body: bytes | None = None
    tokens: int | None = None
    says_nothing: bool = False


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    body: dict[str, Any]
    authorization: str

    @property
    def texts(self) -> list[str]:
        """What is to be embedded."""
        return list(self.body["input"])

    @property
    def system(self) -> str:
        return str(self.body["messages"][0]["content"])

    @property
    def user(self) -> str:
        return str(self.body["messages"][-1]["content"])


Script = Callable[[Asked], Answer]


class OpenAIServer:
    """What the endpoint answers, and what it saw. `hung_up` counts requests whose client went before the answer."""

    def __init__(self) -> None:
        self.url = ""
        self.forget()

    def forget(self) -> None:
        """Be as new."""
        self.asked: list[Asked] = []
        self.go_on = threading.Event()
        self.hung_up = 0
        self.most_at_once = 0
        self._at_once = 0
        self._script: Script = lambda _: Answer("nothing was scripted")
        self._embedding: Script = lambda _: Answer()

    def answer(self, script: Answer | Script | Iterable[Answer]) -> None:
        """Answer always so, or as a function says, or one after another, the last for ever."""
        self._script = _as_script(script)

    def embed_answer(self, script: Answer | Script | Iterable[Answer]) -> None:
        """The same for embeddings; an `Answer` without a fault is answered with vectors."""
        self._embedding = _as_script(script)

    async def embeddings(self, request: Request) -> Response:
        asked, answer = await self._asked(request, self._embedding)
        return _refused(answer) or JSONResponse(_embedded(asked))

    async def __call__(self, request: Request) -> Response:
        asked, answer = await self._asked(request, self._script)
        if refused := _refused(answer):
            return refused
        if asked.body.get("stream"):
            return StreamingResponse(_events(asked, answer, self.go_on), media_type="text/event-stream")
        return JSONResponse(_whole(asked, answer))

    async def _asked(self, request: Request, script: Script) -> tuple[Asked, Answer]:
        """What was asked, noted, and what is answered, when its time has come."""
        asked = Asked(await request.json(), request.headers.get("authorization", ""))
        self.asked.append(asked)
        answer = script(asked)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            await self._wait(request, answer.delay_s)
        finally:
            self._at_once -= 1
        return asked, answer

    async def _wait(self, request: Request, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, 0.02))
            if await request.is_disconnected():
                self.hung_up += 1
                return


def _as_script(script: Answer | Script | Iterable[Answer]) -> Script:
    if isinstance(script, Answer):
        return lambda _: script
    if callable(script):
        return script
    answers = list(script)
    return lambda _: answers.pop(0) if len(answers) > 1 else answers[0]


def _refused(answer: Answer) -> Response | None:
    """A body that is no answer, or an error; None for what is to be answered."""
    if answer.body is not None:
        return Response(answer.body, answer.status, answer.headers, "application/json")
    if answer.status != 200:
        error = {"message": answer.text, "code": answer.code, "param": answer.param, "type": "error"}
        return JSONResponse({"error": error}, answer.status, answer.headers)
    return None


def _embedded(asked: Asked) -> dict[str, Any]:
    """How often each letter of the alphabet stands in each text; the last first, since order is not promised."""
    letters = [chr(97 + at) for at in range(26)]
    vectors = [[0.1 + text.casefold().count(letter) for letter in letters] for text in asked.texts]
    data = [
        {"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {"object": "list", "model": asked.body["model"], "data": data[::-1], "usage": usage}


def _usage(asked: Asked, answer: Answer) -> dict[str, int]:
    read, written = len(asked.system + asked.user) // 4, len(answer.text) // 4
    if answer.tokens is not None:
        read = written = answer.tokens
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _whole(asked: Asked, answer: Answer) -> dict[str, Any]:
    message = {"role": "assistant", "content": answer.text}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": asked.body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish}],
        **({"usage": _usage(asked, answer)} if answer.counts else {}),
    }


async def _events(asked: Asked, answer: Answer, go_on: threading.Event) -> AsyncIterator[str]:
    frame = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": asked.body["model"],
    }
    for number, start in enumerate(range(0, len(answer.text), 8)):
        if number == answer.dies_after:
            raise ConnectionResetError("the script says so")
        while number == answer.holds_after and not go_on.is_set():
            await asyncio.sleep(0.01)
        delta = {"content": answer.text[start : start + 8]}
        yield _event({**frame, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        await asyncio.sleep(0)
    while answer.says_nothing:
        yield _event({**frame, "choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": None}]})
        await asyncio.sleep(0.01)
    if answer.dies_after is not None:
        raise ConnectionResetError("the script says so")
    yield _event({**frame, "choices": [{"index": 0, "delta": {}, "finish_reason": answer.finish}]})
    if answer.counts and asked.body.get("stream_options", {}).get("include_usage"):
        yield _event({**frame, "choices": [], "usage": _usage(asked, answer)})
    yield "data: [DONE]\n\n"


def _event(value: dict[str, Any]) -> str:
    return f"data: {json.dumps(value)}\n\n"


@contextmanager
def openai_server() -> Iterator[OpenAIServer]:
    """A server in a thread of its own, on a free port, for as long as the context lasts."""
    server = OpenAIServer()
    app = Starlette(
        routes=[
            Route("/v1/chat/completions", server.__call__, methods=["POST"]),
            Route("/v1/embeddings", server.embeddings, methods=["POST"]),
        ]
    )
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", timeout_graceful_shutdown=1)
    serving = uvicorn.Server(config)
    thread = threading.Thread(target=serving.run, name="openai-server", daemon=True)
    thread.start()
    while not serving.started:
        time.sleep(0.002)
    server.url = f"http://127.0.0.1:{serving.servers[0].sockets[0].getsockname()[1]}/v1"
    try:
        yield server
    finally:
        serving.should_exit = True
        thread.join()
