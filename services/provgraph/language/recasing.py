"""Names in a question that is written without capitals, by how the texts that may answer it spell them: "what is bert
evaluated on" asks of BERT.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

from provgraph.language.terms import FUNCTION_WORDS

_WORD: Final = re.compile(r"[^\W_](?:[\w&-]*\w)?")
_OPENS: Final = re.compile(r"(?:\A|[.!?:|•\n])[\W_]{0,4}\Z")
_BEFORE: Final = 4
"""Characters before a word in which the end of a sentence is looked for."""
MOSTLY: Final = 0.8
"""The share of a word's places within sentences that have a capital, for it to be a name."""
_LEAST_OF_HEADLINE, _LEAST_LETTERS = 4, 4
_LISTED: Final = re.compile(r"[|,;:]")


def recased(question: str, texts: Iterable[str]) -> str:
    """The question with its names as the texts mostly spell them; as it is where it has capitals after its first."""
    if any(letter.isupper() for letter in question[1:]):
        return question
    asked = {word.casefold() for word in _WORD.findall(question)} - FUNCTION_WORDS
    spelt = _spellings(asked, texts)
    return _WORD.sub(lambda match: spelt.get(match[0].casefold(), match[0]), question)


def _spellings(asked: set[str], texts: Iterable[str]) -> dict[str, str]:
    """By word of a question its usual spelling, where that has a capital."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        if is_headline(text):
            continue
        for match in _WORD.finditer(text):
            word = match[0].casefold()
            if word in asked and not _opens(text, match.start()):
                counts[word][match[0]] += 1
    spelt = {}
    for word, spellings in counts.items():
        named = {spelling: count for spelling, count in spellings.items() if not spelling.islower()}
        if sum(named.values()) >= MOSTLY * spellings.total() and not word.isdigit():
            spelt[word] = max(named, key=lambda spelling: named[spelling])
    return spelt


def _opens(text: str, start: int) -> bool:
    """Whether a word opens a sentence, where a capital tells nothing."""
    return _OPENS.search(text[max(start - _BEFORE, 0) : start]) is not None


def is_headline(text: str) -> bool:
    """Whether all words of weight have a capital, verbs too: "The Best Beauty Brands of the Year"; lists of names, rows
    and what is all in capitals are none."""
    words = [word for word in _WORD.findall(text) if len(word) >= _LEAST_LETTERS and not word[0].isdigit()]
    titled = all(word[0].isupper() and not word.isupper() for word in words)
    return titled and len(words) >= _LEAST_OF_HEADLINE and _LISTED.search(text) is None
