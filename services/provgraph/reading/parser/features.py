"""What the network sees of a word: rows of its embedding tables, by hash of its form, beginning, endings and shape.

Hashed embeddings need no vocabulary (Miranda et al. 2022, "Multi hash embeddings in spaCy"): the form has two rows in
one table, so that two words share both only very seldom.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

FORMS: Final = 18_013
PREFIXES: Final = 3_001
SUFFIXES: Final = 4_001
SHORT_SUFFIXES: Final = 2_003
SHAPES: Final = 1_009
TABLES: Final = {
    "form": (FORMS, 88),
    "prefix": (PREFIXES, 32),
    "suffix": (SUFFIXES, 48),
    "short_suffix": (SHORT_SUFFIXES, 24),
    "shape": (SHAPES, 32),
}
"""Table → rows and width. The form's table is looked up twice, and both rows are added."""

UNKNOWN_FORM: Final = 0
_DIGIT: Final = re.compile(r"\d")
_CURLY: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
_LONGEST: Final = 40


def word_rows(word: str) -> tuple[int, int, int, int, int, int]:
    """Rows in the tables: form, form again, prefix, suffix, short suffix and shape."""
    plain = word[:_LONGEST].translate(_CURLY)
    form = _DIGIT.sub("0", plain.lower())
    number = _hash("f", form)
    first, second = number % (FORMS - 1) + 1, number // FORMS % (FORMS - 1) + 1
    lower = plain.lower()
    return (
        first,
        second,
        _hash("p", lower[:3]) % PREFIXES,
        _hash("s", lower[-3:]) % SUFFIXES,
        _hash("e", lower[-2:]) % SHORT_SUFFIXES,
        _hash("h", shape(plain)) % SHAPES,
    )


def shape(word: str) -> str:
    """ "Xx" for Paris, "dd" for 19, "X.X." for U.S.: runs of one kind are cut at four, as in spaCy's word shapes."""
    kinds: list[str] = []
    for character in word[:20]:
        kind = (
            "d"
            if character.isdigit()
            else "X"
            if character.isupper()
            else "x"
            if character.isalpha()
            else character
        )
        if len(kinds) < 4 or kinds[-4:] != [kind] * 4:
            kinds.append(kind)
    return "".join(kinds)


def _hash(table: str, text: str) -> int:
    return int.from_bytes(
        hashlib.blake2b((table + text).encode("utf-8", "replace"), digest_size=8).digest(), "little"
    )
