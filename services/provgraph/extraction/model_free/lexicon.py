"""Which part of speech an English word usually is: Brill's lexicon as it lies inside TextBlob's wheel.

Read once, on first use, from the file itself: nothing of TextBlob is imported or changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from provgraph.errors import Unavailable


@dataclass(frozen=True)
class Lexicon:
    """`tags` gives a word's most frequent Penn Treebank tag; `verbs` are the base forms of known verbs."""

    tags: Mapping[str, str]
    verbs: frozenset[str]


@cache
def lexicon() -> Lexicon:
    """The English lexicon, about 94,000 words; raises `Unavailable` where TextBlob's data is missing."""
    tags = dict(_entries(_lexicon_path()))
    bases = {base for word, tag in tags.items() if tag in _INFLECTED for base in _bases(word)}
    known = {base for base in bases if base in tags}
    return Lexicon(tags, frozenset(known | {word for word, tag in tags.items() if tag in ("VB", "VBP")}))


_INFLECTED = frozenset(("VBD", "VBN", "VBG", "VBZ"))


def _lexicon_path() -> Path:
    found = find_spec("textblob")
    path = Path(found.origin).parent / "en" / "en-lexicon.txt" if found and found.origin else Path()
    if not path.is_file():
        raise Unavailable(
            "The English lexicon of TextBlob was not found. Install the package textblob again."
        )
    return path


def _entries(path: Path) -> Iterator[tuple[str, str]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            word, _, tag = line.strip().partition(" ")
            if tag and word != ";;;":
                yield word, tag.partition(" ")[0]


def _bases(word: str) -> Iterator[str]:
    """What `word` may be an inflection of: stopped → stop, stopp, stoppe."""
    for ending in ("ed", "ing", "s", "es", "d"):
        stem = word.removesuffix(ending)
        if len(stem) < 2 or stem == word:
            continue
        yield stem
        if ending == "ing":
            yield stem + "e"
        if stem[-1] == "i":
            yield stem[:-1] + "y"
        if len(stem) > 3 and stem[-1] == stem[-2]:
            yield stem[:-1]


def verb_base(word: str) -> str | None:
    """The base form of `word` ending in -s where that form is a known verb: plans → plan."""
    known = lexicon().verbs
    return next((base for base in _bases(word) if base in known), None) if word.endswith("s") else None
