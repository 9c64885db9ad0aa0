"""Which engine answers: a language model, or rules and measures alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provgraph.errors import InvalidInput
from provgraph.ports.language_model import LanguageModel

MODEL_FREE: Final = "model-free"
BY_MODEL: Final = "model"


@dataclass(frozen=True)
class ModelUse:
    """The model there is, if any, and how it is asked; prompts are read anew for each question."""

    model: LanguageModel | None = None
    prompts: Path | None = None
    max_output_tokens: int = 2048

    def chosen(self, name: str) -> LanguageModel | None:
        """The model where it is to answer; an empty name is the model where there is one.

        Raises `InvalidInput` for a name that is not known, and for the model where there is none.
        """
        if name not in ("", MODEL_FREE, BY_MODEL):
            raise InvalidInput(f"There is no engine {name!r}. Choose {MODEL_FREE} or {BY_MODEL}.")
        if name == BY_MODEL and self.model is None:
            raise InvalidInput(
                "The engine 'model' needs a language model. Set PROVGRAPH_LLM_MODEL and OPENAI_BASE_URL, or use "
                "model-free."
            )
        return None if name == MODEL_FREE else self.model
