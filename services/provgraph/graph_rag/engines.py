"""Which engine answers a question: what there is, what is the default, and what a question asks for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from provgraph.errors import InvalidInput
from provgraph.graph_rag.by_model.engine import AnswerPrompts, ModelEngine
from provgraph.graph_rag.engine import BY_MODEL, MODEL_FREE, Engine
from provgraph.graph_rag.model_free import ModelFreeEngine
from provgraph.ports.language_model import Exchange, LanguageModel


@dataclass(frozen=True)
class Engines:
    """Makes the engine of a question; prompts are read anew for each, so that a changed one is used at once."""

    model: LanguageModel | None = None
    prompts: Path | None = None
    max_output_tokens: int = 2048

    def chosen(self, name: str, exchanges: list[Exchange] | None = None) -> Engine:
        """An empty name is the model where there is one; `exchanges` gets the words of its calls.

        Raises `InvalidInput` for a name that is not known, for the model where there is none, and for a prompt that
        cannot be used.
        """
        if name not in ("", MODEL_FREE, BY_MODEL):
            raise InvalidInput(f"There is no engine {name!r}. Choose {MODEL_FREE} or {BY_MODEL}.")
        if name == BY_MODEL and self.model is None:
            raise InvalidInput(
                "The engine 'model' needs a language model. Set PROVGRAPH_LLM_MODEL and OPENAI_BASE_URL, or use "
                "model-free."
            )
        if self.model is None or name == MODEL_FREE:
            return ModelFreeEngine()
        prompts = AnswerPrompts.read(self.prompts)
        return ModelEngine(
            self.model, prompts, self.max_output_tokens, exchanges if exchanges is not None else []
        )
