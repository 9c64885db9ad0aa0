"""A question asked without documents or edges: as if they were not in the collection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from pyoxigraph import Triple

from provgraph.ports.retriever import RetrievalResult, Without
from provgraph.rdf.iris import entity_iri
from provgraph.retrieval.methods.registry import METHODS
from unit.retrieval.taught_collection import CURIE, OTTER, WARSAW, Said, TaughtCollection, told

QUESTION = "Who discovered polonium, and of what country is Warsaw the capital?"
PIERRE = (
    Said("Pierre Curie discovered polonium with Marie Curie.", (("Pierre Curie", "discovered", "polonium"),)),
    Said("Marie Curie discovered polonium.", (("Marie Curie", "discovered", "polonium"),)),
)


@pytest_asyncio.fixture
async def taught(tmp_path: Path) -> AsyncIterator[TaughtCollection]:
    collection = TaughtCollection(tmp_path)
    yield collection
    await collection.retriever.close()


def edge(*labels: str) -> Triple:
    subject, relation, thing = map(entity_iri, labels)
    return Triple(subject, relation, thing)


def supports(result: RetrievalResult) -> dict[tuple[str, str, str], int]:
    return dict(zip(told(result), (edge.support for edge in result.edges), strict=True))


@pytest.mark.parametrize("method", METHODS)
async def test_nothing_of_a_document_that_is_left_out_is_found(taught: TaughtCollection, method: str) -> None:
    await taught.learn("Curie", *CURIE)
    warsaw = await taught.learn("Warsaw", *WARSAW)
    await taught.learn("Otters", *OTTER)
    whole = await taught.ask(QUESTION, method=method)
    assert ("Warsaw", "is the capital of", "Poland") in told(whole)
    found = await taught.ask(QUESTION, method=method, without=Without((warsaw,)))
    assert ("Warsaw", "is the capital of", "Poland") not in told(found)
    assert warsaw not in {hit.document for hit in found.chunks}
    assert warsaw not in {hit.document for hit in found.documents}
    assert found.edges


@pytest.mark.parametrize("method", METHODS)
async def test_an_edge_that_is_left_out_is_not_found_and_its_neighbours_are(
    taught: TaughtCollection, method: str
) -> None:
    await taught.learn("Curie", *CURIE)
    left_out = edge("Marie Curie", "discovered", "polonium")
    found = await taught.ask("What did Marie Curie discover, and where was she born?", method=method)
    assert ("Marie Curie", "discovered", "polonium") in told(found)
    found = await taught.ask(
        "What did Marie Curie discover, and where was she born?",
        method=method,
        without=Without((), (left_out,)),
    )
    assert ("Marie Curie", "discovered", "polonium") not in told(found)
    assert ("Marie Curie", "was born in", "Warsaw") in told(found)


async def test_a_question_without_a_document_finds_the_edges_of_a_collection_that_never_had_it(
    tmp_path: Path,
) -> None:
    with_it, never = TaughtCollection(tmp_path / "with"), TaughtCollection(tmp_path / "never")
    for title, said in (("Curie", CURIE), ("Warsaw", WARSAW), ("Otters", OTTER)):
        await with_it.learn(title, *said)
        await never.learn(title, *said)
    pierre = await with_it.learn("Pierre", *PIERRE)
    for question in (QUESTION, "Who is Pierre Curie?", "Where was Marie Curie born?", "What do otters eat?"):
        found = await with_it.ask(question, without=Without((pierre,)))
        expected = await never.ask(question)
        assert supports(found) == supports(expected)
        assert found.terms == expected.terms
        assert [seed.entity for seed in found.seeds] == [seed.entity for seed in expected.seeds]
    await with_it.retriever.close()
    await never.retriever.close()


async def test_a_fact_that_more_subgraphs_say_ranks_higher_and_lower_again_without_them(
    taught: TaughtCollection,
) -> None:
    once = (Said("Lise Meitner explained fission.", (("Lise Meitner", "explained", "fission"),)),)
    other = (Said("Otto Frisch explained fission.", (("Otto Frisch", "explained", "fission"),)),)
    await taught.learn("One", *once)
    second = await taught.learn("Two", *once)
    third = await taught.learn("Three", *other)
    assert third

    def scores(result: RetrievalResult) -> dict[str, float]:
        return {edge.labels.subject: edge.score for edge in result.edges}

    found = await taught.ask("Who explained fission?", method="bm25")
    assert supports(found)[("Lise Meitner", "explained", "fission")] == 2
    assert scores(found)["Lise Meitner"] > scores(found)["Otto Frisch"]
    found = await taught.ask("Who explained fission?", method="bm25", without=Without((second,)))
    assert supports(found)[("Lise Meitner", "explained", "fission")] == 1
    assert scores(found)["Lise Meitner"] == scores(found)["Otto Frisch"]


async def test_a_question_without_something_changes_nothing_for_the_next(taught: TaughtCollection) -> None:
    curie = await taught.learn("Curie", *CURIE)
    before = await taught.ask(QUESTION)
    assert (await taught.ask(QUESTION, without=Without((curie,)))).edges == ()
    assert await taught.ask(QUESTION) == before
