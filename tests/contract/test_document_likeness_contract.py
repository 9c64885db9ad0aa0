"""What every `DocumentSimilarity` keeps to, in this process or in another one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import NamedNode

from contract.over_http import DEAD, retrieval_at, served
from provgraph.adapters.http_retriever import HttpDocumentSimilarity
from provgraph.errors import Unavailable
from provgraph.ports.similarity import DocumentPairs, DocumentSimilarity, LikeDocuments
from provgraph.retrieval.port_routes import similarity_port_router
from provgraph.retrieval.vector_similarity import VectorDocumentSimilarity, VectorNodeSimilarity
from provgraph.wire.retrieval_port import document_pairs_from_json, document_pairs_to_json
from unit.retrieval.taught_collection import CURIE, OTTER, Said
from unit.retrieval.vectors.embedded_collection import EmbeddedCollection

RIVERS = (Said("The otter eats fish in cold and deep rivers.", (("otter", "eats", "fish"),)),)


@pytest_asyncio.fixture
async def taught(tmp_path: Path) -> AsyncIterator[EmbeddedCollection]:
    collection = EmbeddedCollection(tmp_path)
    yield collection
    await collection.retriever.close()


@pytest_asyncio.fixture(params=["in this process", "in another"])
async def likeness(
    request: pytest.FixtureRequest, taught: EmbeddedCollection
) -> AsyncIterator[DocumentSimilarity]:
    async with AsyncExitStack() as stack:
        own = VectorDocumentSimilarity(taught.vectors)
        if request.param == "in this process":
            yield own
        else:
            router = similarity_port_router(VectorNodeSimilarity(taught.vectors), own)
            url = await stack.enter_async_context(served(router))
            yield HttpDocumentSimilarity(await stack.enter_async_context(retrieval_at(url)))


def pairs(found: DocumentPairs) -> list[tuple[NamedNode, NamedNode]]:
    return [each.documents for each in found.pairs]


def pair(*documents: NamedNode) -> tuple[NamedNode, ...]:
    return tuple(sorted(documents, key=lambda document: document.value))


async def test_the_nearest_documents_are_told_with_their_cosine_and_follow_what_comes_and_goes(
    likeness: DocumentSimilarity, taught: EmbeddedCollection
) -> None:
    assert await likeness.likest("default", 1, 0.3) == DocumentPairs("counting", ())
    otters = await taught.learn("Otters", *OTTER)
    rivers = await taught.learn("Otters in rivers", *RIVERS)
    curie = await taught.learn("Marie Curie", *CURIE)
    found = await likeness.likest("default", 1, 0.3)
    assert pairs(found) == [pair(otters, rivers)]
    assert 0.3 < found.pairs[0].cosine < 1
    every = await likeness.likest("default", 2, -1.0)
    assert len(every.pairs) == 3
    assert pairs(every) == sorted(pairs(every), key=str)
    assert every == await VectorDocumentSimilarity(taught.vectors).likest("default", 2, -1.0)
    await taught.empty()
    await taught.retriever.follow("default", [otters, rivers, curie])
    assert pairs(await likeness.likest("default", 2, -1.0)) == []


async def test_a_document_that_could_not_be_embedded_is_left_out(
    likeness: DocumentSimilarity, taught: EmbeddedCollection
) -> None:
    otters = await taught.learn("Otters", *OTTER)
    taught.embedder.failing = "The embedding model is away."
    rivers = await taught.learn("Otters in rivers", *RIVERS)
    assert pairs(await likeness.likest("default", 1, 0.3)) == []
    taught.embedder.failing = ""
    await taught.retriever.follow("default", [rivers])
    assert pairs(await likeness.likest("default", 1, 0.3)) == [pair(otters, rivers)]


async def test_the_order_in_which_documents_came_changes_nothing(tmp_path: Path) -> None:
    said = {"Otters": OTTER, "Otters in rivers": RIVERS, "Marie Curie": CURIE, "Curie again": CURIE}
    found = []
    for number, titles in enumerate((list(said), sorted(said))):
        taught = EmbeddedCollection(tmp_path / str(number))
        for title in titles:
            await taught.learn(title, *said[title])
        found.append(await VectorDocumentSimilarity(taught.vectors).likest("default", 2, -1.0))
        await taught.retriever.close()
    assert found[0] == found[1]


async def test_where_nobody_answers_it_is_said_what_to_do() -> None:
    async with retrieval_at(DEAD) as service:
        with pytest.raises(Unavailable, match="Start it with 'provgraph serve retrieval'"):
            await HttpDocumentSimilarity(service).likest("default", 1, 0.3)


iris = st.text("abcé/ü0", min_size=1).map(lambda name: NamedNode(f"http://example.org/{name}"))


@settings(max_examples=25)
@given(
    st.builds(
        DocumentPairs,
        st.text(st.characters(codec="utf-8"), max_size=20),
        st.lists(st.builds(LikeDocuments, st.tuples(iris, iris), st.floats(-1, 1)), max_size=4).map(tuple),
    )
)
def test_what_goes_over_the_wire_comes_out_as_it_went_in(found: DocumentPairs) -> None:
    assert document_pairs_from_json(document_pairs_to_json(found)) == found
