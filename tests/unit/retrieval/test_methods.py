"""The ways of ranking: what each finds, what its parameters do, and what it tells of how it found it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from provgraph.errors import InvalidInput
from provgraph.ports.retriever import RetrievalLimits
from provgraph.retrieval.methods.registry import METHODS
from unit.retrieval.taught_collection import CURIE, OTTER, WARSAW, Said, TaughtCollection, told

RIVERS = (Said("The otter swims 30 km and sees fish, fish and fish.", (("otter", "swims", "30 km"),)),)


@pytest_asyncio.fixture
async def taught(tmp_path: Path) -> AsyncIterator[TaughtCollection]:
    collection = TaughtCollection(tmp_path)
    for title, said in (("Marie Curie", CURIE), ("Warsaw", WARSAW), ("Otters", OTTER), ("Rivers", RIVERS)):
        await collection.learn(title, *said)
    yield collection
    await collection.retriever.close()


@pytest.mark.parametrize("method", METHODS)
async def test_every_method_finds_the_edge_and_its_passage_and_tells_how(
    taught: TaughtCollection, method: str
) -> None:
    found = await taught.ask("What did Marie Curie discover?", method=method)
    assert found.method == method
    assert ("Marie Curie", "discovered", "polonium") in told(found)
    assert found.chunks[0].title == "Marie Curie"
    assert all(edge.how for edge in found.edges)


async def test_a_passage_leads_to_one_about_a_name_that_it_mentions(taught: TaughtCollection) -> None:
    found = await taught.ask("Of which country is the birthplace of Curie the capital?")
    (warsaw,) = [chunk for chunk in found.chunks if chunk.title == "Warsaw"]
    assert "named by Marie Curie" in warsaw.how


async def test_constants_of_bm25_change_the_scores_and_the_terms_still_make_them(
    taught: TaughtCollection,
) -> None:
    plain = await taught.ask("Where do otters see fish?", method="bm25")
    other = await taught.ask("Where do otters see fish?", method="bm25", parameters={"k1": 0.0})
    assert [hit.score for hit in plain.chunks] != [hit.score for hit in other.chunks]
    for hit in (*plain.chunks, *other.chunks):
        assert hit.score == pytest.approx(sum(score for _, score in hit.terms), abs=1e-3)


async def test_numbers_with_units_are_boosted_where_that_is_asked_for(taught: TaughtCollection) -> None:
    plain = await taught.ask("otter", method="term-frequency")
    boosted = await taught.ask("otter", method="term-frequency", parameters={"factual": 1.0})
    scores = {hit.title: hit.score for hit in plain.chunks}
    gains = {hit.title: hit.score - scores[hit.title] for hit in boosted.chunks}
    assert gains == {"Otters": 0.0, "Rivers": 1.0}


async def test_term_frequency_counts_each_time_that_a_word_is_said(taught: TaughtCollection) -> None:
    (best, *_) = (await taught.ask("fish", method="term-frequency")).chunks
    assert (best.title, best.score, best.terms) == ("Rivers", 6.0, (("fish", 6.0),))


async def test_gamma_spreads_scores_beyond_the_seed(taught: TaughtCollection) -> None:
    async def score(gamma: float) -> float:
        found = await taught.ask(
            "Marie Curie",
            method="propagation",
            parameters={"gamma": gamma, "lambda1": 1.0, "lambda2": 0.0, "lambda3": 0.0},
        )
        (edge,) = [edge for edge in found.edges if edge.labels.object == "Poland"]
        return edge.score

    assert await score(0.0) < await score(0.5)


async def test_pagerank_without_walking_on_stays_at_the_starts(taught: TaughtCollection) -> None:
    stays = await taught.ask("Marie Curie", method="pagerank", parameters={"damping": 0.0, "chunks": 0.0})
    walks = await taught.ask("Marie Curie", method="pagerank", parameters={"chunks": 0.0})
    assert stays.documents == ()
    assert {hit.title for hit in walks.documents} >= {"Marie Curie", "Warsaw"}


@pytest.mark.parametrize(
    ("method", "parameters", "told"),
    [
        ("bm25", {"k2": 1.0}, "It has: k1, b, factual"),
        ("graph", {"k1": 1.0}, "It has: reached"),
        ("topic-star", {"k1": 1.0}, "It has none"),
        ("bm25", {"b": 1.5}, "goes from 0 to 1"),
        ("bm25", {"b": float("nan")}, "goes from 0 to 1"),
    ],
)
async def test_a_parameter_that_the_method_cannot_use_is_refused(
    taught: TaughtCollection, method: str, parameters: dict[str, float], told: str
) -> None:
    with pytest.raises(InvalidInput, match=told):
        await taught.ask("polonium", method=method, parameters=parameters)


@pytest.mark.parametrize("method", ["graph", "fusion"])
async def test_passages_that_say_nothing_of_an_entity_that_was_reached_are_left_out_where_that_is_asked_for(
    taught: TaughtCollection, method: str
) -> None:
    question, limits = "Which fish did Marie Curie see in Warsaw?", RetrievalLimits(entities=1)
    everything = await taught.ask(question, method=method, limits=limits)
    reached = await taught.ask(question, method=method, limits=limits, parameters={"reached": 1.0})
    assert {"Otters", "Rivers"} & {hit.title for hit in everything.chunks}
    assert {hit.title for hit in reached.chunks} >= {"Marie Curie", "Warsaw"}
    assert {hit.title for hit in reached.chunks} < {hit.title for hit in everything.chunks}
    assert all(hit.how.endswith("reached") for hit in reached.chunks)


async def test_a_result_tells_the_numbers_that_its_method_worked_with(taught: TaughtCollection) -> None:
    found = await taught.ask("otter", method="bm25", parameters={"k1": 1.5})
    assert found.parameters == {"k1": 1.5, "b": 0.75, "factual": 0.0}
