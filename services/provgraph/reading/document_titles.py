"""What the title of a document names."""

from __future__ import annotations

import re
from typing import Final

_SMALL: Final = frozenset(
    "a an and at by da de del der di do du el for from in la las le of on or the to van von y with".split()
)
_PARENTHESIS: Final = re.compile(r"(?<!\s)\s*\([^)]{0,200}\)\s*$")


def topic_title(title: str, text: str) -> str:
    """The title where it names what the text is about: the text has its words, or all that carry content have a
    capital. A headline ("Northgate buys Solvang") and the name of a file name nothing."""
    name = plain_title(title)
    capitals = all(word in _SMALL or word != word.lower() for word in name.split())
    return title if capitals or name.casefold() in text.casefold() else ""


def plain_title(title: str) -> str:
    """The name in a document's title, without article and bracket: "The Red Sand (film)" → "Red Sand"."""
    return _PARENTHESIS.sub("", title).strip().removeprefix("The ")
