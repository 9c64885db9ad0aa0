"""Candidates by a second scoring, and what is told where it fails."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from provgraph.errors import InvalidInput, ModelUnavailable
from provgraph.ports.language_model import Exchange, TokenUsage
from provgraph.ports.reranker import RerankingScores
from provgraph.ports.retriever import RetrievalRequest, RetrievalResult
from provgraph.retrieval.reranking import RerankingRetriever
from unit.retrieval.taught_collection import CURIE, OTTER, WARSAW, TaughtCollection, told

ABOUT_ALL = "What of Marie Curie, polonium, Warsaw, Poland, otters and fish?"


@dataclass
class ScoringByRule:
    """A `Reranker` that a function plays."""

    rule: Callable[[str], float | None]
    failure: ModelUnavailable | None = None
    name: str = "rule"
    by_language_model: bool = False

    async def score(
        self,
        question: str,  # noqa: ARG002
        texts: Sequence[str],
        exchanges: list[Exchange] | None = None,  # noqa: ARG002
    ) -> RerankingScores:
        values = tuple(self.rule(text) for text in texts)
        return RerankingScores(values, TokenUsage(None, None, 0), failure=self.failure)


@pytest_asyncio.fixture
async def taught(tmp_path: Path) -> AsyncIterator[TaughtCollection]:
    collection = TaughtCollection(tmp_path)
    for title, said in (("Marie Curie", CURIE), ("Warsaw", WARSAW), ("Otters", OTTER)):
        await collection.learn(title, *said)
    yield collection
    await collection.retriever.close()


async def reranked(taught: TaughtCollection, reranker: ScoringByRule, chunks: int = 10) -> RetrievalResult:
    retriever = RerankingRetriever(taught.retriever, {"cross-encoder": reranker})
    return await retriever.retrieve(RetrievalRequest(ABOUT_ALL, chunks=chunks, rerank="cross-encoder"))


async def test_what_scores_best_comes_first_in_every_kind(taught: TaughtCollection) -> None:
    found = await reranked(taught, ScoringByRule(lambda text: 10.0 if "otter" in text.casefold() else 1.0))
    assert found.chunks[0].title == found.documents[0].title == "Otters"
    assert found.chunks[0].rerank_score == found.edges[0].rerank_score == 10.0
    assert told(found)[0] == ("otter", "eats", "fish")


async def test_what_gets_no_score_keeps_its_order_behind(taught: TaughtCollection) -> None:
    before = told(await taught.ask(ABOUT_ALL))
    found = await reranked(taught, ScoringByRule(lambda text: 5.0 if "otter" in text.casefold() else None))
    assert told(found)[1:] == [edge for edge in before if edge != ("otter", "eats", "fish")]


async def test_a_scoring_that_fails_is_told_and_changes_nothing(taught: TaughtCollection) -> None:
    failing = ScoringByRule(lambda _: None, ModelUnavailable("The model is not there."))
    found = await reranked(taught, failing)
    assert told(found) == told(await taught.ask(ABOUT_ALL))
    assert found.warnings[0].startswith("The model is not there. Until then")


async def test_no_more_chunks_are_given_than_are_wanted(taught: TaughtCollection) -> None:
    assert len((await reranked(taught, ScoringByRule(lambda _: 1.0), chunks=1)).chunks) == 1


async def test_a_reranker_that_there_is_not_is_refused(taught: TaughtCollection) -> None:
    retriever = RerankingRetriever(taught.retriever, {})
    with pytest.raises(InvalidInput, match="PROVGRAPH_RERANK_MODEL"):
        await retriever.retrieve(RetrievalRequest(ABOUT_ALL, rerank="cross-encoder"))


@pytest.mark.parametrize("nobody", ["", "none"])
async def test_without_a_reranker_nothing_changes(taught: TaughtCollection, nobody: str) -> None:
    retriever = RerankingRetriever(taught.retriever, {})
    found = await retriever.retrieve(RetrievalRequest(ABOUT_ALL, rerank=nobody))
    assert found == await taught.ask(ABOUT_ALL)
