"""A `LanguageModel` whose calls are counted and timed, for Prometheus, and are spans, for OpenTelemetry."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager

from prometheus_client import CollectorRegistry, Counter, Histogram

from provgraph.peers import spans
from provgraph.ports.language_model import Completion, LanguageModel, Prompted, TextPiece


class MeteredLanguageModel:
    """The model itself, seen from outside: calls by their outcome, their seconds, and tokens as the endpoint counts."""

    def __init__(self, model: LanguageModel, registry: CollectorRegistry) -> None:
        self._model = model
        self._calls = Counter(
            "provgraph_model_calls", "Calls of the language model.", ["model", "outcome"], registry=registry
        )
        self._tokens = Counter(
            "provgraph_model_tokens", "Tokens of these calls.", ["model", "direction"], registry=registry
        )
        self._seconds = Histogram(
            "provgraph_model_seconds",
            "Seconds of a call, from its turn to its last word.",
            ["model"],
            registry=registry,
        )

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def parallel(self) -> int:
        return self._model.parallel

    async def complete(self, request: Prompted) -> Completion:
        with self._metered() as call:
            completion = await self._model.complete(request)
            self._count(completion, call)
            return completion

    async def stream(self, request: Prompted) -> AsyncGenerator[TextPiece | Completion]:
        with self._metered() as call:
            async with aclosing(self._model.stream(request)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Completion):
                        self._count(piece, call)
                    yield piece

    async def close(self) -> None:
        await self._model.close()

    @contextmanager
    def _metered(self) -> Iterator[spans.ModelCallSpan]:
        begun, outcome = time.perf_counter(), "cut_off"
        try:
            with spans.model_call("chat", self.name) as call:
                yield call
            outcome = "answered"
        except Exception:
            outcome = "failed"
            raise
        finally:
            self._calls.labels(self.name, outcome).inc()
            self._seconds.labels(self.name).observe(time.perf_counter() - begun)

    def _count(self, completion: Completion, call: spans.ModelCallSpan) -> None:
        usage = completion.usage
        call.answered(completion.model, (usage.in_tokens, usage.out_tokens), completion.finish)
        self._tokens.labels(self.name, "in").inc(usage.in_tokens or 0)
        self._tokens.labels(self.name, "out").inc(usage.out_tokens or 0)
