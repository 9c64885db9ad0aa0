"""Cuts a text into word pieces, each with its characters (WordPiece: Schuster & Nakajima 2012, as BERT uses it)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LONGEST_WORD: Final = 100
"""Characters of a word from which it is unknown as a whole."""
OPENING, BREAK, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
"""What stands before a text, behind it, and for a word that is not made of pieces."""
_CONTROL: Final = re.compile(r"[^\s -~]")
_PLAIN_WORD: Final = re.compile(r"[A-Za-z0-9]+|[!-~]")
"""In ASCII: a run of letters and digits, or one other character that is no space."""


@dataclass(frozen=True, slots=True)
class WordPiece:
    """One entry of the vocabulary; it stands for the characters `start` to `end` (exclusive)."""

    number: int
    start: int
    end: int


class WordPieces:
    """A vocabulary of word pieces; case and accents do not count."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self.numbers = numbers
        self._known: dict[str, tuple[tuple[int, int], ...]] = {}

    @classmethod
    def from_file(cls, path: Path) -> WordPieces:
        """One piece a line, in the order of their numbers."""
        return cls({line: number for number, line in enumerate(path.read_text("utf-8").splitlines())})

    def marked(self, text: str, most: int) -> list[int]:
        """The numbers of a text's pieces between opening and break, at most `most` in all."""
        found = [piece.number for piece in self.pieces(text[: most * LONGEST_WORD])]
        return [self.numbers[OPENING], *found[: most - 2], self.numbers[BREAK]]

    def pieces(self, text: str) -> list[WordPiece]:
        """All pieces of a text; linear in its length."""
        word_pieces: list[WordPiece] = []
        for word, places in _words(text):
            for number, last in self._pieces_of(word):
                start = word_pieces[-1].end if word_pieces and word_pieces[-1].end > places[0] else places[0]
                word_pieces.append(WordPiece(number, start, places[last - 1] + 1))
        return word_pieces

    def _pieces_of(self, word: str) -> tuple[tuple[int, int], ...]:
        """The pieces of a plain word: the number of each, and how many letters it ends after."""
        if word not in self._known:
            if len(self._known) > 50_000:
                self._known.clear()
            self._known[word] = tuple(self._cut(word))
        return self._known[word]

    def _cut(self, word: str) -> list[tuple[int, int]]:
        whole = [(self.numbers[UNKNOWN], len(word))]
        if len(word) > LONGEST_WORD:
            return whole
        found, start = [], 0
        while start < len(word):
            end = len(word)
            while end > start and ("##" if start else "") + word[start:end] not in self.numbers:
                end -= 1
            if end == start:
                return whole
            found.append((self.numbers[("##" if start else "") + word[start:end]], end))
            start = end
        return found


def _words(text: str) -> Iterator[tuple[str, Sequence[int]]]:
    """Words and marks in plain letters, each with the place of every letter in the text."""
    if text.isascii() and not _CONTROL.search(text):
        for match in _PLAIN_WORD.finditer(text):
            yield match[0].lower(), range(*match.span())
        return
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        plain = _plain(character)
        alone = plain is not None and _stands_alone(character)
        if (plain is None or alone) and letters:
            yield "".join(letters), places
            letters, places = [], []
        if alone and plain:
            yield plain, [place] * len(plain)
        elif plain:
            letters += plain
            places += [place] * len(plain)
    if letters:
        yield "".join(letters), places


def _plain(character: str) -> str | None:
    """A character in small letters without accents: None where it ends a word, empty where it is nothing."""
    if character.isspace():
        return None
    if character in "\x00�" or unicodedata.category(character) in ("Cc", "Cf"):
        return ""
    if character.isascii():
        return character.lower()
    apart = unicodedata.normalize("NFD", character.lower())
    return "".join(each for each in apart if unicodedata.category(each) != "Mn")


def _stands_alone(character: str) -> bool:
    if character.isascii():
        return not character.isalnum()
    code = ord(character)
    if (
        0x4E00 <= code <= 0x9FFF
        or 0x3400 <= code <= 0x4DBF
        or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x2FA1F
    ):
        return True
    return unicodedata.category(character).startswith("P")
