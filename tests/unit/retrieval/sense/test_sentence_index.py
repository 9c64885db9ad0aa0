"""Vectors of sentences come and go with their documents, are small on disk, and damage in them is noticed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from provgraph.retrieval.keyword_index import DamagedIndex
from provgraph.retrieval.sense import sentences
from provgraph.retrieval.sense.sentence_index import SentenceIndex
from provgraph.retrieval.sense.sentence_rows import EXACT_UP_TO, SentenceRows
from provgraph.retrieval.sense.sentences import (
    MOST_OF_A_CHUNK,
    EmbeddedChunk,
    SentenceChanges,
    SentenceKey,
    embedded_spans,
)

DIMENSION = 128


def vector(text: str) -> np.ndarray:
    """The same for equal texts, and of no likeness for others."""
    row = np.random.default_rng(abs(hash(text)) % 2**32).normal(size=DIMENSION)
    return (row / np.linalg.norm(row)).astype(np.float32)


def changes(document: str, chunks: dict[str, Sequence[str]]) -> SentenceChanges:
    made = SentenceChanges([document], subgraphs=[(f"{document}/facts", document)])
    for iri, said in chunks.items():
        spans = tuple((10 * at, 10 * at + 5) for at in range(len(said)))
        made.chunks[iri] = EmbeddedChunk(iri, document, "", spans)
        made.texts |= {(iri, at): text for at, text in enumerate(said)}
    return made


def put(index: SentenceIndex, made: SentenceChanges) -> list[SentenceKey]:
    wanted = index.wanted(made)
    rows = [vector(made.texts[key]) for key in wanted]
    index.put(made, wanted, np.stack(rows) if rows else np.zeros((0, DIMENSION), np.float32))
    return wanted


@pytest.fixture
def index(tmp_path: Path) -> SentenceIndex:
    index = SentenceIndex(tmp_path)
    put(index, changes("tea", {"tea/1": ["green", "black"], "tea/2": ["white"]}))
    put(index, changes("mill", {"mill/1": ["water", "wind"]}))
    return index


def test_a_chunk_is_found_by_its_likest_sentence(index: SentenceIndex) -> None:
    found = index.nearest(vector("wind"), 5)
    assert next(iter(found)) == "mill/1"
    assert found["mill/1"] == pytest.approx(1, abs=0.01)


def test_each_sentence_of_a_chunk_tells_its_place_and_likeness(index: SentenceIndex) -> None:
    ((start, end, other), (later, _, same)) = index.likeness(vector("black"), ["tea/1", "unknown"])["tea/1"]
    assert (start, end, later) == (0, 5, 10)
    assert same == pytest.approx(1, abs=0.01)
    assert abs(other) < 0.5


def test_what_is_known_is_not_embedded_again(index: SentenceIndex) -> None:
    again = changes("tea", {"tea/1": ["green", "black"], "tea/3": ["red"]})
    assert put(index, again) == [("tea/3", 0)]
    assert index.count() == 3
    assert "tea/2" not in index.nearest(vector("white"), 9)


def test_a_removed_document_leaves_the_files(index: SentenceIndex, tmp_path: Path) -> None:
    index.remove(["tea"])
    assert index.subgraphs() == {"mill/facts"}
    index.close()
    numbers = np.fromfile(next(tmp_path.glob("*.i8")), np.int8).reshape(-1, DIMENSION)
    assert not numbers[:3].any()
    assert numbers[3:].any()


def test_rewriting_keeps_what_is_there_and_nothing_else(index: SentenceIndex, tmp_path: Path) -> None:
    index.remove(["tea"])
    index.rewrite()
    index.close()
    opened = SentenceIndex(tmp_path)
    assert len(list(tmp_path.glob("*.i8"))) == 1
    assert next(iter(opened.nearest(vector("water"), 1))) == "mill/1"
    assert next(tmp_path.glob("*.i8")).stat().st_size == 2 * DIMENSION


def test_rows_that_a_crash_left_are_taken_away_and_written_over(index: SentenceIndex, tmp_path: Path) -> None:
    index.close()
    file = next(tmp_path.glob("*.i8"))
    before = file.stat().st_size
    with file.open("ab") as open_file:
        open_file.write(bytes([7]) * DIMENSION)
    opened = SentenceIndex(tmp_path)
    assert file.stat().st_size == before
    put(opened, changes("new", {"new/1": ["fresh"]}))
    assert next(iter(opened.nearest(vector("fresh"), 1))) == "new/1"


def test_damage_is_noticed(index: SentenceIndex, tmp_path: Path) -> None:
    index.close()
    file = next(tmp_path.glob("*.i8"))
    content = bytearray(file.read_bytes())
    content[3] ^= 64
    file.write_bytes(content)
    with pytest.raises(DamagedIndex):
        SentenceIndex(tmp_path).likeness(vector("green"), ["tea/1"])
    file.write_bytes(content[:DIMENSION])
    with pytest.raises(DamagedIndex):
        SentenceIndex(tmp_path)


def test_of_many_rows_the_nearest_are_found_by_their_signs(tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    centres = chance.normal(size=(400, DIMENSION))
    many = centres[chance.integers(0, 400, EXACT_UP_TO + 3_000)] + 0.7 * chance.normal(
        size=(EXACT_UP_TO + 3_000, DIMENSION)
    )
    vectors = (many / np.linalg.norm(many, axis=1, keepdims=True)).astype(np.float32)
    rows = SentenceRows(tmp_path / "rows", DIMENSION, 0).appended(vectors)
    hits = 0
    for query in vectors[:50]:
        exact = set(np.argsort(-(vectors @ query))[:10].tolist())
        hits += len(exact & set(rows.nearest(query, 10)[0].tolist()))
    assert hits >= 0.95 * 500


def test_a_document_put_in_part_by_part_is_whole_in_the_end_and_complete_only_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentences, "MOST_AT_ONCE", 3)
    index, made = SentenceIndex(tmp_path), changes("long", {f"long/{at}": ["a", "b"] for at in range(5)})
    parts = list(made.in_parts(index.wanted(made)))
    assert [len(keys) for _, keys in parts] == [4, 4, 2]
    for some, keys in parts:
        assert not index.subgraphs()
        index.put(some, keys, np.stack([vector(made.texts[key]) for key in keys]))
    assert index.subgraphs() == {"long/facts"}
    assert index.count() == 5
    assert all(len(places) == 2 for places in index.likeness(vector("a"), list(made.chunks)).values())
    assert index.wanted(made) == []


def test_a_chunk_of_hundreds_of_lines_has_a_few_dozen_vectors() -> None:
    text = "\n\n".join(f"a{at}" for at in range(300))
    spans = embedded_spans(text)
    assert len(spans) <= MOST_OF_A_CHUNK
    assert (spans[0][0], spans[-1][1]) == (0, len(text))
    assert embedded_spans("Curie found radium. She left.") == [(0, 19), (20, 29)]
