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

from provgraph.catalogue.decisions import Decisions
from provgraph.language.terms import terms
from provgraph.ports.retriever import CandidateEdge, EdgeLabels, RetrievalLimits, Seed, TakenAsOne
from provgraph.rdf.json_terms import triple_from_json
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.identity.recognition import joints, with_others
from provgraph.retrieval.identity.resolver import Resolver
from provgraph.retrieval.keyword_index import Address, Payload, any_of, best_of
from provgraph.retrieval.question import AskedTerm, WeightedQuestion
from provgraph.retrieval.seeds import Entrance, at_seed

WORDS, PASSAGE, NEARNESS, CARRIED, CONFIDENCE, SUPPORT = 0.45, 0.2, 0.15, 0.1, 0.07, 0.03
IN_OTHER_NAME, IN_SENTENCE, IN_TITLE = 0.95, 0.8, 0.3
"""What a word counts that stands only in another name of an end, in the sentence, or in the document's title; in a
label it counts 1."""

PER_HOP: Final = 0.5
BY_WORDS: Final = 60
BY_PASSAGES: Final = 60
PASSAGES: Final = 10
AROUND: Final = 100
LEAST_WEIGHT: Final = 0.03
"""Words that stand nearly everywhere, by their weight beside the heaviest, find nothing; they still count."""

MOST_DOCUMENTS: Final = 50
"""So many readings of an edge are asked for their documents, where it has an ambiguous end."""

HUBS: Final = 8
FRONTIER: Final = 24


@dataclass(frozen=True)
class _Reading:
    """A reading, what each term of the question counts that it meets, and the share of the weight they make."""

    payload: Payload
    shares: Mapping[AskedTerm, float]
    coverage: float
    ties: tuple[TakenAsOne, ...]

    @property
    def met(self) -> frozenset[AskedTerm]:
        return frozenset(self.shares)


@dataclass(frozen=True)
class EdgeCandidates(_Reading):
    """A reading as the search came to it."""

    entrance: Entrance
    score: float


_BY_WORDS: Final = Entrance("words")
_BY_PASSAGE: Final = Entrance("passage")


@dataclass
class EdgeSearch:
    """The facts of one question, each by its best reading and the best way to it.

    `standing` tells of the chunks that the question leads to how well each of them meets it, in 0…1; `identities`
    which entities are one.
    """

    question: WeightedQuestion
    index: CollectionIndex
    limits: RetrievalLimits
    standing: Mapping[str, float] = field(default_factory=dict)
    identities: Resolver | None = None
    _found: dict[str, EdgeCandidates] = field(default_factory=dict)
    _readings: dict[Address, _Reading] = field(default_factory=dict)
    _called: dict[str, Seed] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._resolver = self.identities or Resolver(self.index, Decisions())
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
        self._called = {seed.entity.value: seed for seed in seeds if seed.called}
        if self._called:
            self._readings.clear()
        entrances = {seed.entity.value: at_seed(seed) for seed in seeds}
        visited: set[str] = set()
        for _ in range(self.limits.path_length):
            visited.update(entrances)
            ways = [(address, self._way(address, entrances)) for address in self._around(entrances)]
            edges = [self._add(address, way) for address, way in ways if way]
            entrances = with_others(_beyond(edges, visited), visited, self._resolver)

    def take(self, addresses: Iterable[Address], how: str) -> None:
        """Readings that another search came to."""
        for address in addresses:
            self._add(address, Entrance(how))

    @property
    def found(self) -> Mapping[str, EdgeCandidates]:
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
        self._resolver.know(node for _, found in best for node, _ in ends_of(found.payload))
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

    def _word_query(self, term: AskedTerm) -> Query:
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

    def _way(self, address: Address, entrances: Mapping[str, Entrance]) -> Entrance | None:
        payload = self._reading(address).payload
        ways = [entrances[node] for node, _ in ends_of(payload) if node in entrances]
        open_ways = (way for way in ways if way.lets_in(payload["document"]))
        return max(open_ways, key=lambda way: (way.nearness, way.path), default=None)

    def _add(self, address: Address, entrance: Entrance) -> EdgeCandidates:
        reading = self._reading(address)
        candidates = self._scored(reading, entrance)
        key = str(reading.payload["key"])
        if key not in self._found or candidates.score > self._found[key].score:
            self._found[key] = candidates
        return candidates

    def _reading(self, address: Address) -> _Reading:
        if address not in self._readings:
            payload = self.index.readings.payload(address)
            shares = dict.fromkeys(self.question.met_by(payload["said"].split(" ")), 1.0)
            ties = self._by_other_names(payload, shares)
            for place, share in (("context", IN_SENTENCE), ("title", IN_TITLE)):
                for term in self.question.met_by(payload[place].split(" ")):
                    shares.setdefault(term, share)
            coverage = sum(term.weight * share for term, share in shares.items()) / (
                self.question.weight or 1.0
            )
            self._readings[address] = _Reading(payload, shares, coverage, ties)
        return self._readings[address]

    def _by_other_names(self, payload: Payload, shares: dict[AskedTerm, float]) -> tuple[TakenAsOne, ...]:
        """Count the words of the names by which the question calls an end; tells why the end has them."""
        used: list[TakenAsOne] = []
        for seed in (self._called[node] for node, _ in ends_of(payload) if node in self._called):
            if at_seed(seed).lets_in(payload["document"]):
                met = [term for term in self.question.met_by(terms(seed.called)) if term not in shares]
                shares.update(dict.fromkeys(met, IN_OTHER_NAME))
                used += seed.ties if met else ()
        return tuple(used)

    def _scored(self, reading: _Reading, entrance: Entrance) -> EdgeCandidates:
        payload = reading.payload
        score = (
            WORDS * reading.coverage
            + PASSAGE * self.standing.get(payload["chunk"], 0.0)
            + NEARNESS * entrance.nearness
            + CARRIED * self.question.share(entrance.met - reading.met)
            + CONFIDENCE * payload["confidence"]
        )
        return EdgeCandidates(payload, reading.shares, reading.coverage, reading.ties, entrance, score)

    def _candidate(self, candidates: EdgeCandidates) -> CandidateEdge:
        payload = candidates.payload
        triple = triple_from_json(payload["fact"])
        support = self.index.readings.count("fact", payload["key"])
        met = [term for term in self.question.terms if term in candidates.shares]
        return CandidateEdge(
            triple=triple,
            labels=EdgeLabels(*payload["labels"]),
            score=round(candidates.score + SUPPORT * min(math.log2(max(support, 1)), 3) / 3, 4),
            terms=tuple(term.spelling for term in met),
            shares=tuple(candidates.shares[term] for term in met),
            coverage=round(candidates.coverage, 4),
            path=candidates.entrance.path,
            confidence=payload["confidence"],
            support=support,
            how=candidates.entrance.how,
            ties=tuple(dict.fromkeys((*candidates.entrance.ties, *candidates.ties))),
            joints=self._joints(payload),
        )

    def _joints(self, payload: Payload) -> frozenset[str]:
        """Where the edge meets others; the documents that say it are read only where they matter."""
        ends, readings = [node for node, _ in ends_of(payload)], self.index.readings
        said = [payload["document"]]
        if any(self._resolver.identity(node).doubts or self._resolver.identity(node).near for node in ends):
            same = readings.search(readings.having("fact", payload["key"]), MOST_DOCUMENTS)
            said = sorted({readings.payload(address)["document"] for _, address in same})
        return joints(ends, said, self._resolver)


def _beyond(edges: Iterable[EdgeCandidates], visited: set[str]) -> dict[str, Entrance]:
    """The nodes at the far ends of the best edges, nearer the more their edge meets the question."""
    beyond: dict[str, Entrance] = {}
    for edge in sorted(edges, key=lambda edge: (-edge.score, edge.payload["labels"])):
        way = edge.entrance
        for node, label in ends_of(edge.payload):
            if node not in visited and node not in beyond:
                nearness = PER_HOP * way.nearness * (0.5 + 0.5 * edge.coverage)
                here = frozenset([edge.payload["document"]])
                beyond[node] = Entrance(
                    way.how, nearness, (*way.path, label), way.met | edge.met, way.ties, here
                )
        if len(beyond) >= FRONTIER:
            break
    return beyond


def ends_of(payload: Payload) -> list[tuple[str, str]]:
    fact, labels = payload["fact"], payload["labels"]
    return [(fact[place]["i"], labels[at]) for place, at in (("s", 0), ("o", 2)) if fact[place]["t"] == "i"]
