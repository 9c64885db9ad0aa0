"""Any OpenAI-compatible endpoint as a `LanguageModel`, through the `openai` package.

`openai` takes most of a second to import, so `assembly` imports this module only where a model is configured. Retries
of 408, 409, 429 and 5xx, of refused connections and of time-outs, with bounded backoff that honours `Retry-After`, are
the package's own.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import openai
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from provgraph.adapters.openai_client import FAILURES, CalledEndpoint, client_of, failure, longest
from provgraph.errors import ModelUnavailable
from provgraph.ports.language_model import Completion, FinishReason, Prompted, TextPiece, TokenUsage

_FINISHES: Final[dict[str, FinishReason]] = {"length": "length", "content_filter": "refused"}
_MOST_TOKENS: Final = 1_000_000_000
_CHARACTERS_PER_TOKEN: Final = 10  # far more than any text has: what is longer ignores its limit


@dataclass(frozen=True)
class Endpoint:
    """Where the model is and how it is called; an empty `base_url` is OpenAI's own."""

    model: str
    base_url: str = ""
    api_key: str = ""
    parallel: int = 16
    timeout_s: float = 120.0
    retries: int = 4


class OpenAILanguageModel:
    """A chat model behind `endpoint`. Parameters that it turns down are left out of later calls."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._turns = asyncio.Semaphore(endpoint.parallel)
        self._dialect = _Dialect()
        self._client = client_of(endpoint)

    @property
    def name(self) -> str:
        return self._endpoint.model

    @property
    def parallel(self) -> int:
        return self._endpoint.parallel

    async def complete(self, request: Prompted) -> Completion:
        async with self._turns:
            reply = await self._completed(request)
            return reply if reply.text.strip() else await self._completed(request, required=True)

    async def stream(self, request: Prompted) -> AsyncGenerator[TextPiece | Completion]:
        async with self._turns:
            for attempt in range(self._endpoint.retries + 1):
                reply = _Reply(self.name)
                try:
                    async for piece in self._streamed_text(request, reply):
                        yield piece
                except FAILURES as error:
                    if reply.text or not reply.opened or attempt == self._endpoint.retries:
                        self._fail(error)
                    continue
                if reply.text.strip():
                    yield reply.completion()
                    return
            self._fail_empty()

    async def close(self) -> None:
        await self._client.close()

    async def _completed(self, request: Prompted, required: bool = False) -> Completion:
        began = time.monotonic()
        try:
            async with asyncio.timeout(longest(self._endpoint)):
                sent = await self._sent(request, stream=False)
        except FAILURES as error:
            self._fail(error)
        if not isinstance(sent, ChatCompletion) or not sent.choices:
            self._fail(ValueError("it sent no choices"))
        choice, usage = sent.choices[0], sent.usage
        if required and not (choice.message.content or "").strip():
            self._fail_empty()
        return Completion(
            text=(choice.message.content or "")[: request.max_output_tokens * _CHARACTERS_PER_TOKEN],
            model=sent.model or self.name,
            finish=_FINISHES.get(choice.finish_reason, "stop"),
            usage=TokenUsage(
                _counted(usage.prompt_tokens if usage else None),
                _counted(usage.completion_tokens if usage else None),
                round((time.monotonic() - began) * 1000),
            ),
        )

    async def _streamed_text(self, request: Prompted, reply: _Reply) -> AsyncGenerator[TextPiece]:
        sent = await self._sent(request, stream=True)
        reply.opened = True
        limit = request.max_output_tokens * _CHARACTERS_PER_TOKEN
        async with sent:
            async for chunk in sent:
                if text := reply.take(chunk):
                    yield TextPiece(text)
                reply.require_progress(self._endpoint.timeout_s, longest(self._endpoint))
                if len(reply.text) > limit:
                    reply.finish = "length"
                    return
        if not reply.ended:
            raise ValueError("the stream ended before the reply did")

    async def _sent(self, request: Prompted, stream: bool) -> Any:
        """The call in the dialect that the endpoint takes, which is learnt from what it turns down."""
        create: Callable[..., Any] = self._client.chat.completions.create
        while True:
            try:
                return await create(**self._dialect.arguments(self.name, request, stream), stream=stream)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if not self._dialect.learn(f"{error.param or ''} {error.message}"):
                    raise

    def _fail(self, error: Exception) -> NoReturn:
        what = f"The language model {self.name!r} at {self._client.base_url}"
        raise failure(error, CalledEndpoint(what, self._endpoint.timeout_s)) from error

    def _fail_empty(self) -> NoReturn:
        raise ModelUnavailable(
            f"The language model {self.name!r} answered nothing. Try again, or use another model."
        )


class _Reply:
    """A reply as far as it has come."""

    def __init__(self, model: str) -> None:
        self.text = ""
        self.model = model
        self.finish: FinishReason = "stop"
        self.opened = False
        self.ended = False
        self._tokens: tuple[int | None, int | None] = (None, None)
        self._began = self._went_on = time.monotonic()

    def require_progress(self, seconds: float, in_all: float) -> None:
        """Raises `TimeoutError` where chunks come, and for so long no word, nor a thought of the model, in them."""
        now = time.monotonic()
        if now - self._went_on > seconds or now - self._began > in_all:
            raise TimeoutError("the endpoint sends, and says nothing")

    def take(self, chunk: ChatCompletionChunk) -> str:
        """The new text of a chunk."""
        if chunk.usage:
            self._tokens = (_counted(chunk.usage.prompt_tokens), _counted(chunk.usage.completion_tokens))
        if not chunk.choices:
            return ""
        choice = chunk.choices[0]
        if choice.finish_reason:
            self.finish, self.ended = _FINISHES.get(choice.finish_reason, "stop"), True
        text = choice.delta.content or "" if choice.delta else ""
        if text or (choice.delta and any((choice.delta.model_extra or {}).values())):
            self._went_on = time.monotonic()
        self.text += text
        return text

    def completion(self) -> Completion:
        usage = TokenUsage(*self._tokens, round((time.monotonic() - self._began) * 1000))
        return Completion(self.text, self.model, self.finish, usage)


def _counted(tokens: int | None) -> int | None:
    """A number of tokens as an endpoint tells it, or None where it can be none."""
    return tokens if isinstance(tokens, int) and 0 <= tokens <= _MOST_TOKENS else None


class _Dialect:
    """What an endpoint takes of the parameters that not all of them take."""

    def __init__(self) -> None:
        self._limit = "max_tokens"
        self._without: set[str] = set()

    def arguments(self, model: str, request: Prompted, stream: bool) -> dict[str, Any]:
        optional: dict[str, Any] = {"temperature": request.temperature}
        if request.json:
            optional["response_format"] = {"type": "json_object"}
        if stream:
            optional["stream_options"] = {"include_usage": True}
        return {
            "model": model,
            "messages": [
                {"role": "system", "content": request.system},
                {"role": "user", "content": request.user},
            ],
            self._limit: request.max_output_tokens,
            **{name: value for name, value in optional.items() if name not in self._without},
        }

    def learn(self, refusal: str) -> bool:
        """Whether a refusal names a parameter that can be left out or said otherwise, and has not been yet."""
        if self._limit == "max_tokens" and "max_tokens" in refusal:
            self._limit = "max_completion_tokens"
            return True
        for name in ("response_format", "temperature", "stream_options"):
            if name in refusal and name not in self._without:
                self._without.add(name)
                return True
        return False
