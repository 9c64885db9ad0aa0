"""Which sentences the network reads together: one and its neighbours, as many as it was trained to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

MOST_WORDS: Final = 90
MOST_SENTENCES: Final = 5


def around(text: str, sentences: Sequence[tuple[int, int]], number: int) -> tuple[int, int]:
    """The characters of `text` to read with the sentence of that number; `sentences` are the spans of all."""
    counts = [text.count(" ", start, end) + 1 for start, end in sentences]
    first = last = number
    words = counts[number]
    grew = True
    while grew:
        grew = False
        for each in (first - 1, last + 1):
            within = 0 <= each < len(counts) and last - first + 1 < MOST_SENTENCES
            if within and words + counts[each] <= MOST_WORDS:
                first, last, words, grew = min(first, each), max(last, each), words + counts[each], True
    return sentences[first][0], sentences[last][1]
