"""The characters of a text that answer a question, by the network (as in SQuAD: Rajpurkar et al. 2016, 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from provgraph.comprehension.network import Numbers, PairScores, network

LONGEST_ANSWER: Final = 30
"""Word pieces of the longest answer."""


MOST_SPANS: Final = 5
"""Spans of a text that are told apart where it is asked whether any answers."""


MOST_KEPT: Final = 4_096
_KEPT: Final[dict[tuple[str, str], list[AnswerSpan]]] = {}
"""The spans of the last texts that were read, as the steps of an answer read the same windows for one question."""
_MOST_KEPT_SPANS: Final = 6


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """Characters `start` to `end` (exclusive) of a text; `chance` is among all spans of it and none."""

    start: int
    end: int
    text: str
    chance: float


def answer_spans(question: str, texts: Sequence[str], most: int = 5) -> list[list[AnswerSpan]]:
    """For each text at most `most` spans, the likeliest first; about 150 words of a text are read."""
    kept = (
        [_KEPT.get((question, text)) for text in texts] if most <= _MOST_KEPT_SPANS else [None] * len(texts)
    )
    new = list(dict.fromkeys(text for text, spans in zip(texts, kept, strict=True) if spans is None))
    scores = network().scores([(question, text) for text in new]) if new else []
    read = {
        text: _likeliest(each, text, max(most, _MOST_KEPT_SPANS))
        for each, text in zip(scores, new, strict=True)
    }
    for text, spans in read.items():
        _KEPT[question, text] = spans[:_MOST_KEPT_SPANS]
    while len(_KEPT) > MOST_KEPT:
        _KEPT.pop(next(iter(_KEPT)), None)
    found = (read[text] if spans is None else spans for text, spans in zip(texts, kept, strict=True))
    return [spans[:most] for spans in found]


def answer_chance(question: str, text: str) -> float:
    """How likely a text answers a question at all (0…1): what is left of the chance that none of its spans does."""
    (chance,) = answer_chances(question, [text])
    return chance


def answer_chances(question: str, texts: Sequence[str]) -> list[float]:
    """The same for several texts."""
    return [sum(span.chance for span in spans) for spans in answer_spans(question, texts, MOST_SPANS)]


def _likeliest(scores: PairScores, text: str, most: int) -> list[AnswerSpan]:
    count = len(scores.pieces)
    if not count:
        return []
    sums = _sums(scores)
    highest = max(float(sums.max()), scores.nothing)
    shares = np.exp(sums - highest)
    whole = float(shares.sum()) + float(np.exp(scores.nothing - highest))
    spans = []
    for flat in _highest(shares.ravel(), min(most, np.isfinite(sums).sum())):
        first, length = divmod(flat, sums.shape[1])
        start, end = scores.pieces[first].start, scores.pieces[first + length].end
        spans.append(AnswerSpan(start, end, text[start:end], float(shares[first, length]) / whole))
    return spans


def _sums(scores: PairScores) -> Numbers:
    """For each first piece of a span, and each number of pieces behind it: the scores of its start and end together."""
    count = len(scores.pieces)
    longest = min(LONGEST_ANSWER, count)
    ends = np.append(scores.ends, np.full(longest - 1, -np.inf, np.float32))
    return scores.starts[:, None] + sliding_window_view(ends, longest)


def _highest(numbers: Numbers, most: int) -> list[int]:
    """The places of the highest, the highest first."""
    kept = np.argpartition(numbers, len(numbers) - most)[len(numbers) - most :]
    order: list[int] = kept[np.argsort(-numbers[kept], kind="stable")].tolist()
    return order
