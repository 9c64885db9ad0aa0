"""Whether a sentence is English prose, and short enough to be one; all else gives no facts."""

from __future__ import annotations

from provgraph.extraction.model_free.lexicon import lexicon
from provgraph.extraction.model_free.sentence import Sentence
from provgraph.extraction.model_free.word_classes import FUNCTION_WORDS

MAX_SENTENCE = 1200
MAX_TOKENS = 160
_KNOWN_SHARE = 0.6


def is_prose(text: str, start: int, end: int) -> bool:
    """Whether this is a sentence of English prose and not a table, a heading, code or another language."""
    if end - start > MAX_SENTENCE or end - start < 8 or text[end - 1] == "?":
        return False
    words = text[start:end]
    letters = sum(1 for c in words if c.isalpha())
    latin = sum(1 for c in words if "a" <= c <= "z" or "A" <= c <= "Z")
    if latin < 0.5 * (end - start) or latin < 0.8 * letters:
        return False
    lower = sum(1 for c in words if c.islower())
    return lower >= 0.5 * letters


def is_english(sentence: Sentence) -> bool:
    """Whether most of the words without a capital are in the English lexicon."""
    if len(sentence.tokens) > MAX_TOKENS:
        return False
    tags = lexicon().tags
    words = [token.lower for token in sentence.tokens if token.text.isalpha() and token.text.islower()]
    known = sum(tags.get(word, "FW") not in ("FW", "NNP") for word in words)
    share = _KNOWN_SHARE if FUNCTION_WORDS.isdisjoint(words) else _KNOWN_SHARE / 2
    return known >= share * len(words) or 1 <= known == len(words) - 1
