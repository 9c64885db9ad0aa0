"""Which embedder a name means: `minilm`, `local:MODEL`, `none`, or else a model behind an endpoint; without a name, the
sentence encoder that comes with the installation.

Modules that are slow to import are imported where they are chosen.
"""

from __future__ import annotations

from typing import Final

from provgraph.adapters.embedding_choice import EmbeddingChoice
from provgraph.adapters.lexical_embedder import LexicalEmbedder
from provgraph.adapters.universal_sentence_encoder.embedder import UniversalSentenceEncoder, resource_folder
from provgraph.errors import InvalidInput
from provgraph.ports.embedder import Embedder

MINILM: Final = "minilm"
LOCAL: Final = "local:"
NONE: Final = "none"


def chosen_embedder(choice: EmbeddingChoice) -> Embedder:
    """Raises `ModelRefused` for one that is not installed, `InvalidInput` for one with no key and no address."""
    if not choice.model:
        return UniversalSentenceEncoder(resource_folder())
    if choice.model == NONE:
        return LexicalEmbedder()
    if choice.model == MINILM:
        from provgraph.adapters.minilm.embedder import MiniLMEmbedder, minilm_folder

        return MiniLMEmbedder(minilm_folder())
    if choice.model.startswith(LOCAL):
        from provgraph.adapters.sentence_transformers_models import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(choice.model.removeprefix(LOCAL), choice.prefixes)
    if not choice.base_url and not choice.api_key:
        raise InvalidInput(
            "PROVGRAPH_EMBEDDING_MODEL is set, but neither a key nor an address for it. Set OPENAI_API_KEY, or for a "
            f"server of your own PROVGRAPH_EMBEDDING_BASE_URL; {MINILM!r} needs no server."
        )
    from provgraph.adapters.openai_embedder import OpenAIEmbedder

    return OpenAIEmbedder(choice)


def things_embedder(choice: EmbeddingChoice) -> Embedder:
    """What embeds chunks, entities and types: the model that was chosen, and without a choice words."""
    return chosen_embedder(choice) if choice.model else LexicalEmbedder()
