"""Port of reranking: how well each of some texts helps with a question, judged text by text after a first ranking.

`adapters.model_reranker` asks a language model; a cross-encoder can keep the protocol as well. What is a text, an edge
in labels or a passage, is the caller's affair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Final, Protocol, TypeVar

from provgraph.errors import InvalidInput, ProvGraphError
from provgraph.ports.language_model import Exchange, TokenUsage

Candidate = TypeVar("Candidate")

HIGHEST: Final = 10.0
NOBODY: Final = "none"
ANYBODY: Final = "any"
"""What a request calls no reranker, and whichever there is."""


@dataclass(frozen=True)
class RerankingScores:
    """`values[i]` is the score of text i, from 0 (no help) to 10 (it answers); None for a text that got none.

    `usage` is what it cost: tokens where a language model counted them, and the time. `ignored` counts what the
    reranker said of no text, or could not be read. `failure` is why scores are missing, where something failed.
    """

    values: tuple[float | None, ...]
    usage: TokenUsage
    ignored: int = 0
    failure: ProvGraphError | None = None

    @property
    def given(self) -> int:
        """How many texts got one."""
        return sum(value is not None for value in self.values)

    @property
    def warnings(self) -> tuple[str, ...]:
        """That scores are missing, and why."""
        if self.failure is None:
            return ()
        count = len(self.values)
        missing = f"{count - self.given} of {count} candidates keep their first rank."
        return (f"{self.failure} Until then {missing}",)


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
    ) -> RerankingScores:
        """A value for each text, in their order; none of them fails because a model does.

        `exchanges`, where it is given, gets each exchange with a language model when it begins, so that its words can
        be had even where the call is cut off.
        """
        ...


def best_first(
    candidates: Sequence[Candidate], scores: Sequence[float | None]
) -> list[tuple[Candidate, float | None]]:
    """Each with its score: first what has one, then the others in their order. Who is past `scores` has none."""
    scored = zip(candidates, chain(scores, repeat(None)), strict=False)
    return sorted(scored, key=lambda each: (each[1] is None, -(each[1] or 0.0)))


def reranker_named(rerankers: Mapping[str, Reranker], name: str) -> Reranker | None:
    """The one that a request names; None for nobody. Raises `InvalidInput` for one that there is not."""
    if name == NOBODY:
        return None
    reranker = next(iter(rerankers.values()), None) if name == ANYBODY else rerankers.get(name)
    if reranker is None:
        raise InvalidInput(
            f"There is no reranker {name!r}. Use {', '.join((NOBODY, *rerankers))}; set PROVGRAPH_LLM_MODEL to rerank "
            "by 'model', PROVGRAPH_RERANK_MODEL by 'cross-encoder'."
        )
    return reranker
