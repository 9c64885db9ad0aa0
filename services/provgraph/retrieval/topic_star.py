"""Passages tied together by names: personalised PageRank over topics and the names that their passages mention.

Each passage is a star: its topic in the middle, around it the names that it mentions, each tied to the topic by the
number of sentences that mention it. The walk starts at the names of the question and is pushed forward where most
of it lies (Andersen, Chung & Lang 2006, "Local graph partitioning using PageRank vectors"), so only the
neighbourhood of the question is ever read, whatever the size of the collection.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Final

from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.keyword_index import Address, Payload, any_of
from provgraph.retrieval.names import mentioned
from provgraph.retrieval.passages import RankedPassage
from provgraph.retrieval.question import WeightedQuestion, inverse_document_frequency

STAY: Final = 0.5
PUSHES: Final = 24
LEAST_RESIDUE: Final = 1e-4
PASSAGES_OF_A_NAME: Final = 20
LONGEST_NAME: Final = 8
LEAST_OVERLAP: Final = 0.3
_HEAVIEST: Final = itemgetter(1, 0)


class TopicStar:
    """One question's walk."""

    def __init__(self, question: WeightedQuestion, index: CollectionIndex) -> None:
        self._question = question
        self._chunks = index.chunks
        self._words = [
            self._chunks.having("words", form, term.weight)
            for term in question.terms
            for form in sorted(term.forms)
        ]
        self._read: dict[Address, Payload] = {}
        self._tied: dict[str, dict[str, int]] = {}
        self._seeded = self._seeds()

    @property
    def named(self) -> float:
        """The share of the question's weight that the names have at which the walk starts, in 0…1."""
        words = {word for name in self._seeded for word in name.split(" ")}
        return self._question.share(self._question.met_by(words))

    def ranked(self) -> list[RankedPassage]:
        """The passages reached, best first: each scores Σ ln(1 + sentences that mention a name) · PageRank(name)."""
        rank = self._pagerank(self._seeded)
        passages = [
            RankedPassage(
                payload,
                sum(
                    math.log1p(count) * rank[name] for name, count in payload["names"].items() if name in rank
                ),
            )
            for payload in self._read.values()
        ]
        return sorted((p for p in passages if p.score), key=lambda passage: (-passage.score, passage.chunk))

    def _seeds(self) -> dict[str, float]:
        """Names of the question, the rarer the heavier; and topics that stand in it."""
        names = {name for name in mentioned(self._question.text) if self._question.met_by(name.split(" "))}
        asked = {name if self._chunks.frequency("name", name) else self._nearest(name) for name in names}
        runs = sorted(
            {run for run in _runs(self._question.sequence) if self._question.met_by(run.split(" "))}
        )
        topics = {
            payload["topic"]
            for payload in self._passages(self._chunks.search(self._chunks.having_any("topic", runs), 100))
        }
        return {name: 1 / self._frequency(name) for name in sorted(asked | topics) if name}

    def _frequency(self, name: str) -> int:
        """In how many passages a name stands; of a single word, also where it is no name."""
        as_word = 0 if " " in name else self._chunks.frequency("words", name)
        return max(self._chunks.frequency("name", name), as_word, 1)

    def _nearest(self, name: str) -> str:
        """The name in the collection that shares most with one that is not: Jaccard, by inverse document frequency."""
        words = set(name.split(" "))
        query = any_of([self._chunks.ranking("words", word) for word in sorted(words)])
        near = {
            other for payload in self._passages(self._chunks.search(query, 10)) for other in payload["names"]
        }
        best = max(
            ((self._overlap(words, set(other.split(" "))), other) for other in near), default=(0.0, "")
        )
        return best[1] if best[0] >= LEAST_OVERLAP else ""

    def _overlap(self, one: set[str], other: set[str]) -> float:
        count = len(self._chunks)

        def weight(words: Iterable[str]) -> float:
            return sum(
                inverse_document_frequency(self._chunks.frequency("words", word), count) for word in words
            )

        return weight(one & other) / weight(one | other) if one & other else 0.0

    def _pagerank(self, seeds: Mapping[str, float]) -> dict[str, float]:
        whole = sum(seeds.values())
        residue = {name: weight / whole for name, weight in seeds.items()}
        rank: dict[str, float] = defaultdict(float)
        for _ in range(PUSHES):
            name, most = max(residue.items(), key=_HEAVIEST, default=("", 0.0))
            if not name or most < LEAST_RESIDUE:
                break
            pushed = residue.pop(name)
            rank[name] += STAY * pushed
            if name not in self._tied:  # the walk comes back to most names
                self._tied[name] = self._ties(name)
            ties = self._tied[name]
            total = sum(ties.values())
            for other, weight in ties.items():
                residue[other] = residue.get(other, 0.0) + (1 - STAY) * pushed * weight / total
        for name, left in residue.items():
            rank[name] += STAY * left
        return dict(rank)

    def _ties(self, name: str) -> dict[str, int]:
        """The names around a topic, and the topics of the passages that mention a name."""
        ties: dict[str, int] = defaultdict(int)
        chunks = self._chunks
        here = any_of([chunks.having("topic", name), chunks.having("name", name)])
        found = chunks.search(any_of(self._words, [here]), PASSAGES_OF_A_NAME)
        for payload in self._passages(found):
            if payload["topic"] == name:
                for other, count in payload["names"].items():
                    if other != name:
                        ties[other] += count
            elif payload["topic"]:
                ties[payload["topic"]] += payload["names"][name]
        return dict(ties)

    def _passages(self, found: Iterable[tuple[float, Address]]) -> list[Payload]:
        payloads = []
        for _, address in found:
            if address not in self._read:
                self._read[address] = self._chunks.payload(address)
            payloads.append(self._read[address])
        return payloads


def _runs(sequence: tuple[str, ...]) -> Iterable[str]:
    for start in range(len(sequence)):
        for end in range(start + 1, min(start + LONGEST_NAME, len(sequence)) + 1):
            yield " ".join(sequence[start:end])
