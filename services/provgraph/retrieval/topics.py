"""Passages by words and by topics: what a question names, and what the passages it leads to name in turn.

A passage's topic is its document's title. A question's second step often stands in a passage that shares no word
with it, but whose topic is named in one that does; so the topics that the best passages name are followed.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from provgraph.language.terms import FUNCTION_WORDS, fold
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.keyword_index import Hit, Payload
from provgraph.retrieval.question import Question

BY_WORDS: Final = 50
LEADING: Final = 5
HANDED_ON: Final = 0.5
"""How many passages hand on what share of their score to the passages whose topics they name."""

MOST_TOPICS: Final = 300
LONGEST_TOPIC: Final = 8

_WORD: Final = re.compile(r"\w+")
_BRACKETS: Final = re.compile(r"\s*\(.*?\)")
_CAPITAL: Final = r"[^\W\d_a-zß-öø-ÿ][\w'’.&-]*"
_NAME: Final = re.compile(
    rf"{_CAPITAL}(?:(?: (?:of|the|and|de|du|la|von|van|in|for|on|&)){{0,2}} (?:{_CAPITAL}|\d+))*"
)


def topic(title: str) -> str:
    """A title as topics are compared: its words folded, without what stands in brackets."""
    return _key(_BRACKETS.sub("", title))


def ranked(question: Question, index: CollectionIndex, limit: int) -> list[Hit]:
    """The best chunks, best first: scores are in shares of the best BM25 score, and may exceed 1.

    A passage scores by its words; 1 for a topic that stands in the question; and a share of what each of the
    leading passages scores that names its topic. Topics of many passages, and those among many, count less.
    """
    ranking = _Ranking(index)
    by_words = index.chunks.search(question.words, max(limit, BY_WORDS))
    for hit in by_words:
        ranking.add(hit, hit.score / by_words[0].score)
    ranking.add_topics(_runs(_key(question.text)), 1.0)
    for leading in ranking.best(LEADING):
        named = set(_named(leading.payload["text"])) - {leading.payload["topic"]}
        ranking.add_topics(named, HANDED_ON * leading.score, shared=True)
    return ranking.best(limit)


class _Ranking:
    """Sums of scores by chunk."""

    def __init__(self, index: CollectionIndex) -> None:
        self._index = index
        self._payloads: dict[str, Payload] = {}
        self._scores: dict[str, float] = defaultdict(float)

    def add(self, hit: Hit, score: float) -> None:
        self._payloads[hit.key] = hit.payload
        self._scores[hit.key] += score

    def add_topics(self, topics: Iterable[str], score: float, *, shared: bool = False) -> None:
        """Add a score to the passages with these topics; a `shared` one is less for each the more there are."""
        found: dict[str, list[Hit]] = defaultdict(list)
        for hit in self._index.chunks.with_any(sorted(topics), MOST_TOPICS):
            found[hit.payload["topic"]].append(hit)
        each = score / math.sqrt(len(found)) if shared and found else score
        for passages in found.values():
            for hit in passages:
                self.add(hit, each / len(passages))

    def best(self, limit: int) -> list[Hit]:
        order = sorted(self._scores, key=lambda key: (-self._scores[key], key))
        return [Hit(key, self._payloads[key], self._scores[key]) for key in order[:limit]]


def _named(text: str) -> Iterator[str]:
    """Whatever stands in the names of a text."""
    for match in _NAME.finditer(text):
        yield from _runs(_key(match.group()))


def _runs(key: str) -> Iterator[str]:
    """All runs of words up to the longest topic, but for single function words."""
    words: Sequence[str] = key.split()
    for start in range(len(words)):
        for end in range(start + 1, min(start + LONGEST_TOPIC, len(words)) + 1):
            if end > start + 1 or words[start] not in FUNCTION_WORDS:
                yield " ".join(words[start:end])


def _key(text: str) -> str:
    return " ".join(_WORD.findall(fold(text)))
