"""What every flow may use: store, library, retriever, model and rerankers, as one process has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from provgraph.documents.library import Library
from provgraph.errors import InvalidInput
from provgraph.flows.runner.session_leases import HERE
from provgraph.ports.language_model import LanguageModel
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.reranker import NOBODY, Reranker, reranker_named
from provgraph.ports.retriever import Retriever
from provgraph.provenance.access import Asker
from provgraph.rdf.terms import NamedNode

MODEL_FREE: Final = "model-free"
BY_MODEL: Final = "model"


@dataclass(frozen=True)
class ModelAccess:
    """The model there is, if any, and how it is asked; prompts are read again for each question."""

    model: LanguageModel | None = None
    prompts: Path | None = None
    max_output_tokens: int = 2048

    def chosen(self, engine: str) -> LanguageModel | None:
        """The model that answers, None for an answer without one; an empty name is the model where there is one.

        Raises `InvalidInput` for an engine that is not known, and for the model where there is none.
        """
        if engine not in ("", MODEL_FREE, BY_MODEL):
            raise InvalidInput(f"There is no engine {engine!r}. Choose {MODEL_FREE} or {BY_MODEL}.")
        if engine == BY_MODEL and self.model is None:
            raise InvalidInput(
                "The engine 'model' needs a language model. Set PROVGRAPH_LLM_MODEL and OPENAI_BASE_URL, or use "
                "model-free."
            )
        return None if engine == MODEL_FREE else self.model


@dataclass(frozen=True)
class FlowServices:
    """`explain_collection` is where traces are kept; `process` is the process whose sessions these are, and `asker`
    tells who asks a collection, where that is known."""

    store: QuadStore
    library: Library
    retriever: Retriever
    explain_collection: str
    model_use: ModelAccess = ModelAccess()
    rerankers: Mapping[str, Reranker] = field(default_factory=dict)
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    process: NamedNode = HERE
    asker: Callable[[str], Asker | None] = lambda _: None

    def reranker(self, name: str) -> Reranker | None:
        """The reranker of that name, None for nobody. Raises `InvalidInput` for one that there is not."""
        return reranker_named(self.rerankers, name or NOBODY)

    def default_reranker(self, engine: str) -> str:
        """Who reranks where a question names nobody: never one that costs more than the engine does."""
        affordable = (
            name
            for name, reranker in self.rerankers.items()
            if not (reranker.by_language_model and engine == MODEL_FREE)
        )
        return next(affordable, NOBODY)
