"""A pipeline of spaCy behind the parser's port; skipped where spaCy or the pipeline is not installed."""

from __future__ import annotations

import importlib.util

import pytest

from provgraph.errors import ModelRefused
from provgraph.language.sentences import sentence_spans
from provgraph.reading.spacy_parser import SpacyParser
from provgraph.reading.trees import flat_heads, is_tree

HAS_SPACY = importlib.util.find_spec("spacy") is not None


def _parser(language: str) -> SpacyParser:
    try:
        return SpacyParser(language)
    except ModelRefused as refusal:
        pytest.skip(str(refusal))


@pytest.mark.skipif(HAS_SPACY, reason="spaCy is installed, so its absence cannot be seen")
def test_without_spacy_the_error_says_what_to_install() -> None:
    with pytest.raises(ModelRefused, match=r"provgraph\[spacy\]"):
        SpacyParser("en")


@pytest.mark.skipif(not HAS_SPACY, reason="spaCy is not installed")
def test_a_language_without_a_pipeline_is_named() -> None:
    with pytest.raises(ModelRefused, match="'xx'"):
        SpacyParser("xx")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Ada Novak  was a chemist. \n She founded Lab Co. in Rome, and it was sold by her."),
        ("fr", "Ada Novak est née à Lyon. Elle a fondé la société en 1967."),
        ("es", "Ada Novak nació en Sevilla. Fundó la empresa en 1967."),
    ],
)
def test_tokens_are_exact_and_trees_have_one_root(language: str, text: str) -> None:
    parser = _parser(language)
    spans = sentence_spans(text)
    sentences = parser.parse(text, spans)
    assert [(sentence.start, sentence.end) for sentence in sentences] == spans
    for sentence in sentences:
        assert all(text[token.start : token.end] == token.text for token in sentence.tokens)
        assert is_tree([token.head for token in sentence.tokens])
        assert not {"dobj", "pobj", "prep", "attr", "ROOT"} & {token.relation for token in sentence.tokens}


def test_english_speaks_universal_dependencies() -> None:
    text = "The lab was founded by Ada Novak."
    [sentence] = _parser("en").parse(text, [(0, len(text))])
    relations = {token.text: token.relation for token in sentence.tokens}
    assert [relations[word] for word in ("lab", "was", "Novak")] == ["nsubj:pass", "aux:pass", "obl:agent"]


def test_a_sentence_of_noise_is_given_a_flat_tree() -> None:
    text = "a " * 1000
    [sentence] = _parser("en").parse(text, [(0, len(text))])
    assert [token.head for token in sentence.tokens] == flat_heads(1000)
