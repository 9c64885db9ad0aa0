"""Calls of a language model: streamed, kept word for word however they end, and what they cost."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Final

from provgraph.language.json_items import items_of
from provgraph.ports.language_model import (
    Exchange,
    FinishReason,
    LanguageModel,
    Prompted,
    TextPiece,
    TokenUsage,
)
from provgraph.prompts import Prompt
from provgraph.provenance.candidates import RelevanceVerdict
from provgraph.provenance.model_calls import Usage

LONGEST_REASON: Final = 1000
LONGEST_QUESTION: Final = 500
NO_REASON: Final = "The model gave no reason."
_TRUTH: Final = {
    "true": True,
    "yes": True,
    "relevant": True,
    "false": False,
    "no": False,
    "irrelevant": False,
}


class ModelCall:
    """One call of the model, not yet sent; `pieces` sends it. What came back can be had however it ends."""

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

    @property
    def usage(self) -> Usage:
        """Of the call as far as it has come; what was not counted is None."""
        if self._usage:
            return Usage(
                self._model.name, self._usage.in_tokens, self._usage.out_tokens, self._usage.duration_ms
            )
        return Usage(self._model.name, duration_ms=milliseconds_since(self.exchange.began))

    async def pieces(self) -> AsyncGenerator[str]:
        """The reply while it streams. Raises `ModelUnavailable` where it breaks off; close it to end the call."""
        async with aclosing(self._model.stream(self.exchange.prompted)) as stream:
            async for part in stream:
                if isinstance(part, TextPiece):
                    text = whole_characters(part.text)
                    self.exchange.reply += text
                    yield text
                else:
                    self.finish, self._usage = part.finish, part.usage

    async def whole(self) -> str:
        """The reply when it is complete. Raises as `pieces` does."""
        async with aclosing(self.pieces()) as pieces:
            async for _ in pieces:
                pass
        return self.reply


def milliseconds_since(began: float) -> int:
    """`began` is in seconds of the monotonic clock."""
    return round((time.monotonic() - began) * 1000)


def whole_characters(text: str) -> str:
    """The text without half characters, which a model's JSON can hold and no store can keep."""
    return text.encode("utf-8", "replace").decode()


def usage_of_step(calls: Sequence[ModelCall], others: Iterable[Usage]) -> Usage:
    """What the calls of one step cost together: tokens added, where they were counted, and the time that passed.

    Calls may run side by side; `others` ran one after another.
    """
    usages = [*(call.usage for call in calls), *others]
    spans = [(call.exchange.began, call.usage.duration_ms / 1000) for call in calls]
    passed = max(began + lasted for began, lasted in spans) - min(began for began, _ in spans) if spans else 0
    beside = sum(usage.duration_ms for usage in usages[len(calls) :])
    return Usage(
        usages[-1].model,
        _total(usage.in_tokens for usage in usages),
        _total(usage.out_tokens for usage in usages),
        round(passed * 1000) + beside,
    )


def usage_of_both(one: Usage, other: Usage) -> Usage:
    """The sum of two steps; of counts that are not known the sum is what is known."""
    return Usage(
        other.model,
        _total((one.in_tokens, other.in_tokens)),
        _total((one.out_tokens, other.out_tokens)),
        one.duration_ms + other.duration_ms,
    )


def _total(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def prompt_text(exchanges: Iterable[Exchange]) -> bytes:
    """What a model read in a step, word for word."""
    return _numbered(
        f"# System\n{exchange.prompted.system}\n\n# User\n{exchange.prompted.user}\n"
        for exchange in exchanges
    )


def reply_text(exchanges: Iterable[Exchange]) -> bytes:
    """What a model answered in a step, word for word."""
    return _numbered(exchange.reply for exchange in exchanges)


def _numbered(texts: Iterable[str]) -> bytes:
    """The words of one call as they are; those of several, each under its number."""
    first, *others = texts
    if not others:
        return first.encode()
    return "\n".join(f"# Call {number}\n{text}" for number, text in enumerate((first, *others), 1)).encode()


def relevance_verdict(reply: str, model: str) -> tuple[RelevanceVerdict | None, str]:
    """What a model says of the relevance of candidates in one JSON object, and the question in other words.

    None where the reply holds no verdict; the words are empty where there are none.
    """
    for item in items_of(reply) or ():
        relevant = _truth(item.get("relevant"))
        if relevant is not None:
            reason = _line(item.get("reasoning"))[:LONGEST_REASON] or NO_REASON
            words = "" if relevant else _line(item.get("question"))[:LONGEST_QUESTION]
            return RelevanceVerdict(relevant, reason, model), words
    return None, ""


def _truth(value: Any) -> bool | None:
    if isinstance(value, str):
        return _TRUTH.get(value.strip().casefold())
    return value if isinstance(value, bool) else None


def _line(value: Any) -> str:
    return " ".join(whole_characters(value).split()) if isinstance(value, str) else ""
