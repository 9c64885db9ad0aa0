"""Which embedder a name means: `minilm`, `local:MODEL`, or else a model behind an endpoint; without a name, no weights.

Modules that are slow to import are imported where they are chosen.
"""

from __future__ import annotations

from typing import Final

from provgraph.adapters.embedding_choice import EmbeddingChoice
from provgraph.adapters.lexical_embedder import LexicalEmbedder
from provgraph.errors import InvalidInput
from provgraph.ports.embedder import Embedder

MINILM: Final = "minilm"
LOCAL: Final = "local:"


def chosen_embedder(choice: EmbeddingChoice) -> Embedder:
    """Raises `ModelRefused` for one that is not installed, `InvalidInput` for one with no key and no address."""
    if not choice.model:
        return LexicalEmbedder()
    if choice.model == MINILM:
        from provgraph.adapters.minilm.embedder import MiniLMEmbedder, minilm_folder

        return MiniLMEmbedder(minilm_folder())
    if choice.model.startswith(LOCAL):
        from provgraph.adapters.sentence_transformers_models import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(choice.model.removeprefix(LOCAL), choice.prefixes)
    if not choice.base_url and not choice.api_key:
        raise InvalidInput(
            "PROVGRAPH_EMBEDDING_MODEL is set, and neither a key nor an address for it. Set OPENAI_API_KEY, or for a "
            f"server of your own PROVGRAPH_EMBEDDING_BASE_URL; {MINILM!r} needs no server."
        )
    from provgraph.adapters.openai_embedder import OpenAIEmbedder

    return OpenAIEmbedder(choice)
