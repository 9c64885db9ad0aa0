"""The indexes agree with the store, whatever happened to either."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from tantivy import Query

from provgraph.ports.retriever import RetrievalRequest
from provgraph.retrieval import index_sync
from provgraph.retrieval.collection_index import CollectionIndex, IndexChanges
from provgraph.retrieval.keyword_index import Address, KeywordIndex
from provgraph.retrieval.pipeline import GraphRetriever
from unit.retrieval.taught_collection import CURIE, OTTER, WARSAW, TaughtCollection, told

ABOUT_ALL = "What of Marie Curie, polonium, Warsaw, Poland, otters and fish?"


@pytest_asyncio.fixture
async def taught(tmp_path: Path) -> AsyncIterator[TaughtCollection]:
    collection = TaughtCollection(tmp_path)
    yield collection
    await collection.retriever.close()


async def test_what_was_written_but_never_followed_is_found_at_the_next_start(
    taught: TaughtCollection,
) -> None:
    await taught.learn("Marie Curie", *CURIE)
    await taught.teach("Otters", *OTTER)
    assert ("otter", "eats", "fish") not in told(await taught.ask(ABOUT_ALL))
    await taught.restart()
    assert ("otter", "eats", "fish") in told(await taught.ask(ABOUT_ALL))


async def test_following_twice_is_following_once(taught: TaughtCollection) -> None:
    document = await taught.learn("Marie Curie", *CURIE)
    once = await taught.ask(ABOUT_ALL)
    await taught.retriever.follow(taught.collection, [document, document])
    await taught.retriever.follow(taught.collection, [document])
    assert await taught.ask(ABOUT_ALL) == once


@pytest.mark.parametrize("times", [1, 40, 80, 300])
async def test_equal_records_are_indexed_once_however_many_there_are(
    taught: TaughtCollection, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = await taught.learn("Marie Curie", *CURIE)
    steps: list[int] = []
    put = CollectionIndex.put

    def counted(index: CollectionIndex, changes: IndexChanges) -> None:
        steps.append(len(changes.chunks) + len(changes.entities) + len(changes.readings))
        put(index, changes)

    monkeypatch.setattr(CollectionIndex, "put", counted)
    await taught.retriever.follow(taught.collection, [document])
    once = steps[:]
    await taught.retriever.follow(taught.collection, [document] * times)
    assert steps == once * 2


@pytest.mark.parametrize("method", ["graph", "bm25", "topic-star"])
async def test_what_is_indexed_in_steps_equals_what_is_built_at_once(
    taught: TaughtCollection, method: str
) -> None:
    for title, said in (("Marie Curie", CURIE), ("Warsaw", WARSAW), ("Otters", OTTER)):
        await taught.learn(title, *said)
    in_steps = await taught.ask(ABOUT_ALL, method=method)
    await taught.retriever.forget(taught.collection)
    assert not (taught.folder / "index" / taught.collection).exists()
    assert await taught.ask(ABOUT_ALL, method=method) == in_steps


async def test_what_left_the_store_is_no_longer_found(taught: TaughtCollection) -> None:
    gone = await taught.learn("Marie Curie", *CURIE)
    await taught.empty()
    assert (await taught.ask(ABOUT_ALL)).edges == ()
    await taught.retriever.follow(taught.collection, [gone])
    left = await taught.ask(ABOUT_ALL)
    assert (left.seeds, left.edges, left.chunks, left.documents) == ((), (), (), ())


async def test_as_many_subgraphs_as_before_but_others_are_noticed(taught: TaughtCollection) -> None:
    await taught.learn("Marie Curie", *CURIE)
    await taught.empty()
    await taught.teach("Otters", *OTTER)
    await taught.restart()
    assert told(await taught.ask(ABOUT_ALL)) == [("otter", "eats", "fish")]


@pytest.mark.parametrize("part", ["chunks", "readings", "entities"])
@pytest.mark.parametrize("damage", ["missing", "meta", "truncated", "overwritten"])
async def test_a_damaged_index_is_built_anew(taught: TaughtCollection, part: str, damage: str) -> None:
    await taught.learn("Marie Curie", *CURIE)
    await taught.learn("Otters", *OTTER)
    whole = await taught.ask(ABOUT_ALL)
    await taught.retriever.close()
    _damage(taught.folder / "index" / taught.collection / part, damage)
    taught.retriever = taught.reopened()
    assert await taught.ask(ABOUT_ALL) == whole


def _damage(folder: Path, damage: str) -> None:
    for file in sorted(folder.iterdir()):
        is_data = file.suffix in (".idx", ".term", ".store", ".pos", ".fast", ".fieldnorm")
        match damage:
            case "missing":
                file.unlink()
            case "meta" if file.name == "meta.json":
                file.write_text("{")
            case "truncated" if is_data:
                file.write_bytes(file.read_bytes()[:20])
            case "overwritten" if is_data:
                file.write_bytes(b"\xff" * file.stat().st_size)


@pytest.mark.parametrize("content", ['{"version": 0}', "{}", "[]", "not JSON"])
async def test_an_index_of_another_version_is_built_anew(taught: TaughtCollection, content: str) -> None:
    await taught.learn("Otters", *OTTER)
    await taught.retriever.close()
    schema = taught.folder / "index" / taught.collection / "schema.json"
    assert json.loads(schema.read_text())["version"] >= 1
    schema.write_text(content)
    taught.retriever = taught.reopened()
    assert told(await taught.ask("otter")) == [("otter", "eats", "fish")]


async def test_a_crash_between_two_indexes_is_mended(
    taught: TaughtCollection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await taught.learn("Otters", *OTTER)
    document = await taught.teach("Marie Curie", *CURIE)

    def crash(index: CollectionIndex) -> None:
        index.entities.commit()
        index.readings.commit()
        raise RuntimeError("the power went")

    with monkeypatch.context() as patched:
        patched.setattr(CollectionIndex, "commit", crash)
        with pytest.raises(RuntimeError, match="the power went"):
            await taught.retriever.follow(taught.collection, [document])
    await taught.restart()
    edges = (await taught.ask(ABOUT_ALL)).edges
    assert {(edge.labels.object, edge.support) for edge in edges} == {
        ("polonium", 1),
        ("Warsaw", 1),
        ("fish", 1),
    }


async def test_an_index_that_is_cut_off_while_it_changes_is_closed_when_the_change_has_ended(
    taught: TaughtCollection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await taught.learn("Otters", *OTTER)
    document = await taught.teach("Marie Curie", *CURIE)
    begun, may_go_on = threading.Event(), threading.Event()
    put = CollectionIndex.put

    def slowly(index: CollectionIndex, changes: IndexChanges) -> None:
        begun.set()
        may_go_on.wait(60)
        put(index, changes)

    with monkeypatch.context() as patched:
        patched.setattr(CollectionIndex, "put", slowly)
        following = asyncio.create_task(taught.retriever.follow(taught.collection, [document]))
        await asyncio.to_thread(begun.wait, 60)
        for _ in range(2):
            following.cancel()
            await asyncio.sleep(0.05)
        restart = asyncio.create_task(taught.restart())
        await asyncio.sleep(0.05)
        assert not following.done()
        assert not restart.done()
        may_go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await following
        await restart
    edges = (await taught.ask(ABOUT_ALL)).edges
    assert sorted(edge.labels.object for edge in edges) == ["Warsaw", "fish", "polonium"]


@pytest.mark.parametrize("method", ["graph", "bm25", "topic-star"])
async def test_a_question_hears_nothing_of_a_commit_in_its_midst(
    taught: TaughtCollection, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """What it found first would be something else by then, or nowhere."""
    gone = await taught.learn("Marie Curie", *CURIE)
    for title, said in (("Warsaw", WARSAW), ("Otters", OTTER)):
        await taught.learn(title, *said)
    before = await taught.ask(ABOUT_ALL, method=method)
    index = taught.retriever._follower._open[taught.collection]
    search, commits = KeywordIndex.search, iter([index])

    def searching(searched: KeywordIndex, query: Query, limit: int) -> list[tuple[float, Address]]:
        found = search(searched, query, limit)
        for changed in commits if found else ():
            changed.put(IndexChanges(documents=[gone.value]))
            changed.commit()
        return found

    monkeypatch.setattr(KeywordIndex, "search", searching)
    assert await taught.ask(ABOUT_ALL, method=method) == before
    assert next(commits, None) is None
    assert taught.retriever._follower._open[taught.collection] is index, "it was taken for damaged"


async def test_many_documents_are_committed_once(
    taught: TaughtCollection, monkeypatch: pytest.MonkeyPatch
) -> None:
    commits: list[CollectionIndex] = []
    commit = CollectionIndex.commit

    def counted(index: CollectionIndex) -> None:
        commits.append(index)
        commit(index)

    monkeypatch.setattr(index_sync, "DOCUMENTS_AT_ONCE", 2)
    monkeypatch.setattr(CollectionIndex, "commit", counted)
    documents = [await taught.teach(f"Otters {index}", *OTTER) for index in range(7)]
    await taught.retriever.follow(taught.collection, documents)
    assert len(commits) == 1
    assert (await taught.ask("otter")).edges[0].support == 7


async def test_building_the_index_anew_finds_the_same_and_tells_how_far_it_is(
    taught: TaughtCollection,
) -> None:
    await taught.learn("Marie Curie", *CURIE)
    before = await taught.ask(ABOUT_ALL)
    steps = [(step.done, step.total) async for step in taught.retriever.reindex("default")]
    assert (steps[0][0], steps[-1][0]) == (0, steps[-1][1])
    assert steps[-1][1] > 0
    assert await taught.ask(ABOUT_ALL) == before


async def test_an_index_that_was_broken_off_while_it_was_built_anew_is_whole_at_the_next_use(
    taught: TaughtCollection,
) -> None:
    await taught.learn("Marie Curie", *CURIE)
    before = await taught.ask(ABOUT_ALL)
    steps = taught.retriever.reindex("default")
    await anext(steps)
    await steps.aclose()
    assert await taught.ask(ABOUT_ALL) == before


async def test_a_replica_finds_out_what_another_process_wrote_and_took_away(
    taught: TaughtCollection, tmp_path: Path
) -> None:
    collection = taught
    await collection.learn("Marie Curie", *CURIE)
    replica = GraphRetriever(collection.store, collection.library, tmp_path / "replica")
    asked = RetrievalRequest("What is Warsaw?")
    before = await replica.retrieve(asked)
    document = await collection.teach("Warsaw", *WARSAW)
    assert await replica.retrieve(asked) == before
    await replica.agree()
    assert document in [hit.document for hit in (await replica.retrieve(asked)).documents]
    assert replica.age_s < 60
    await collection.empty()
    await replica.agree()
    assert (await replica.retrieve(asked)).documents == ()
    await replica.close()
