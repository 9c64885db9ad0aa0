"""A cross-encoder as reranker: a real one, of random weights, where the library is installed."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from provgraph.adapters.sentence_transformers_models import CrossEncoderReranker
from provgraph.errors import ModelRefused

HAS_LIBRARY = importlib.util.find_spec("sentence_transformers") is not None
TEXTS = ["Polonium was found by Marie Curie.", "Otters eat fish.", ""] * 20


@pytest.mark.skipif(HAS_LIBRARY, reason="sentence-transformers is installed")
async def test_without_the_library_no_text_gets_a_score_and_the_reason_is_told() -> None:
    scores = await CrossEncoderReranker("tiny").score("Who found polonium?", TEXTS)
    assert scores.values == (None,) * len(TEXTS)
    assert isinstance(scores.failure, ModelRefused)
    assert "pip install" in str(scores.failure)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A BERT of two layers and random weights, in the form that the library loads."""
    transformers = pytest.importorskip("transformers")
    words = "[PAD] [UNK] [CLS] [SEP] [MASK] who found polonium was by marie curie otters eat fish . ?".split()
    (tmp_path / "vocab.txt").write_text("\n".join(words))
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "BertTokenizer"}))
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    config = transformers.BertConfig(vocab_size=len(words), num_labels=1, **sizes)
    transformers.BertForSequenceClassification(config).save_pretrained(tmp_path)
    transformers.BertTokenizer(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    return tmp_path


@pytest.mark.filterwarnings("ignore")
async def test_each_text_gets_a_score_in_order(tiny: Path) -> None:
    reranker = CrossEncoderReranker(str(tiny))
    scores = await reranker.score("Who found polonium?", TEXTS)
    assert scores.failure is None
    assert [value is not None and 0 <= value <= 10 for value in scores.values] == [True] * len(TEXTS)
    assert scores.values[:3] == pytest.approx(scores.values[3:6], abs=0.02)
    assert not reranker.by_language_model


@pytest.mark.skipif(not HAS_LIBRARY, reason="sentence-transformers is not installed")
@pytest.mark.filterwarnings("ignore")
async def test_a_model_that_is_not_there_is_told(tmp_path: Path) -> None:
    scores = await CrossEncoderReranker(str(tmp_path / "none")).score("Who found polonium?", TEXTS)
    assert scores.values == (None,) * len(TEXTS)
    assert isinstance(scores.failure, ModelRefused)
