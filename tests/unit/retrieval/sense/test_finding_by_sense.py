"""Passages are found by what their sentences mean, and an answer says so where some are not embedded yet."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.retrieval.sense.question_sense import SENTENCES
from provgraph.retrieval.vectors.index_sync import AWAITED, VectorIndexSync, VectorSettings
from unit.retrieval.taught_collection import CURIE, OTTER, TaughtCollection
from unit.retrieval.vectors.embedded_collection import CountingEmbedder

BEHIND = VectorSettings(behind=True, rest_s=0)
MEANT = "Which beast devours trout?"
"""Has no word of any text, but is said to mean a sentence of the otters' passage."""


class SenseCollection(TaughtCollection):
    def __init__(self, folder: Path) -> None:
        self.embedder = CountingEmbedder()
        self.embedder.synonyms[MEANT] = "The otter eats fish in cold rivers."
        super().__init__(folder)

    def reopened(self) -> GraphRetriever:
        self.senses = VectorIndexSync(
            self.store, self.library, self.folder / "sentences", self.embedder, BEHIND, SENTENCES
        )
        return GraphRetriever(self.store, self.library, self.folder / "index", senses=self.senses)

    async def learn_many(self) -> None:
        """More documents than an ingest waits for, told of all at once."""
        documents = [await self.teach("Marie Curie", *CURIE), await self.teach("Otters", *OTTER)]
        documents += [await self.teach(f"Otters {number}", *OTTER) for number in range(AWAITED)]
        await self.retriever.follow(self.collection, documents)


@pytest_asyncio.fixture
async def taught(tmp_path: Path) -> AsyncIterator[SenseCollection]:
    collection = SenseCollection(tmp_path)
    yield collection
    await collection.retriever.close()


async def test_a_passage_is_found_that_says_it_in_other_words(taught: SenseCollection) -> None:
    await taught.learn("Marie Curie", *CURIE)
    await taught.learn("Otters", *OTTER)
    (first, *_) = (await taught.ask(MEANT)).chunks
    assert first.title == "Otters"
    assert "sense 1" in first.how
    assert first.senses[0].likeness > 0.9
    assert first.text[first.senses[0].start : first.senses[0].end] == "The otter eats fish in cold rivers."


async def test_without_weight_sense_finds_nothing(taught: SenseCollection) -> None:
    await taught.learn("Otters", *OTTER)
    assert not (await taught.ask(MEANT, parameters={"sense": 0})).chunks


async def test_a_question_before_the_end_says_what_it_was_answered_without(taught: SenseCollection) -> None:
    await taught.learn("Marie Curie", *CURIE)
    taught.embedder.hold()
    following = asyncio.create_task(taught.learn_many())
    await following
    await taught.embedder.begun.wait()
    index = await taught.senses.current(taught.collection)
    told = [step async for step in _some(taught)]
    assert told[0].doing == "embedding"
    taught.embedder.go_on.set()
    async for _ in taught.retriever.embedding(taught.collection):
        pass
    assert index.count() >= AWAITED
    result = await taught.ask(MEANT)
    assert result.warnings == ()
    assert result.chunks[0].title.startswith("Otters")


async def _some(taught: SenseCollection):  # type: ignore[no-untyped-def]
    async for step in taught.retriever.embedding(taught.collection):
        yield step
        return


async def test_a_dead_embedder_leaves_words_and_says_so(taught: SenseCollection) -> None:
    await taught.learn("Otters", *OTTER)
    taught.embedder.failing = "The endpoint is away."
    result = await taught.ask("What does the otter eat in rivers?")
    assert result.chunks[0].title == "Otters"
    assert result.warnings == ("Answered without sentence vectors. The endpoint is away.",)


async def test_what_was_cut_off_is_embedded_after_the_next_start(taught: SenseCollection) -> None:
    taught.embedder.hold()
    await taught.learn_many()
    await taught.embedder.begun.wait()
    await taught.restart()
    taught.embedder.go_on.set()
    await taught.ask("otter")
    async for _ in taught.retriever.embedding(taught.collection):
        pass
    assert (await taught.ask(MEANT)).chunks[0].title.startswith("Otters")
