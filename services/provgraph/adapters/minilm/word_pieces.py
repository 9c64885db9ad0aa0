"""Text → the word pieces of an uncased BERT vocabulary (Devlin et al. 2019; Wu et al. 2016, section 4.1)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

START, END, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
_LONGEST_WORD: Final = 100
_ASCII_MARKS: Final = r"!-/:-@\[-`{-~"
_IDEOGRAPHS: Final = "㐀-䶿一-鿿豈-﫿\U00020000-\U0002a6df\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f"
_TOKEN: Final = re.compile(rf"[{_IDEOGRAPHS}{_ASCII_MARKS}]|[^\s{_IDEOGRAPHS}{_ASCII_MARKS}]+")


class WordPieces:
    """The pieces of `vocabulary`, whose places in it are their numbers."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self._start, self._end = self._numbers[START], self._numbers[END]
        self._of_word = lru_cache(maxsize=100_000)(self._pieces)

    def numbers(self, text: str, most: int) -> list[int]:
        """The numbers of the text's pieces between start and end marks, at most `most` of them in all."""
        found: list[int] = []
        for word in _words(text[: most * _LONGEST_WORD]):
            found += self._of_word(word)
            if len(found) >= most - 2:
                break
        return [self._start, *found[: most - 2], self._end]

    def _pieces(self, word: str) -> tuple[int, ...]:
        """The longest pieces from the left; a word that is not made of pieces is one unknown piece."""
        found: list[int] = []
        start = 0
        while start < len(word) <= _LONGEST_WORD:
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self._numbers), 0)
            if not end:
                break
            found.append(self._numbers[mark + word[start:end]])
            start = end
        return tuple(found) if start == len(word) else (self._numbers[UNKNOWN],)


def _words(text: str) -> list[str]:
    """Words and single marks of punctuation, in lower case, without accents and control characters."""
    if not text.isascii():
        folded = unicodedata.normalize("NFD", text.lower())
        text = "".join(_plain(char) for char in folded)
    return _TOKEN.findall(text.lower())


def _plain(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Mn" or (category in ("Cc", "Cf", "Co") and not char.isspace()) or char == "\ufffd":
        return ""
    return f" {char} " if category.startswith("P") else char
