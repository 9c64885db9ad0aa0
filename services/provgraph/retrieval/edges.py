"""Candidate edges: what stands around the seeds, and what the question's words lead to, ranked.

An edge's score is a sum of measured shares, all in 0…1: the question's words that its labels meet, and those that
only its sentence or its document's title meets; how well its passage stands; how near it is to a seed; the words
that the edges before it on the path met and it does not; the extractor's confidence; and how many subgraphs say it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from tantivy import Query

from provgraph.ports.retriever import CandidateEdge, EdgeLabels, RetrievalLimits, Seed
from provgraph.rdf.terms import triple_from_json
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.keyword_index import Address, Payload, any_of, best_of
from provgraph.retrieval.question import Question, Term

WORDS, PASSAGE, NEARNESS, CARRIED, CONFIDENCE, SUPPORT = 0.45, 0.2, 0.15, 0.1, 0.07, 0.03
IN_SENTENCE, IN_TITLE = 0.8, 0.3
"""What a word counts that stands only in the sentence, or only in the document's title; in a label it counts 1."""

PER_HOP: Final = 0.5
BY_WORDS: Final = 60
BY_PASSAGES: Final = 60
PASSAGES: Final = 10
AROUND: Final = 100
LEAST_WEIGHT: Final = 0.03
"""Words that stand nearly everywhere, by their weight beside the heaviest, find nothing; they still count."""

HUBS: Final = 8
FRONTIER: Final = 24


@dataclass(frozen=True)
class Entrance:
    """How the search came to a node: by what, how near to a seed (0…1), by which labels, and what it met on the way."""

    how: str
    nearness: float = 0.0
    path: tuple[str, ...] = ()
    met: frozenset[Term] = frozenset()


@dataclass(frozen=True)
class _Reading:
    """A reading, what each term of the question counts that it meets, and the share of the weight they make."""

    payload: Payload
    shares: Mapping[Term, float]
    coverage: float

    @property
    def met(self) -> frozenset[Term]:
        return frozenset(self.shares)


@dataclass(frozen=True)
class Found(_Reading):
    """A reading as the search came to it."""

    entrance: Entrance
    score: float


_BY_WORDS: Final = Entrance("words")
_BY_PASSAGE: Final = Entrance("passage")


@dataclass
class EdgeSearch:
    """The facts of one question, each by its best reading and the best way to it.

    `standing` tells of the chunks that the question leads to how well each of them meets it, in 0…1.
    """

    question: Question
    index: CollectionIndex
    limits: RetrievalLimits
    standing: Mapping[str, float] = field(default_factory=dict)
    _found: dict[str, Found] = field(default_factory=dict)
    _readings: dict[Address, _Reading] = field(default_factory=dict)

    def __post_init__(self) -> None:
        heaviest = max((term.weight for term in self.question.terms), default=0.0)
        self.word_queries = [
            self._word_query(term) for term in self.question.terms if term.weight >= LEAST_WEIGHT * heaviest
        ]

    def by_words(self) -> list[tuple[float, Payload]]:
        """Readings that the question's words lead to wherever they stand, with the share of it they meet."""
        if not self.word_queries:
            return []
        found = [
            self._add(address, _BY_WORDS) for address in self._search(any_of(self.word_queries), BY_WORDS)
        ]
        return [(item.coverage, item.payload) for item in found]

    def by_passages(self) -> None:
        """Readings of the chunks that stand best, those first that meet most."""
        best = sorted(self.standing, key=lambda chunk: (-self.standing[chunk], chunk))[:PASSAGES]
        if best:
            query = any_of(self.word_queries, [self.index.readings.having_any("chunk", best)])
            for address in self._search(query, BY_PASSAGES):
                self._add(address, _BY_PASSAGE)

    def expand(self, seeds: Sequence[Seed]) -> None:
        """Follow edges from the seeds up to the path length; around each node those that meet most."""
        entrances = {seed.entity.value: Entrance(seed.how, seed.score, (seed.label,)) for seed in seeds}
        visited: set[str] = set()
        for _ in range(self.limits.path_length):
            visited.update(entrances)
            edges = [self._add(address, self._way(address, entrances)) for address in self._around(entrances)]
            entrances = _beyond(edges, visited)

    def take(self, addresses: Iterable[Address], how: str) -> None:
        """Readings that another search came to."""
        for address in addresses:
            self._add(address, Entrance(how))

    @property
    def found(self) -> Mapping[str, Found]:
        """The best reading of each fact, by the fact's key."""
        return self._found

    def ranked(self, measured: Mapping[str, float] | None = None) -> list[CandidateEdge]:
        """The best edges, at most as many as the subgraph may have; ties by their text.

        `measured` are scores by key that count in the place of the search's own; facts without one are left out.
        """
        if measured is not None:
            scored = {
                key: replace(self._found[key], score=measured[key]) for key in measured if key in self._found
            }
        else:
            scored = self._found
        best = sorted(scored.items(), key=lambda item: (-item[1].score, item[0]))[: self.limits.subgraph]
        candidates = [self._candidate(found) for _, found in best]
        return sorted(candidates, key=lambda edge: (-edge.score, str(edge.triple)))

    def _around(self, entrances: Mapping[str, Entrance]) -> list[Address]:
        """The best edges of the nodes: those with few edges are searched at once, each hub for its own best."""
        readings, most = self.index.readings, self.limits.triples_per_entity
        degrees = {node: readings.frequency("node", node) for node in entrances}
        few = [node for node, degree in degrees.items() if degree <= most]
        hubs = [node for node, degree in degrees.items() if degree > most][:HUBS]
        found: dict[Address, float] = {}
        if few:
            near = [readings.having("node", node, NEARNESS * entrances[node].nearness) for node in few]
            query = any_of([*self.word_queries, *near], [readings.having_any("node", few)])
            found.update((address, score) for score, address in readings.search(query, AROUND))
        for hub in hubs:
            near = [readings.having("node", hub, NEARNESS * entrances[hub].nearness)]
            for score, address in readings.search(any_of(self.word_queries, near), most):
                found[address] = max(score, found.get(address, 0.0))
        return sorted(found, key=lambda address: (-found[address], address))[:AROUND]

    def _word_query(self, term: Term) -> Query:
        readings, weight = self.index.readings, WORDS * term.weight / self.question.weight
        return best_of(
            [
                readings.having(name, form, weight * share)
                for form in sorted(term.forms)
                for name, share in (("labels", 1.0), ("context", IN_SENTENCE))
            ]
        )

    def _search(self, query: Query, limit: int) -> list[Address]:
        return [address for _, address in self.index.readings.search(query, limit)]

    def _way(self, address: Address, entrances: Mapping[str, Entrance]) -> Entrance:
        ends = ends_of(self._reading(address).payload)
        ways = [entrances[node] for node, _ in ends if node in entrances]
        return max(ways, key=lambda way: (way.nearness, way.path))

    def _add(self, address: Address, entrance: Entrance) -> Found:
        reading = self._reading(address)
        found = self._scored(reading, entrance)
        key = str(reading.payload["key"])
        if key not in self._found or found.score > self._found[key].score:
            self._found[key] = found
        return found

    def _reading(self, address: Address) -> _Reading:
        if address not in self._readings:
            payload = self.index.readings.payload(address)
            shares: dict[Term, float] = {}
            for place, share in (("said", 1.0), ("context", IN_SENTENCE), ("title", IN_TITLE)):
                for term in self.question.met_by(payload[place].split(" ")):
                    shares.setdefault(term, share)
            coverage = sum(term.weight * share for term, share in shares.items()) / (
                self.question.weight or 1.0
            )
            self._readings[address] = _Reading(payload, shares, coverage)
        return self._readings[address]

    def _scored(self, reading: _Reading, entrance: Entrance) -> Found:
        payload = reading.payload
        score = (
            WORDS * reading.coverage
            + PASSAGE * self.standing.get(payload["chunk"], 0.0)
            + NEARNESS * entrance.nearness
            + CARRIED * self.question.share(entrance.met - reading.met)
            + CONFIDENCE * payload["confidence"]
        )
        return Found(payload, reading.shares, reading.coverage, entrance, score)

    def _candidate(self, found: Found) -> CandidateEdge:
        payload = found.payload
        triple = triple_from_json(payload["fact"])
        support = self.index.readings.count("fact", payload["key"])
        met = [term for term in self.question.terms if term in found.shares]
        return CandidateEdge(
            triple=triple,
            labels=EdgeLabels(*payload["labels"]),
            score=round(found.score + SUPPORT * min(math.log2(max(support, 1)), 3) / 3, 4),
            terms=tuple(term.spelling for term in met),
            shares=tuple(found.shares[term] for term in met),
            coverage=round(found.coverage, 4),
            path=found.entrance.path,
            confidence=payload["confidence"],
            support=support,
            how=found.entrance.how,
        )


def _beyond(edges: Iterable[Found], visited: set[str]) -> dict[str, Entrance]:
    """The nodes at the far ends of the best edges, nearer the more their edge meets the question."""
    beyond: dict[str, Entrance] = {}
    for edge in sorted(edges, key=lambda edge: (-edge.score, edge.payload["labels"])):
        way = edge.entrance
        for node, label in ends_of(edge.payload):
            if node not in visited and node not in beyond:
                nearness = PER_HOP * way.nearness * (0.5 + 0.5 * edge.coverage)
                beyond[node] = Entrance(way.how, nearness, (*way.path, label), way.met | edge.met)
        if len(beyond) >= FRONTIER:
            break
    return beyond


def ends_of(payload: Payload) -> list[tuple[str, str]]:
    fact, labels = payload["fact"], payload["labels"]
    return [(fact[place]["i"], labels[at]) for place, at in (("s", 0), ("o", 2)) if fact[place]["t"] == "i"]
