"""How likely a reader would call a claim attributable to its sources, by the words that they share.

A chance and no verdict: a long claim is mostly attributable where one passage has most of its words, but a claim that
is false by one word has them, too. The weights in `attributable.json` are fitted by
`benchmarks/fit_verdicts.py` on claims of answers by models with the references that they were given.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from provgraph.language.terms import content_terms
from provgraph.verdicts.judgement import Judgement
from provgraph.verdicts.texts import TextMeaning

WEIGHTS: Final = Path(__file__).with_name("attributable.json")
NAMES: Final = (
    "in one sentence", "in three sentences", "in one text", "in all texts", "pairs of words", "names", "numbers",
    "words that none has", "length",
)  # fmt: skip
HIGHEST: Final = 0.97
_WINDOW: Final = 3
_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][\w'-]+")
_NUMBER: Final = re.compile(r"\d(?:[\d,.]*\d)?")


def attributable(claim: str, texts: Sequence[TextMeaning], judgement: Judgement) -> float:
    """The chance, 0 to 1, that the texts are where the claim is from: its verdict decides where it is surer."""
    scores = zip(NAMES, shared_words(claim, texts), strict=True)
    chance = 1 / (
        1 + math.exp(-sum(_weights()[name] * value for name, value in scores) - _weights()["constant"])
    )
    if judgement.label == "SUPPORTS":
        chance = max(chance, judgement.confidence)
    if judgement.label == "REFUTES":
        chance = min(chance, 1 - judgement.confidence)
    return round(min(chance, HIGHEST), 2)


def shared_words(claim: str, texts: Sequence[TextMeaning]) -> list[float]:
    """The values named in `NAMES`: shares of the claim's words, of its names and of its numbers."""
    terms = list(content_terms(claim))
    words, pairs = frozenset(terms), frozenset(pairwise(terms))
    by_text = [text.terms_of_sentences for text in texts]
    said = frozenset(term for sentences in by_text for sentence in sentences for term in sentence)
    sentences = [sentence for sentences in by_text for sentence in sentences]
    windows = [
        [term for sentence in sentences[at : at + _WINDOW] for term in sentence]
        for sentences in by_text for at in range(len(sentences))
    ]  # fmt: skip
    wholes = [[term for sentence in sentences for term in sentence] for sentences in by_text]
    plain = " ".join(text.evidence.text for text in texts).casefold()
    return [
        *(max((_share(words, some) for some in parts), default=0.0) for parts in (sentences, windows, wholes)),
        _share(words, said),
        max((len(pairs.intersection(pairwise(each))) / (len(pairs) or 1) for each in sentences), default=0.0),
        _met(_NAME.findall(claim), plain),
        _met(_NUMBER.findall(claim), plain),
        min(len(words - said), 5) / 5,
        math.log1p(len(words)) / 3,
    ]  # fmt: skip


def _share(words: frozenset[str], some: Sequence[str] | frozenset[str]) -> float:
    return len(words.intersection(some)) / (len(words) or 1)


def _met(parts: Sequence[str], plain: str) -> float:
    """The share of names or numbers that the texts have, 1 where the claim has none."""
    return sum(part.casefold() in plain for part in parts) / len(parts) if parts else 1.0


@cache
def _weights() -> dict[str, float]:
    return dict(json.loads(WEIGHTS.read_text("utf-8")))
