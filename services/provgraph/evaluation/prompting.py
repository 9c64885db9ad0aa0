"""A language model called one question at a time, for the baseline and for judges."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from provgraph.errors import ModelUnavailable
from provgraph.evaluation.service import Declined, Json
from provgraph.ports.language_model import LanguageModel, Prompted
from provgraph.prompts import read_prompt


class Prompting:
    """`prompts` is a folder of replacements for the prompts that are shipped. Use it as a context."""

    def __init__(self, model: LanguageModel, prompts: Path | None, max_output_tokens: int) -> None:
        self._model = model
        self._prompts = prompts
        self._most = max_output_tokens
        self._runner = asyncio.Runner()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._runner.run(self._model.close())
        self._runner.close()

    @property
    def model(self) -> str:
        return self._model.name

    def said(self, prompt: str, values: Mapping[str, str], json: bool = False) -> str:
        """What the model says to a prompt. Raises `Declined` where it does not answer, after its own retries."""
        read = read_prompt(prompt, frozenset(values), self._prompts)
        system, user = read.filled(values)
        try:
            done = self._runner.run(self._model.complete(Prompted(system, user, self._most, json=json)))
        except ModelUnavailable as error:
            raise Declined(str(error)) from error
        return done.text.strip()

    def answer(self, question: str, chunks: Sequence[Json], claim: bool) -> str:
        """One prompt over the passages, nothing more."""
        passages = "\n\n".join(
            f"[{number}] {chunk.get('title', '')}\n{chunk['text']}" for number, chunk in enumerate(chunks, 1)
        )
        return self.said(
            "passages-verdict" if claim else "passages-answer", {"question": question, "passages": passages}
        )
