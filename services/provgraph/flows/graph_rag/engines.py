"""Which engine answers a question: what there is, what is the default, and what a question asks for."""

from __future__ import annotations

from dataclasses import dataclass

from provgraph.flows.graph_rag.by_model.engine import AnswerPrompts, ModelEngine
from provgraph.flows.graph_rag.engine import Engine
from provgraph.flows.graph_rag.model_free import ModelFreeEngine
from provgraph.flows.runner.engines import ModelUse
from provgraph.ports.language_model import Exchange


@dataclass(frozen=True)
class Engines:
    """Makes the engine of a question; prompts are read anew for each, so that a changed one is used at once."""

    use: ModelUse = ModelUse()

    def chosen(self, name: str, exchanges: list[Exchange] | None = None) -> Engine:
        """An empty name is the model where there is one; `exchanges` gets the words of its calls.

        Raises `InvalidInput` for a name that is not known, for the model where there is none, and for a prompt that
        cannot be used.
        """
        model = self.use.chosen(name)
        if model is None:
            return ModelFreeEngine()
        prompts = AnswerPrompts.read(self.use.prompts)
        return ModelEngine(
            model, prompts, self.use.max_output_tokens, exchanges if exchanges is not None else []
        )
