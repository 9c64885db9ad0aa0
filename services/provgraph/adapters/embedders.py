"""Which embedder a name means: `minilm`, `local:MODEL`, or else a model behind an endpoint; without a name, no weights.

Modules that are slow to import are imported where they are chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from provgraph.adapters.embedding_prefixes import Prefixes, known_prefixes
from provgraph.adapters.lexical_embedder import LexicalEmbedder
from provgraph.errors import InvalidInput
from provgraph.ports.embedder import Embedder

MINILM: Final = "minilm"
LOCAL: Final = "local:"


@dataclass(frozen=True)
class EmbeddingChoice:
    """The model and how it is called; a prefix that is None is what the model is known to want."""

    model: str = ""
    base_url: str = ""
    api_key: str = ""
    query_prefix: str | None = None
    passage_prefix: str | None = None
    dimension: int = 0
    batch: int = 64
    parallel: int = 4
    timeout_s: float = 60.0
    retries: int = 4

    @property
    def prefixes(self) -> Prefixes:
        known = known_prefixes(self.model)
        return Prefixes(
            known.query if self.query_prefix is None else self.query_prefix,
            known.passage if self.passage_prefix is None else self.passage_prefix,
        )


def chosen_embedder(choice: EmbeddingChoice) -> Embedder:
    """Raises `ModelRefused` for one that is not installed, `InvalidInput` for one with no key and no address."""
    if not choice.model:
        return LexicalEmbedder()
    if choice.model == MINILM:
        from provgraph.adapters.minilm.embedder import MiniLMEmbedder, minilm_folder

        return MiniLMEmbedder(minilm_folder())
    if choice.model.startswith(LOCAL):
        from provgraph.adapters.sentence_transformers_embedder import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(choice.model.removeprefix(LOCAL), choice.prefixes)
    if not choice.base_url and not choice.api_key:
        raise InvalidInput(
            "PROVGRAPH_EMBEDDING_MODEL is set, and neither a key nor an address for it. Set OPENAI_API_KEY, or for a "
            f"server of your own PROVGRAPH_EMBEDDING_BASE_URL; {MINILM!r} needs no server."
        )
    return _endpoint(choice)


def _endpoint(choice: EmbeddingChoice) -> Embedder:
    from provgraph.adapters.openai_embedder import EmbeddingEndpoint, OpenAIEmbedder

    return OpenAIEmbedder(
        EmbeddingEndpoint(
            model=choice.model,
            base_url=choice.base_url,
            api_key=choice.api_key,
            prefixes=choice.prefixes,
            dimension=choice.dimension,
            batch=choice.batch,
            parallel=choice.parallel,
            timeout_s=choice.timeout_s,
            retries=choice.retries,
        )
    )
