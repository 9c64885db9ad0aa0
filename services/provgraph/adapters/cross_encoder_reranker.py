"""A cross-encoder of the `sentence-transformers` library as a `Reranker`: it reads question and text together.

Nogueira & Cho 2019, "Passage Re-ranking with BERT". A text gets ten times the sigmoid of what the model says of it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from anyio import to_thread

from provgraph.adapters.sentence_transformers_library import BATCH, in_batches, loaded
from provgraph.errors import ModelRefused
from provgraph.ports.language_model import Exchange, TokenUsage
from provgraph.ports.reranker import HIGHEST, Scores


class CrossEncoderReranker:
    """The model of that name, or in that folder. Calls take turns."""

    by_language_model = False

    def __init__(self, model: str) -> None:
        self.name = model
        self._model: Any = None
        self._turn = asyncio.Lock()

    async def score(
        self,
        question: str,
        texts: Sequence[str],
        exchanges: list[Exchange] | None = None,  # noqa: ARG002
    ) -> Scores:
        """There are no exchanges to keep: a cross-encoder says nothing in words."""
        began = time.monotonic()
        values: list[float | None] = []
        failure = None
        try:
            async with self._turn:
                if self._model is None:
                    self._model = await to_thread.run_sync(loaded, "CrossEncoder", self.name)
                for part in in_batches(texts):
                    values += await to_thread.run_sync(self._scored, question, part)
        except ModelRefused as error:
            failure = error
        values += [None] * (len(texts) - len(values))
        took = round((time.monotonic() - began) * 1000)
        return Scores(tuple(values), TokenUsage(None, None, took), failure=failure)

    def _scored(self, question: str, texts: Sequence[str]) -> list[float]:
        from torch.nn import Sigmoid  # comes with the library

        likely = self._model.predict(
            [(question, text) for text in texts],
            batch_size=BATCH,
            activation_fn=Sigmoid(),
            show_progress_bar=False,
        )
        return [round(HIGHEST * float(value), 2) for value in likely]
