"""One call of the model, streamed; what it read and what has come back can be had however it ends."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing

from provgraph.flows.runner.usage import ModelCall
from provgraph.ports.language_model import (
    Exchange,
    FinishReason,
    LanguageModel,
    Prompted,
    TextPiece,
    TokenUsage,
)
from provgraph.prompts import Prompt
from provgraph.provenance.model_calls import Usage


class Call:
    """Not yet sent; `pieces` sends it."""

    def __init__(
        self, model: LanguageModel, prompt: Prompt, values: Mapping[str, str], max_output_tokens: int
    ) -> None:
        self.finish: FinishReason = "stop"
        self._model = model
        system, user = prompt.filled(values)
        self.exchange = Exchange(model.name, prompt.hash, Prompted(system, user, max_output_tokens))
        self._usage: TokenUsage | None = None

    @property
    def reply(self) -> str:
        return self.exchange.reply

    async def pieces(self) -> AsyncGenerator[str]:
        """The reply as it comes. Raises `ModelUnavailable` where it breaks off; close it to end the call."""
        async with aclosing(self._model.stream(self.exchange.prompted)) as stream:
            async for part in stream:
                if isinstance(part, TextPiece):
                    text = whole_characters(part.text)
                    self.exchange.reply += text
                    yield text
                else:
                    self.finish, self._usage = part.finish, part.usage

    async def whole(self) -> str:
        async with aclosing(self.pieces()) as pieces:
            async for _ in pieces:
                pass
        return self.reply

    def made(self) -> ModelCall:
        """The call as far as it has come; what was not counted is None."""
        if self._usage:
            usage = Usage(
                self._model.name, self._usage.in_tokens, self._usage.out_tokens, self._usage.duration_ms
            )
        else:
            spent = time.monotonic() - self.exchange.began
            usage = Usage(self._model.name, duration_ms=round(spent * 1000))
        return ModelCall((self.exchange,), usage)


def whole_characters(text: str) -> str:
    """A model's JSON can hold half a character, which no store can keep."""
    return text.encode("utf-8", "replace").decode()
