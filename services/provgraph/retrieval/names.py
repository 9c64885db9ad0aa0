"""The names that a text mentions, by how they are written; knows no index and no graph."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Final

from provgraph.language.terms import fold, terms

_JOINER: Final = r"(?:of|the|and|de|du|la|le|von|van|der|den|di|da|al|bin|in|for|on|&)"
_CAPITALISED: Final = r"(?:[^\W\d_a-zß-öø-ÿ][\w'’.&-]*[\w]|[^\W\d_a-zß-öø-ÿ])"
_NAME: Final = re.compile(rf"{_CAPITALISED}(?:(?: {_JOINER}){{0,2}} (?:{_CAPITALISED}|\d+))*")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_a-z])|\n+")
_BRACKET: Final = re.compile(r"(?<!\s)\s*[(\[（].{0,200}?[)\]）]")
_TOPIC_END: Final = re.compile(r"(?<!\s)\s+(?:is|was|are|were)\b|[(\[（,:;]")
_BEING: Final = re.compile(r"(?:is|was|are|were|became)(?: (?:an?|the|one of(?: the)?))?", re.IGNORECASE)
_AFTER_HEAD: Final = re.compile(
    r"(?<!\s)\s+(?:of|in|from|for|by|at|on|to|with|who|which|that|and|or)\b|[,;(]"
)
_LONGEST_TOPIC: Final = 80
_LEAD: Final = 320

_LEADING: Final = frozenset(
    """
    a an the this that these those it its he she his her they their we our you your i in on at by for from of to
    with as and or but if when while where after before since during until although though because however
    there then also both many most some all one two each other such what which who whom whose how why
    did does do is are was were has have had can could will would be not no
    """.split()
)


def name_key(name: str) -> str:
    """What two spellings of one name have in common: its terms in order."""
    return _key(name)


@lru_cache(maxsize=16_384)
def _key(name: str) -> str:
    return " ".join(terms(name))


def mentioned(text: str) -> Counter[str]:
    """The names of a text by key, each with the number of sentences that mention it."""
    counts: Counter[str] = Counter()
    for sentence in _SENTENCE_END.split(text):
        counts.update({key for name in _NAME.findall(sentence) if (key := _trimmed(name))})
    return counts


def names_in(text: str) -> list[str]:
    """The names of a text as it writes them, each once."""
    names = (_trimmed_words(name) for name in _NAME.findall(text))
    return list(dict.fromkeys(name for name in names if name))


def topic(title: str, text: str) -> str:
    """The key of what a passage is about: its title without brackets where the text says it, else its lead phrase.

    The lead phrase is what stands before the first verb. A title that the text does not say, as of a long document
    with many passages or of a file without a title, counts only where there is no lead phrase.
    """
    titled, lead = _phrase(_BRACKET.sub("", title)), _phrase(_TOPIC_END.split(text[:_LEAD], maxsplit=1)[0])
    said = titled and set(titled.split(" ")) <= set(terms(text))
    return titled if said else lead or titled


def told_type(labels: tuple[str, str, str]) -> str:
    """The term of the class that a fact gives its subject: "physicist" of (Curie, was a, physicist from Poland)."""
    _, relation, thing = labels
    if not _BEING.fullmatch(relation):
        return ""
    phrase = _AFTER_HEAD.split(thing, maxsplit=1)[0]
    found = terms(phrase)
    return found[-1] if found and not found[-1].isdigit() else ""


def _phrase(phrase: str) -> str:
    return name_key(_trimmed_words(phrase)) if len(phrase.strip()) <= _LONGEST_TOPIC else ""


def _trimmed(name: str) -> str:
    return name_key(_trimmed_words(name))


def _trimmed_words(name: str) -> str:
    words = name.split()
    while len(words) > 1 and fold(words[0]) in _LEADING:
        words.pop(0)
    if len(words) == 1 and fold(words[0]) in _LEADING:
        return ""
    return " ".join(words)
