"""Port of reranking: how well each of some texts helps with a question, judged text by text after a first ranking.

`adapters.model_reranker` asks a language model; a cross-encoder can keep the protocol as well. What is a text, an edge
in labels or a passage, is the caller's affair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from provgraph.errors import ProvGraphError
from provgraph.ports.language_model import Exchange, TokenUsage

HIGHEST: Final = 10.0


@dataclass(frozen=True)
class Scores:
    """`values[i]` is the score of text i, from 0 (no help) to 10 (it answers); None for a text that got none.

    `usage` is what it cost: tokens where a language model counted them, and the time. `ignored` counts what the
    reranker said of no text, or could not be read. `failure` is why scores are missing, where something failed.
    """

    values: tuple[float | None, ...]
    usage: TokenUsage
    ignored: int = 0
    failure: ProvGraphError | None = None


class Reranker(Protocol):
    """Keeps no state between calls; may be called in parallel."""

    @property
    def name(self) -> str:
        """Who scores: the name of a model."""
        ...

    @property
    def by_language_model(self) -> bool:
        """Whether each call is paid for in tokens; such a reranker is left alone by those who do without a model."""
        ...

    async def score(
        self, question: str, texts: Sequence[str], exchanges: list[Exchange] | None = None
    ) -> Scores:
        """A value for each text, in their order; none of them fails because a model does.

        `exchanges`, where it is given, gets each exchange with a language model when it begins, so that its words can
        be had even where the call is cut off.
        """
        ...
