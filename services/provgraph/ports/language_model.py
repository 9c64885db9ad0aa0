"""Port of the language model: any chat model, near or far. Knows nothing of what is asked of it.

`adapters.openai_language_model` speaks to every OpenAI-compatible endpoint. There is no stand-in for the case without
a model: the parts that would use one do without.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Literal, Protocol

FinishReason = Literal["stop", "length", "refused"]


@dataclass(frozen=True)
class Prompted:
    """One call: what the model is told, and how it is to answer.

    `json` asks the endpoint to hold the model to JSON, where it can; the reader must still forgive what is not.
    `temperature` 0 is as repeatable as the model gets.
    """

    system: str
    user: str
    max_output_tokens: int = 1024
    temperature: float = 0.0
    json: bool = False


@dataclass
class Exchange:
    """What a model was told, and what it has answered so far, word for word.

    `prompt_hash` is of the prompt's file; `began` is in seconds of the monotonic clock.
    """

    model: str
    prompt_hash: str
    prompted: Prompted
    reply: str = ""
    began: float = field(default_factory=time.monotonic)


@dataclass(frozen=True)
class TokenUsage:
    """What a call cost, as the endpoint counted it; None where it does not count. `duration_ms` is measured here,
    from the first attempt to the last word."""

    in_tokens: int | None
    out_tokens: int | None
    duration_ms: int


@dataclass(frozen=True)
class Completion:
    """A whole reply. `finish` is "length" where the limit cut it and "refused" where a filter withheld it."""

    text: str
    model: str
    finish: FinishReason
    usage: TokenUsage


@dataclass(frozen=True)
class TextPiece:
    """The next characters of a reply that is being streamed."""

    text: str


class LanguageModel(Protocol):
    """A chat model. Calls beyond its limit of parallel calls wait for their turn.

    Errors of both calls, after bounded retries: `ModelUnavailable` where the same call may succeed later,
    `ModelRefused` where it will not until a setting is changed. Cancelling a call, or closing its stream, closes its
    connection, so that the endpoint can stop.
    """

    @property
    def name(self) -> str:
        """The model's name, as it is configured; part of the name of all that is made with it."""
        ...

    @property
    def parallel(self) -> int:
        """How many calls run at once; more callers than that gain nothing."""
        ...

    async def complete(self, request: Prompted) -> Completion:
        """The whole reply, never empty."""
        ...

    def stream(self, request: Prompted) -> AsyncGenerator[TextPiece | Completion]:
        """The reply as it comes, then the whole of it with what it cost, always last.

        A stream that breaks before its first piece is tried again; one that breaks later ends with
        `ModelUnavailable`, since what was passed on cannot be taken back. Wrap it in `contextlib.aclosing`.
        """
        ...

    async def close(self) -> None: ...
