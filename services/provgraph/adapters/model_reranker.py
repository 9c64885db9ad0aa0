"""`Reranker` by a language model: texts in batches, each a call of its own, and their scores read as they stream."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any, Final

from provgraph.errors import ModelUnavailable
from provgraph.language.json_items import items_of
from provgraph.language.json_lines import JsonLines
from provgraph.ports.language_model import Completion, Exchange, LanguageModel, Prompted, TokenUsage
from provgraph.ports.reranker import HIGHEST, RerankingScores
from provgraph.prompts import Prompt, read_prompt

BATCH_TEXTS: Final = 20
BATCH_CHARACTERS: Final = 8_000
"""About 2,000 tokens, which the context of any model holds beside the prompt."""
LONGEST_TEXT: Final = 2_000
MOST_IGNORED: Final = 200


class ModelReranker:
    """Asks `model` as the prompt `reranking` says; a prompt that was changed is used at once."""

    by_language_model = True

    def __init__(self, model: LanguageModel, prompts: Path | None, max_output_tokens: int) -> None:
        self.name = model.name
        self._model = model
        self._prompts = prompts
        self._max_output_tokens = max_output_tokens

    async def score(
        self, question: str, texts: Sequence[str], exchanges: list[Exchange] | None = None
    ) -> RerankingScores:
        """Raises `InvalidInput` for a prompt that cannot be used."""
        prompt = read_prompt("reranking", frozenset({"question", "texts"}), self._prompts)
        began = time.monotonic()
        batches = [_Batch(numbers) for numbers in _batches(texts)]
        kept = exchanges if exchanges is not None else []
        async with asyncio.TaskGroup() as group:
            for batch in batches:
                exchange = self._exchange(prompt, question, batch.described(texts))
                kept.append(exchange)
                group.create_task(self._read(batch, exchange))
        values: list[float | None] = [None] * len(texts)
        for batch in batches:
            for number, score in batch.scores.items():
                values[number] = score
        return RerankingScores(
            tuple(values),
            _usage(batches, round((time.monotonic() - began) * 1000)),
            sum(batch.ignored for batch in batches),
            next((batch.failure for batch in batches if batch.failure), None),
        )

    def _exchange(self, prompt: Prompt, question: str, texts: str) -> Exchange:
        system, user = prompt.filled({"question": question, "texts": texts})
        return Exchange(self.name, prompt.hash, Prompted(system, user, self._max_output_tokens))

    async def _read(self, batch: _Batch, exchange: Exchange) -> None:
        try:
            async with aclosing(self._model.stream(exchange.prompted)) as stream:
                async for part in stream:
                    if isinstance(part, Completion):
                        batch.usage = part.usage
                    else:
                        text = part.text.encode("utf-8", "replace").decode()
                        exchange.reply += text
                        batch.feed(text)
                        if batch.hopeless:
                            break
        except ModelUnavailable as failure:
            batch.failure = failure
        batch.finish(exchange.reply)
        if not batch.scores and not batch.failure:
            batch.failure = ModelUnavailable(
                f"The language model {self.name!r} gave no scores that can be read. Try again, or use another model."
            )


class _Batch:
    """The texts of one call by their numbers, and what came back of them."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.scores: dict[int, float] = {}
        self.ignored = 0
        self.usage: TokenUsage | None = None
        self.failure: ModelUnavailable | None = None
        self._numbers = dict(enumerate(numbers, 1))
        self._lines = JsonLines()

    @property
    def hopeless(self) -> bool:
        return self.ignored > MOST_IGNORED

    def described(self, texts: Sequence[str]) -> str:
        """A line of JSON for each text: none can begin a line, or end its own."""
        return "\n".join(
            json.dumps({"id": place, "text": _line(texts[number])}, ensure_ascii=False)
            for place, number in self._numbers.items()
        )

    def feed(self, text: str) -> None:
        self._take(self._lines.feed(text))

    def finish(self, reply: str) -> None:
        self._take(self._lines.finish())
        if not self.scores and (
            items := items_of(reply)
        ):  # a list in an object, or objects over several lines
            self.ignored = 0
            self._take(items)

    def _take(self, items: Iterable[Any]) -> None:
        for item in items:
            number = self._numbers.get(_as_integer(item.get("id"))) if isinstance(item, dict) else None
            score = _score(item.get("score")) if isinstance(item, dict) else None
            if number is None or score is None or number in self.scores:
                self.ignored += 1
            else:
                self.scores[number] = score


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """The numbers of the texts, as many together as one call may hold."""
    batch: list[int] = []
    characters = 0
    for number, text in enumerate(texts):
        length = min(len(text), LONGEST_TEXT)
        if batch and (len(batch) == BATCH_TEXTS or characters + length > BATCH_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(number)
        characters += length
    if batch:
        yield batch


def _usage(batches: Iterable[_Batch], duration_ms: int) -> TokenUsage:
    """The sum of what is known; None where nothing is."""
    counted = [batch.usage for batch in batches if batch.usage]
    tokens = (
        [count for count in counts if count is not None]
        for counts in ([usage.in_tokens for usage in counted], [usage.out_tokens for usage in counted])
    )
    in_tokens, out_tokens = (sum(counts) if counts else None for counts in tokens)
    return TokenUsage(in_tokens, out_tokens, duration_ms)


def _line(text: str) -> str:
    return " ".join(text.split())[:LONGEST_TEXT]


def _as_integer(number: Any) -> int:
    """An id as a number, also where the model put it in quotes; 0, which is no id, for anything else."""
    if isinstance(number, str) and number.isascii() and number.isdecimal() and len(number) < 10:
        return int(number)
    return number if isinstance(number, int) and not isinstance(number, bool) else 0


def _score(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        score = float(value)
    except (ValueError, OverflowError):
        return None
    return score if math.isfinite(score) and 0 <= score <= HIGHEST else None
