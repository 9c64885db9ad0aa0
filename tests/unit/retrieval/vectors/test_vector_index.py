"""Vectors on disk: what is found, what is removed, and what a crash or damage leaves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.retrieval.keyword_index import DamagedIndex
from provgraph.retrieval.vectors import vector_index
from provgraph.retrieval.vectors.items import CHUNK, VectorChanges
from provgraph.retrieval.vectors.vector_file import grouped
from provgraph.retrieval.vectors.vector_index import VectorIndex

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors

DIMENSION = 16


def unit(count: int, seed: int = 0) -> Vectors:
    vectors: Vectors = np.random.default_rng(seed).normal(size=(count, DIMENSION)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


VECTORS = unit(5000)


def put(index: VectorIndex, document: str, numbers: range) -> int:
    """A document whose chunks have the vectors of those numbers; returns how many of them were new."""
    changes = VectorChanges([document], subgraphs=[(f"{document}/subgraph", document)])
    for number in numbers:
        changes.add(CHUNK, f"text {number}", (f"chunk {number}", document), (f"chunk {number}", document))
    wanted = index.wanted(changes)
    places = [int(changes.texts[key].removeprefix("text ")) for key in wanted]
    index.put(changes, wanted, VECTORS[places])
    return len(wanted)


def found(index: VectorIndex, number: int, limit: int = 3) -> list[str]:
    return [near.item.iri for near in index.nearest(CHUNK, VECTORS[number], limit)]


@pytest.fixture
def index(tmp_path: Path) -> Iterator[VectorIndex]:
    index = VectorIndex(tmp_path / "v")
    yield index
    index.close()


def read_through(folder: Path) -> None:
    index = VectorIndex(folder)
    index.nearest(CHUNK, VECTORS[99], 5)
    index.subgraphs()


def reopened(index: VectorIndex, tmp_path: Path) -> VectorIndex:
    index.close()
    return VectorIndex(tmp_path / "v")


def test_an_index_without_vectors_finds_nothing(index: VectorIndex) -> None:
    assert index.nearest(CHUNK, VECTORS[0], 5) == []


def test_the_nearest_are_those_of_the_greatest_inner_product(index: VectorIndex) -> None:
    put(index, "a", range(300))
    nearest = index.nearest(CHUNK, VECTORS[7], 10)
    products = VECTORS[:300] @ VECTORS[7]
    assert [near.item.iri for near in nearest] == [f"chunk {at}" for at in np.argsort(-products)[:10]]
    assert [near.score for near in nearest] == pytest.approx(np.sort(products)[::-1][:10].tolist(), abs=1e-5)


def test_what_has_a_vector_is_not_wanted_again(index: VectorIndex, tmp_path: Path) -> None:
    assert put(index, "a", range(10)) == 10
    assert put(index, "a", range(10)) == 0
    index = reopened(index, tmp_path)
    assert put(index, "b", range(5, 12)) == 2
    assert {near.item.document for near in index.nearest(CHUNK, VECTORS[6], 1)} == {"a", "b"}
    index.close()


def test_a_text_that_two_documents_have_survives_the_removal_of_one(index: VectorIndex) -> None:
    put(index, "a", range(10))
    put(index, "b", range(5, 12))
    index.remove(["a"])
    assert found(index, 6, 1) == ["chunk 6"]
    assert "chunk 1" not in found(index, 1, 20)
    assert index.subgraphs() == {"b/subgraph"}


def test_a_removed_vector_is_nowhere_on_the_disk(index: VectorIndex, tmp_path: Path) -> None:
    put(index, "a", range(10))
    put(index, "b", range(10, 12))
    assert any(VECTORS[3].tobytes() in file.read_bytes() for file in (tmp_path / "v").iterdir())
    index.remove(["a"])
    assert not any(VECTORS[3].tobytes() in file.read_bytes() for file in (tmp_path / "v").iterdir())


def test_a_crash_before_the_ledger_changes_nothing(
    index: VectorIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(index, "a", range(10))
    with monkeypatch.context() as patched:
        patched.setattr(index._ledger, "place", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            put(index, "b", range(10, 20))
    index = reopened(index, tmp_path)
    assert index.subgraphs() == {"a/subgraph"}
    assert put(index, "b", range(10, 20)) == 10
    for number in range(20):
        assert found(index, number, 1) == [f"chunk {number}"]
    index.close()


def test_a_crash_before_erasing_is_made_good_at_the_next_opening(
    index: VectorIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(index, "a", range(10))
    put(index, "b", range(10, 20))
    with monkeypatch.context() as patched:
        patched.setattr(VectorIndex, "_erase", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            index.remove(["a"])
    index = reopened(index, tmp_path)
    assert not any(VECTORS[3].tobytes() in file.read_bytes() for file in (tmp_path / "v").iterdir())
    assert found(index, 12, 1) == ["chunk 12"]
    index.close()


@pytest.mark.parametrize("file", ["chunk-0.f32", "ledger.sqlite"])
@pytest.mark.parametrize("damage", ["truncated", "overwritten", "missing"])
def test_damage_is_noticed(index: VectorIndex, tmp_path: Path, file: str, damage: str) -> None:
    put(index, "a", range(100))
    index.close()
    path = tmp_path / "v" / file
    if damage == "missing":
        path.unlink()
        if file == "ledger.sqlite":
            return  # an empty ledger is an index that has nothing: what follows the store fills it
    else:
        size = path.stat().st_size
        path.write_bytes(path.read_bytes()[: size // 2] if damage == "truncated" else b"\xff" * size)
    with pytest.raises(DamagedIndex):
        read_through(tmp_path / "v")


def test_many_vectors_are_kept_in_lists_and_still_found(
    index: VectorIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_index, "EXACT_UP_TO", 1000)
    for start in range(0, 5000, 500):
        put(index, f"document {start}", range(start, start + 500))
    assert (tmp_path / "v").joinpath("chunk-0.f32").exists() is False
    index = reopened(index, tmp_path)
    assert all(found(index, number, 1) == [f"chunk {number}"] for number in range(0, 5000, 50))
    index.remove(["document 500"])
    assert "chunk 600" not in found(index, 600, 10)
    assert put(index, "document 500", range(500, 1000)) == 500
    assert found(index, 600, 1) == ["chunk 600"]
    index.close()


def test_rows_that_were_erased_are_left_out_when_the_file_is_written_anew(
    index: VectorIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_index, "LEAST_REWRITTEN", 10)
    put(index, "a", range(100))
    put(index, "b", range(100, 120))
    index.remove(["a"])
    assert sum(file.stat().st_size for file in (tmp_path / "v").glob("chunk-*.f32")) == 20 * DIMENSION * 4
    assert [found(index, number, 1) for number in (100, 119)] == [["chunk 100"], ["chunk 119"]]


@given(st.integers(1, 400), st.integers(0, 5))
def test_every_row_is_in_one_list(count: int, seed: int) -> None:
    vectors = unit(count, seed)
    order, lists = grouped(vectors)
    assert sorted(order.tolist()) == list(range(count))
    assert lists.covered == count
    spans = lists.nearest(vectors[0], len(lists.centroids))
    assert sum(end - start for start, end in spans) == count
