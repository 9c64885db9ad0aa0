"""Indexes are derived: whatever happens to them, they agree with the store again at the next question."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from provgraph.ports.retriever import RetrievalRequest, RetrievalResult
from provgraph.retrieval.pipeline import GraphRetriever
from unit.retrieval.ingested import ingest, ingested, opened, retrieve

CURIE = "Marie Curie discovered polonium in 1898. Marie Curie studied in Paris."
CHADWICK = "James Chadwick discovered the neutron in 1932."
QUESTION = "Who discovered polonium and the neutron?"


def told(result: RetrievalResult) -> object:
    """Everything of a result; scores of chunks but for the last digit, as a merge of segments may round it."""
    chunks = {hit.chunk.value: round(hit.score, 2) for hit in result.chunks}
    return result.terms, set(result.seeds), set(result.edges), chunks


def index_folder(folder: Path) -> Path:
    (index,) = [path.parent for path in folder.rglob("schema.json") if (path.parent / "facts").is_dir()]
    return index


def remove(index: Path) -> None:
    shutil.rmtree(index)


def fill_with_garbage(index: Path) -> None:
    for path in (index / "facts").iterdir():
        path.write_bytes(b"garbage")


def cut_the_segments(index: Path) -> None:
    for path in (index / "chunks").glob("*.store"):
        path.write_bytes(path.read_bytes()[:10])


def change_bytes_amid_the_segments(index: Path) -> None:
    for path in (index / "facts").glob("*.store"):
        content = path.read_bytes()
        path.write_bytes(b"\xff" * (len(content) // 2) + content[len(content) // 2 :])


def drop_one_index(index: Path) -> None:
    shutil.rmtree(index / "facts")


def claim_another_version(index: Path) -> None:
    (index / "schema.json").write_text(json.dumps({"version": 0}))


@pytest.mark.parametrize(
    "harm",
    [
        remove,
        fill_with_garbage,
        cut_the_segments,
        change_bytes_amid_the_segments,
        drop_one_index,
        claim_another_version,
    ],
)
async def test_a_harmed_index_is_made_anew_from_the_store(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    async with ingested(tmp_path, curie=CURIE, chadwick=CHADWICK) as assembly:
        before = told(await retrieve(assembly, QUESTION))
    harm(index_folder(tmp_path))
    async with opened(tmp_path) as assembly:
        assert told(await retrieve(assembly, QUESTION)) == before


async def test_what_was_stored_but_not_indexed_when_the_process_died_is_indexed_later(tmp_path: Path) -> None:
    async with ingested(tmp_path, curie=CURIE) as assembly:
        folder = index_folder(tmp_path)
    shutil.copytree(folder, tmp_path / "as-of-then")
    async with opened(tmp_path) as assembly:
        await ingest(assembly, chadwick=CHADWICK)
        expected = told(await retrieve(assembly, QUESTION))
    shutil.rmtree(folder)
    shutil.move(tmp_path / "as-of-then", folder)
    async with opened(tmp_path) as assembly:
        assert told(await retrieve(assembly, QUESTION)) == expected


async def test_an_index_that_knows_more_than_the_store_forgets_it(tmp_path: Path) -> None:
    async with ingested(tmp_path / "more", curie=CURIE, chadwick=CHADWICK):
        pass
    async with ingested(tmp_path / "less", curie=CURIE) as assembly:
        expected = told(await retrieve(assembly, QUESTION))
    shutil.rmtree(index_folder(tmp_path / "less"))
    shutil.copytree(index_folder(tmp_path / "more"), tmp_path / "less" / "index" / "default")
    async with opened(tmp_path / "less") as assembly:
        assert told(await retrieve(assembly, QUESTION)) == expected


async def test_an_index_grown_step_by_step_tells_what_one_made_at_once_does(tmp_path: Path) -> None:
    async with ingested(tmp_path, curie=CURIE) as assembly:
        await ingest(assembly, chadwick=CHADWICK)
        await ingest(assembly, again="Marie Curie discovered polonium in Paris.")
        grown = told(await retrieve(assembly, QUESTION))
        anew = GraphRetriever(assembly.store, assembly.library, tmp_path / "anew")
        from_store = await anew.retrieve(RetrievalRequest(QUESTION))
        await anew.close()
    assert told(from_store) == grown


async def test_indexing_a_document_twice_changes_nothing(tmp_path: Path) -> None:
    async with ingested(tmp_path, curie=CURIE, chadwick=CHADWICK) as assembly:
        before = told(await retrieve(assembly, QUESTION))
        await ingest(assembly, curie=CURIE)
        assert told(await retrieve(assembly, QUESTION)) == before


async def test_a_removed_collection_leaves_no_index(tmp_path: Path) -> None:
    async with ingested(tmp_path, curie=CURIE) as assembly:
        folder = index_folder(tmp_path)
        await assembly.retriever.forget("default")
        assert not folder.exists()
