"""What every `NodeSimilarity` keeps to, in this process or in another one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import NamedNode

from contract.over_http import DEAD, retrieval_at, served
from provgraph.adapters.http_retriever import HttpNodeSimilarity
from provgraph.errors import InvalidInput, ModelUnavailable, Unavailable
from provgraph.ports.similarity import NodeSimilarity, SearchWords, SimilarNode, SimilarNodes
from provgraph.rdf.iris import entity_iri
from provgraph.rdf.vocabulary import TG
from provgraph.retrieval.port_routes import similarity_port_router
from provgraph.retrieval.vector_similarity import VectorDocumentSimilarity, VectorNodeSimilarity
from provgraph.wire.retrieval_port import (
    SIMILARITY_PATH,
    like_nodes_from_json,
    like_nodes_to_json,
    sought_from_json,
    sought_to_json,
)
from unit.retrieval.taught_collection import CURIE, OTTER
from unit.retrieval.vectors.embedded_collection import EmbeddedCollection

SOUGHT = SearchWords(("Marie Curie", "Mary Curie"), ("entity",), labels_per_name=2)


@pytest_asyncio.fixture
async def taught(tmp_path: Path) -> AsyncIterator[EmbeddedCollection]:
    collection = EmbeddedCollection(tmp_path)
    await collection.learn("Marie Curie", *CURIE)
    await collection.learn("Otters", *OTTER)
    yield collection
    await collection.retriever.close()


@pytest_asyncio.fixture(params=["in this process", "in another"])
async def likeness(
    request: pytest.FixtureRequest, taught: EmbeddedCollection
) -> AsyncIterator[NodeSimilarity]:
    async with AsyncExitStack() as stack:
        own = VectorNodeSimilarity(taught.vectors)
        if request.param == "in this process":
            yield own
        else:
            router = similarity_port_router(own, VectorDocumentSimilarity(taught.vectors))
            url = await stack.enter_async_context(served(router))
            yield HttpNodeSimilarity(await stack.enter_async_context(retrieval_at(url)))


async def test_nodes_and_types_are_told_once_each_best_first_by_the_label_that_is_most_like(
    likeness: NodeSimilarity, taught: EmbeddedCollection
) -> None:
    found = await likeness.likest("default", SOUGHT)
    first = found.nodes[0]
    assert (first.node, first.label) == (entity_iri("Marie Curie"), "Marie Curie")
    assert first.score == pytest.approx(1.0)
    assert found.types[0].node == TG.entity
    for each in (found.nodes, found.types):
        assert len({like.node for like in each}) == len(each)
        assert list(each) == sorted(each, key=lambda like: (-like.score, like.node.value))
    fewer = await likeness.likest("default", SearchWords(("Marie Curie",), labels_per_name=1))
    assert fewer == SimilarNodes(found.nodes[:1])
    assert found == await VectorNodeSimilarity(taught.vectors).likest("default", SOUGHT)


async def test_where_nothing_is_sought_or_known_nothing_is_found(likeness: NodeSimilarity) -> None:
    assert await likeness.likest("default", SearchWords(())) == SimilarNodes()
    assert await likeness.likest("empty", SOUGHT) == SimilarNodes()
    assert await likeness.texts("Who?", []) == []


async def test_texts_are_scored_in_their_order(likeness: NodeSimilarity) -> None:
    same, other, nothing = await likeness.texts("Otters eat fish.", ["Otters eat fish.", "Warsaw", ""])
    assert same == pytest.approx(1.0)
    assert same > other >= nothing == 0.0


async def test_words_that_cannot_be_embedded_are_told_as_the_models_failure(
    likeness: NodeSimilarity, taught: EmbeddedCollection
) -> None:
    taught.embedder.failing = "The embedding model is away. Start it."
    with pytest.raises(ModelUnavailable, match="Start it"):
        await likeness.likest("default", SOUGHT)
    with pytest.raises(ModelUnavailable, match="Start it"):
        await likeness.texts("Who?", ["Marie Curie"])


async def test_damaged_vectors_are_made_anew_once_however_many_find_it_out(
    likeness: NodeSimilarity, taught: EmbeddedCollection
) -> None:
    found = await likeness.likest("default", SOUGHT)
    embedded = len(taught.embedder.passages)
    (file,) = (taught.folder / "vectors").rglob("entity-*.f32")
    with file.open("r+b") as written:
        written.write(b"\x3f" * file.stat().st_size)
    again = await asyncio.gather(*(likeness.likest("default", SOUGHT) for _ in range(4)))
    assert again == [found] * 4
    assert len(taught.embedder.passages) == 2 * embedded


async def test_a_dead_replica_is_passed_over_and_where_none_is_left_it_is_said_what_to_do(
    taught: EmbeddedCollection,
) -> None:
    router = similarity_port_router(
        VectorNodeSimilarity(taught.vectors), VectorDocumentSimilarity(taught.vectors)
    )
    async with served(router) as url, retrieval_at(DEAD, url) as service:
        made = HttpNodeSimilarity(service)
        assert [bool((await made.likest("default", SOUGHT)).nodes) for _ in range(2)] == [True, True]
        with pytest.raises(InvalidInput, match="Run the same version"):
            await service.call(f"{SIMILARITY_PATH}/nodes", {"collection": "default"})
    async with retrieval_at(DEAD) as service:
        with pytest.raises(Unavailable, match="Start it with 'provgraph serve retrieval'"):
            await HttpNodeSimilarity(service).likest("default", SOUGHT)


texts = st.text(st.characters(codec="utf-8"), max_size=20)
likes = st.lists(
    st.builds(
        SimilarNode,
        st.text("abcé/ü0", min_size=1).map(lambda name: NamedNode(f"http://example.org/{name}")),
        texts,
        st.floats(0, 1),
    ),
    max_size=3,
).map(tuple)
words = st.lists(texts, max_size=3).map(tuple)


@settings(max_examples=25)
@given(
    st.builds(SearchWords, words, words, st.integers(1, 50), st.integers(1, 50)),
    st.builds(SimilarNodes, likes, likes),
)
def test_what_goes_over_the_wire_comes_out_as_it_went_in(sought: SearchWords, found: SimilarNodes) -> None:
    assert sought_from_json(sought_to_json(sought)) == sought
    assert like_nodes_from_json(like_nodes_to_json(found)) == found
