"""Which embedder a name means: `minilm`, `local:MODEL`, `none`, or else a model behind an endpoint; without a name, the
sentence encoder that comes with the installation.

Modules that are slow to import are imported where they are chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from provgraph.adapters.lexical_embedder import LexicalEmbedder
from provgraph.adapters.universal_sentence_encoder.embedder import UniversalSentenceEncoder, resource_folder
from provgraph.errors import InvalidInput
from provgraph.ports.embedder import Embedder, Role

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
        from provgraph.adapters.minilm import MiniLMEmbedder, minilm_folder

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


def index_embedder(choice: EmbeddingChoice) -> Embedder:
    """What embeds chunks, entities and types: the model that was chosen, and without a choice words."""
    return chosen_embedder(choice) if choice.model else LexicalEmbedder()


@dataclass(frozen=True)
class Prefixes:
    query: str = ""
    passage: str = ""

    def applied(self, text: str, role: Role) -> str:
        return (self.query if role == "query" else self.passage) + text


_BGE: Final = "Represent this sentence for searching relevant passages: "
_QWEN: Final = "Instruct: Given a question, retrieve passages that answer the question\nQuery: "
_KNOWN: Final = {
    "nomic-embed": Prefixes("search_query: ", "search_document: "),
    "multilingual-e5-large-instruct": Prefixes(_QWEN),
    "e5-mistral": Prefixes(_QWEN),
    "qwen3-embedding": Prefixes(_QWEN),
    "e5-": Prefixes("query: ", "passage: "),
    "bge-m3": Prefixes(),
    "bge-": Prefixes(_BGE),
    "mxbai-embed": Prefixes(_BGE),
    "snowflake-arctic-embed2": Prefixes("query: "),
    "snowflake-arctic-embed-l-v2": Prefixes("query: "),
    "snowflake-arctic-embed-m-v2": Prefixes("query: "),
    "snowflake-arctic-embed": Prefixes(_BGE),
    "embeddinggemma": Prefixes("task: search result | query: ", "title: none | text: "),
}
"""By a part of the model's name, as the models' own pages tell; the first that fits counts."""


def known_prefixes(model: str) -> Prefixes:
    """The prefixes that a model of this name was trained with; none where it is not known to want any."""
    name = model.casefold()
    return next((prefixes for part, prefixes in _KNOWN.items() if part in name), Prefixes())


@dataclass(frozen=True)
class EmbeddingChoice:
    """The model, where it is, and how it is called; an empty `base_url` is OpenAI's own.

    A prefix that is None is what the model is known to want. `dimension` asks for shorter vectors, of models that can
    cut them; 0 is the model's own length. `batch` is the most texts in one call, `parallel` the most calls at once,
    `most_characters` the most that is sent of one text.
    """

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
    most_characters: int = 8000

    @property
    def prefixes(self) -> Prefixes:
        known = known_prefixes(self.model)
        return Prefixes(
            known.query if self.query_prefix is None else self.query_prefix,
            known.passage if self.passage_prefix is None else self.passage_prefix,
        )
