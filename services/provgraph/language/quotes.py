"""Where the words stand that somebody says a text holds.

A quote is forgiven its white space, case, punctuation, hyphenation, ligatures, an ellipsis, and small slips: up to one
letter or digit in twelve may be missing, wrong or too many. What is found is the exact span in the text; what is not
found has not been said there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

Span = tuple[int, int]

LONGEST_GAP: Final = 400
"""Characters that an ellipsis may stand for."""

_ELLIPSIS: Final = re.compile(r"\[?(?:\.{3,}|…)\]?")
_SLIP_EVERY: Final = 12
_SHORTEST: Final = 3
_LONGEST: Final = 2_000


@dataclass(frozen=True)
class QuotableText:
    """A text made ready for the finding of many quotes."""

    text: str
    letters: str
    places: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> QuotableText:
        folded = list(_folded(text))
        return cls(text, "".join(letter for letter, _ in folded), tuple(place for _, place in folded))

    def find(self, quote: str) -> Span | None:
        """The span of `quote`: its first exact place, else its best one with small slips, else None."""
        parts = [letters for part in _ELLIPSIS.split(quote[:_LONGEST]) if (letters := _letters(part))]
        if sum(map(len, parts)) < _SHORTEST:
            return None
        spans: list[Span] = []
        for part in parts:
            found = self._find(part, spans[-1][1] if spans else 0)
            if found is None:
                return None
            spans.append(found)
        gaps = pairwise(spans)
        if any(later[0] - earlier[1] > LONGEST_GAP for earlier, later in gaps):
            return None
        return self.places[spans[0][0]], self.places[spans[-1][1] - 1] + 1

    def _find(self, letters: str, start: int) -> Span | None:
        """The place among the letters from `start` on, as a span of letters."""
        at = self.letters.find(letters, start)
        while at >= 0:
            if self._is_word_start(at) and self._is_word_end(at + len(letters)):
                return at, at + len(letters)
            at = self.letters.find(letters, at + 1)
        return self._nearly(letters, start)

    def _nearly(self, letters: str, start: int) -> Span | None:
        slips = len(letters) // _SLIP_EVERY
        if not slips:
            return None
        searched = self.letters[start:]
        distance, end = min(
            ((distance, end) for end, distance in _distances(letters, searched)), default=(slips + 1, 0)
        )
        if distance > slips:
            return None
        before = searched[max(0, end - len(letters) - slips) : end]
        _, length = min((distance, size) for size, distance in _distances(letters[::-1], before[::-1]))
        first, last = start + end - length, start + end
        while not self._is_word_start(first):
            first -= 1
        while not self._is_word_end(last):
            last += 1
        return first, last

    def _is_word_start(self, at: int) -> bool:
        if at == 0 or self.places[at - 1] < self.places[at] - 1:
            return True
        here, before = self.text[self.places[at]], self.text[self.places[at - 1]]
        return not (_spaced(here) and _spaced(before))

    def _is_word_end(self, at: int) -> bool:
        return at == len(self.letters) or self._is_word_start(at)


def _distances(pattern: str, text: str) -> Iterator[tuple[int, int]]:
    """For each end in `text`, the fewest edits that make `pattern` of the letters before it, best start taken.

    G. Myers, "A Fast Bit-Vector Algorithm for Approximate String Matching", J. ACM 46(3), 1999, section 3; the bit
    vectors are Python's integers, so a pattern may have any length.
    """
    size = len(pattern)
    last, full = 1 << (size - 1), (1 << size) - 1
    places: dict[str, int] = {}
    for index, letter in enumerate(pattern):
        places[letter] = places.get(letter, 0) | 1 << index
    more, less, distance = full, 0, size
    for end, letter in enumerate(text, start=1):
        same = places.get(letter, 0)
        vertical = same | less
        diagonal = (((same & more) + more) ^ more) | same
        up = less | ~(diagonal | more) & full
        down = more & diagonal
        distance += bool(up & last) - bool(down & last)
        up, down = up << 1 & full, down << 1 & full
        more, less = (down | ~(vertical | up)) & full, up & vertical
        yield end, distance


def _folded(text: str) -> Iterator[tuple[str, int]]:
    """Letters and digits, case, accents' composition and compatibility forms folded, each with its place."""
    for place, character in enumerate(text):
        for letter in unicodedata.normalize("NFKD", character).casefold():
            if letter.isalnum():
                yield letter, place


def _letters(text: str) -> str:
    return "".join(letter for letter, _ in _folded(text))


def _spaced(character: str) -> bool:
    """Whether the character's script writes spaces between words."""
    return character.isalnum() and not "\u0e00" <= character <= "\u0eff" and character < "\u2e80"
