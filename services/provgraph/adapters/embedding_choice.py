"""The embedding model that was chosen, as settings say it; apart from the adapters, which are slow to import."""

from __future__ import annotations

from dataclasses import dataclass

from provgraph.adapters.embedding_prefixes import Prefixes, known_prefixes


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
