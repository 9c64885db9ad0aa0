"""The characters of a text that answer a question, by the network (as in SQuAD: Rajpurkar et al. 2016, 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from provgraph.comprehension.network import PairScores, network

LONGEST_ANSWER: Final = 30
"""Word pieces of the longest answer."""


MOST_SPANS: Final = 5
"""Spans of a text that are told apart where it is asked whether any answers."""


MOST_KEPT: Final = 4_096
_KEPT: Final[dict[tuple[str, str], float]] = {}


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """Characters `start` to `end` (exclusive) of a text; `chance` is among all spans of it and none."""

    start: int
    end: int
    text: str
    chance: float


def answer_spans(question: str, texts: Sequence[str], most: int = 5) -> list[list[AnswerSpan]]:
    """For each text at most `most` spans, the likeliest first; about 150 words of a text are read."""
    scores = network().scores([(question, text) for text in texts])
    return [_likeliest(each, text, most) for each, text in zip(scores, texts, strict=True)]


def answer_chance(question: str, text: str) -> float:
    """How likely a text answers a question at all (0…1): what is left of the chance that none of its spans does."""
    (scores,) = network().scores([(question, text)])
    return sum(each.chance for each in _likeliest(scores, text, MOST_SPANS))


def answer_chances(question: str, texts: Sequence[str]) -> list[float]:
    """The same for several texts, read beside each other; those of the last few thousand are kept."""
    kept = [_KEPT.get((question, text)) for text in texts]
    new = list(dict.fromkeys(text for text, chance in zip(texts, kept, strict=True) if chance is None))
    spans = answer_spans(question, new, MOST_SPANS)
    read = {text: sum(each.chance for each in own) for text, own in zip(new, spans, strict=True)}
    chances = [read[text] if chance is None else chance for text, chance in zip(texts, kept, strict=True)]
    for text, chance in zip(texts, chances, strict=True):
        _KEPT[question, text] = chance
    while len(_KEPT) > MOST_KEPT:
        _KEPT.pop(next(iter(_KEPT)), None)
    return chances


def _likeliest(scores: PairScores, text: str, most: int) -> list[AnswerSpan]:
    count = len(scores.pieces)
    if not count:
        return []
    sums = scores.starts[:, None] + scores.ends[None, :]
    allowed = np.triu(np.ones((count, count), bool)) & ~np.triu(np.ones((count, count), bool), LONGEST_ANSWER)
    sums = np.where(allowed, sums, -np.inf)
    highest = max(float(sums.max()), scores.nothing)
    shares = np.exp(sums - highest)
    whole = float(shares.sum()) + float(np.exp(scores.nothing - highest))
    best = np.argsort(shares, axis=None)[::-1][:most]
    found = []
    for flat in best.tolist():
        first, last = divmod(flat, count)
        start, end = scores.pieces[first].start, scores.pieces[last].end
        found.append(AnswerSpan(start, end, text[start:end], float(shares[first, last]) / whole))
    return found
