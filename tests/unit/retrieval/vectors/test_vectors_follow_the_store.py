"""Vectors agree with the store whatever happens, and an embedder that fails is told, never silent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from provgraph.errors import InvalidInput, ModelUnavailable
from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.retrieval.vectors.index_sync import VectorSettings
from unit.retrieval.taught_collection import CURIE, OTTER, WARSAW, Said, TaughtCollection, told
from unit.retrieval.vectors.embedded_collection import CountingEmbedder, EmbeddedCollection

ABOUT_OTTERS = "What does the otter eat in rivers?"


@pytest_asyncio.fixture
async def taught(tmp_path: Path) -> AsyncIterator[EmbeddedCollection]:
    collection = EmbeddedCollection(tmp_path)
    yield collection
    await collection.retriever.close()


def index_files(taught: EmbeddedCollection) -> list[Path]:
    return sorted(file for file in (taught.folder / "vectors").rglob("*") if file.is_file())


async def test_what_is_ingested_is_embedded_with_it_once(taught: EmbeddedCollection) -> None:
    document = await taught.learn("Otters", *OTTER)
    assert sorted(taught.embedder.passages)[:2] == ["Otters\nThe otter eats fish in cold rivers.", "entity"]
    before = len(taught.embedder.passages)
    await taught.retriever.follow(taught.collection, [document])
    await taught.restart()
    assert await taught.likest(ABOUT_OTTERS) == ["Otters"]
    assert len(taught.embedder.passages) == before


async def test_vectors_that_cost_nothing_wait_for_the_first_question_that_reads_them(tmp_path: Path) -> None:
    taught = EmbeddedCollection(tmp_path, VectorSettings(at_once=False))
    await taught.learn("Otters", *OTTER)
    assert (await taught.ask(ABOUT_OTTERS, method="bm25")).chunks
    assert taught.embedder.passages == []
    assert index_files(taught) == []
    assert await taught.likest(ABOUT_OTTERS) == ["Otters"]
    await taught.learn("Warsaw", *WARSAW)
    assert (await taught.likest("What is the capital of Poland?"))[0] == "Warsaw"
    await taught.retriever.close()


async def test_what_was_written_but_never_followed_is_found_at_the_next_start(
    taught: EmbeddedCollection,
) -> None:
    await taught.learn("Marie Curie", *CURIE)
    await taught.teach("Otters", *OTTER)
    await taught.restart()
    assert (await taught.likest(ABOUT_OTTERS))[0] == "Otters"


async def test_what_left_the_store_is_no_longer_found(taught: EmbeddedCollection) -> None:
    gone = await taught.learn("Otters", *OTTER)
    await taught.empty()
    await taught.retriever.follow(taught.collection, [gone])
    assert await taught.likest(ABOUT_OTTERS) == []


async def test_a_removed_document_leaves_the_vectors_of_every_model(taught: EmbeddedCollection) -> None:
    gone = await taught.learn("Otters", *OTTER)
    taught.embedder = CountingEmbedder("another")
    await taught.restart()
    assert await taught.likest(ABOUT_OTTERS) == ["Otters"]
    before = {file: file.read_bytes() for file in index_files(taught) if file.suffix == ".f32"}
    assert len({file.parent for file in before}) == 2
    assert any(any(content) for content in before.values())
    await taught.empty()
    await taught.retriever.follow(taught.collection, [gone])
    assert not any(any(file.read_bytes()) for file in before if file.exists())


async def test_another_model_embeds_anew_and_the_first_one_again_nothing(taught: EmbeddedCollection) -> None:
    await taught.learn("Otters", *OTTER)
    first = taught.embedder
    embedded = len(first.passages)
    taught.embedder = CountingEmbedder("another")
    await taught.restart()
    assert await taught.likest(ABOUT_OTTERS) == ["Otters"]
    assert len(taught.embedder.passages) == embedded
    taught.embedder = first
    await taught.restart()
    assert await taught.likest(ABOUT_OTTERS) == ["Otters"]
    assert len(first.passages) == embedded


@pytest.mark.parametrize("part", ["ledger.sqlite", "chunk-0.f32"])
@pytest.mark.parametrize("damage", ["missing", "truncated", "overwritten"])
async def test_damaged_vectors_are_made_anew(taught: EmbeddedCollection, part: str, damage: str) -> None:
    await taught.learn("Marie Curie", *CURIE)
    await taught.learn("Otters", *OTTER)
    whole = await taught.ask(ABOUT_OTTERS, method="vector")
    await taught.retriever.close()
    (file,) = (file for file in index_files(taught) if file.name == part)
    match damage:
        case "missing":
            file.unlink()
        case "truncated":
            file.write_bytes(file.read_bytes()[:50])
        case _:
            file.write_bytes(b"\xff" * file.stat().st_size)
    taught.retriever = taught.reopened()
    assert await taught.ask(ABOUT_OTTERS, method="vector") == whole


async def test_a_dead_embedder_does_not_stop_an_ingest_and_is_tried_again_with_the_next(
    taught: EmbeddedCollection,
) -> None:
    taught.embedder.failing = "The embedding model is not there."
    await taught.learn("Otters", *OTTER)
    assert told(await taught.ask("otter", method="graph")) == [("otter", "eats", "fish")]
    taught.embedder.failing = ""
    found = await taught.ask(ABOUT_OTTERS, method="vector")
    assert found.chunks == ()
    assert found.warnings == (
        "1 document could not be embedded yet, so vectors do not find what they say. "
        "The embedding model is not there.",
    )
    await taught.learn("Warsaw", *WARSAW)
    found = await taught.ask(ABOUT_OTTERS, method="vector")
    assert (found.chunks[0].title, found.warnings) == ("Otters", ())


async def test_a_question_that_cannot_be_embedded_is_answered_without_vectors_and_says_so(
    taught: EmbeddedCollection,
) -> None:
    await taught.learn("Otters", *OTTER)
    taught.embedder.failing = "The embedding model is not there."
    found = await taught.ask(ABOUT_OTTERS)
    assert found.chunks[0].title == "Otters"
    assert found.warnings == ("Ranked without vectors. The embedding model is not there.",)


async def test_a_method_that_is_named_is_not_replaced_by_another(taught: EmbeddedCollection) -> None:
    await taught.learn("Otters", *OTTER)
    taught.embedder.failing = "The embedding model is not there."
    with pytest.raises(ModelUnavailable, match="is not there"):
        await taught.ask(ABOUT_OTTERS, method="hybrid")


async def test_where_there_are_no_vectors_their_methods_are_refused(tmp_path: Path) -> None:
    taught = TaughtCollection(tmp_path)
    taught.retriever = GraphRetriever(taught.store, taught.library, tmp_path / "index")
    with pytest.raises(InvalidInput, match="no vectors"):
        await taught.ask(ABOUT_OTTERS, method="vector")
    await taught.retriever.close()


async def test_an_entity_of_a_like_name_is_a_seed(taught: EmbeddedCollection) -> None:
    await taught.learn("Marie Curie", *CURIE)
    found = await taught.ask("What did Mary Curies discover?", method="vector")
    assert [(seed.label, seed.how) for seed in found.seeds] == [("Marie Curie", "likeness")]


async def test_a_collection_that_is_forgotten_leaves_no_vectors(taught: EmbeddedCollection) -> None:
    await taught.learn("Otters", *OTTER)
    assert index_files(taught)
    await taught.retriever.forget(taught.collection)
    assert index_files(taught) == []


async def test_building_the_indexes_anew_embeds_anew_and_tells_how_far_it_is(
    taught: EmbeddedCollection,
) -> None:
    for title, said in (("Otters", OTTER), ("Warsaw", WARSAW)):
        await taught.learn(title, *said)
    before = len(taught.embedder.passages)
    steps = [(step.doing, step.done, step.total) async for step in taught.retriever.reindex("default")]
    assert [step for step in steps if step[0] == "embedding"] == [("embedding", 0, 2), ("embedding", 2, 2)]
    assert len(taught.embedder.passages) == 2 * before
    assert (await taught.likest(ABOUT_OTTERS))[0] == "Otters"


async def test_hundreds_of_chunks_are_all_embedded_when_the_indexes_are_built_anew(
    taught: EmbeddedCollection,
) -> None:
    documents = [
        await taught.teach(
            f"Otter {number}", Said(f"Otter {number} eats fish.", ((f"otter {number}", "eats", "fish"),))
        )
        for number in range(200)
    ]
    await taught.retriever.follow("default", documents)
    *_, last = [step async for step in taught.retriever.reindex("default")]
    assert (last.doing, last.done, last.total) == ("embedding", 200, 200)


async def test_embedding_that_is_broken_off_goes_on_at_the_next_use(taught: EmbeddedCollection) -> None:
    await taught.learn("Otters", *OTTER)
    steps = taught.retriever.reindex("default")
    async for step in steps:
        if step.doing == "embedding":
            break
    await steps.aclose()
    assert (await taught.likest(ABOUT_OTTERS))[0] == "Otters"


@pytest.mark.parametrize("method", ["hybrid", "fusion", "vector"])
async def test_likeness_leads_to_edges_also_where_no_chunk_is_to_be_shown(
    taught: EmbeddedCollection, method: str
) -> None:
    await taught.learn("Otters", *OTTER)
    found = await taught.ask("What do otterlike riverside creatures do?", method=method, chunks=0)
    assert found.chunks == ()
    assert "passage" in {edge.how for edge in found.edges}


async def test_entities_of_a_type_that_is_like_the_one_asked_for_are_seeds(
    taught: EmbeddedCollection,
) -> None:
    await taught.learn("Otters", *OTTER)
    taught.embedder.synonyms = {"creatures": "entity"}
    found = await taught.ask("Which creatures live there?", method="fusion")
    assert {(seed.label, seed.how) for seed in found.seeds} == {("otter", "type likeness")}
