"""Words → terms: what indexes hold, what questions are matched by, what makes two sentences alike.

Accents and case are folded, English endings are cut (Snowball), `C++` and `C#` stay themselves, and scripts that
write no spaces between words are cut into overlapping pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import snowballstemmer

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W\d_]{2,})*[+#]*", re.UNICODE)
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
_LONGEST: Final = 60
_STEMMER: Final = snowballstemmer.stemmer("english")

FUNCTION_WORDS: Final = frozenset(
    """
    a about above after again all also am an and any are as at be been before being below between both but by can
    could did do does doing down during each few for from further had has have having he her here hers herself him
    himself his how i if in into is it its itself just many may me might more most much must my myself no nor not
    now of off on once one only or other our ours out over own please same shall she should so some such tell than
    that the their theirs them then there these they this those through to too under until up upon us very was we
    were what whatever when where whether which while who whom whose why will with within without would you your
    yours list name give show explain describe dr mr mrs ms prof
    """.split()
)


def terms(text: str) -> list[str]:
    """The terms of a text in order, function words included."""
    return [term for match in _words(text) for term in _terms_of_word(match.group()[:_LONGEST])]


def content_terms(text: str) -> dict[str, str]:
    """The terms of a question that carry content → each as the question spells it, in order."""
    found: dict[str, str] = {}
    for match in _words(text):
        word = match.group()[:_LONGEST]
        if word.casefold() not in FUNCTION_WORDS or (word.isupper() and len(word) > 1):
            for term in _terms_of_word(word):
                found.setdefault(term, word if len(term) > 1 or len(word) == 1 else term)
    return found


def _words(text: str) -> Iterator[re.Match[str]]:
    """Words of the composed text: a letter and the accent that follows it are one."""
    return _WORD.finditer(unicodedata.normalize("NFC", text))


@lru_cache(maxsize=200_000)
def _terms_of_word(word: str) -> tuple[str, ...]:
    folded = fold(word)
    if _UNSPACED.search(folded):
        return _pairs(folded)
    if folded.isascii() and folded.isalpha():
        return (str(_STEMMER.stemWord(folded)),)
    return (folded,)


def fold(text: str) -> str:
    """Without case and accents: `Skłodowska` and `sklodowska` are one, Korean stays whole."""
    compatible = unicodedata.normalize("NFKD", text).casefold().replace("ł", "l")
    decomposed = unicodedata.normalize("NFKD", compatible)
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", plain).replace("’", "'")


def _pairs(word: str) -> tuple[str, ...]:
    if len(word) < 3:
        return (word,)
    return tuple(word[index : index + 2] for index in range(len(word) - 1))
