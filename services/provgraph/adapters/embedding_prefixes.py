"""What embedding models want written before a question and before a passage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from provgraph.ports.embedder import Role


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
