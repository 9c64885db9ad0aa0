"""Candidate edges: what stands around the seeds and what the question's words lead to, ranked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from provgraph.ports.retriever import CandidateEdge, EdgeLabels, RetrievalLimits, Seed
from provgraph.rdf.terms import triple_from_json
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.keyword_index import Hit, Payload
from provgraph.retrieval.question import Question, Term
from provgraph.retrieval.seeds import SENTENCE

WORDS, NEARNESS, CONFIDENCE, SUPPORT = 0.65, 0.2, 0.1, 0.05
"""Shares of an edge's score: words met, nearness to a seed, the extractor's confidence, number of readings."""

IN_SENTENCE, IN_TITLE = 0.8, 0.3
"""What a word counts that the edge's sentence meets, or only its document's title, against 1 in its labels."""

PER_HOP: Final = 0.5
HUBS: Final = 8
TOGETHER: Final = 200

Way = tuple[float, tuple[str, ...]]
"""How near an entity is to a seed (0…1), and the labels on the way to it."""


@dataclass
class _Reached:
    """A fact on the way, how near it is to a seed (0…1), and by which labels it was reached."""

    key: str
    payload: Payload
    nearness: float
    path: tuple[str, ...]


@dataclass
class EdgeSearch:
    """Collects facts by words and by hops, the nearest way to each, and ranks them."""

    question: Question
    index: CollectionIndex
    limits: RetrievalLimits
    _reached: dict[str, _Reached] = field(default_factory=dict)

    def add_by_words(self, hits: Iterable[Hit]) -> None:
        """Facts found by the question's own words, wherever they stand."""
        for hit in hits:
            self._reach(hit, 0.0, ("the question's words",))

    def expand(self, seeds: Sequence[Seed]) -> None:
        """Follow edges from the seeds, up to the path length; of each entity the edges that meet most.

        What only a sentence led to joins after the first hop, so that the way from a name is told where there is one.
        """
        named = [seed for seed in seeds if seed.how != SENTENCE]
        frontier = _start(named or seeds)
        later = _start(seeds)
        visited: set[str] = set()
        for _ in range(self.limits.path_length):
            nearest = dict(_nearest(frontier, self.limits.entities))
            visited.update(nearest)
            frontier = {entity: way for entity, way in later.items() if entity not in visited}
            later = {}
            for hit in self._edges_of({entity: nearness for entity, (nearness, _) in nearest.items()}):
                ends = _ends(hit.payload)
                nearness, path = max(nearest[entity] for entity, _ in ends if entity in nearest)
                self._reach(hit, nearness, path)
                for neighbour, label in ends:
                    further = (nearness * PER_HOP, (*path, label))
                    known = frontier.get(neighbour, further)
                    if neighbour not in visited:
                        frontier[neighbour] = max(known, further, key=_nearer_and_longer)

    def ranked(self) -> tuple[CandidateEdge, ...]:
        """The best edges, at most the size of the subgraph; ties by their text."""
        scored = [(*self._scored(reached), reached) for reached in self._reached.values()]
        scored.sort(key=lambda item: (-item[0], item[2].key))
        return tuple(self._candidate(*item) for item in scored[: self.limits.subgraph])

    def _edges_of(self, nearness: Mapping[str, float]) -> Iterator[Hit]:
        """The edges that meet most: of entities with few all together, of each hub its own best."""
        facts, most = self.index.facts, self.limits.triples_per_entity
        words = {
            variant: WORDS * term.weight / self.question.weight
            for term in self.question.terms
            for variant in term.variants
        }
        values = {entity: NEARNESS * near for entity, near in nearness.items()}
        hubs = [entity for entity in values if facts.count_about(entity) > most]
        for hub in hubs[:HUBS]:
            yield from facts.search_about({hub: values[hub]}, words, IN_SENTENCE, most)
        for hub in hubs:
            del values[hub]
        yield from facts.search_about(values, words, IN_SENTENCE, TOGETHER)

    def _reach(self, hit: Hit, nearness: float, path: tuple[str, ...]) -> None:
        known = self._reached.get(hit.key)
        if known is None or nearness > known.nearness:
            self._reached[hit.key] = _Reached(hit.key, hit.payload, nearness, path)

    def _scored(self, reached: _Reached) -> tuple[float, dict[Term, float]]:
        payload = reached.payload
        shares = self._shares(payload)
        score = (
            WORDS * self._coverage(shares)
            + NEARNESS * reached.nearness
            + CONFIDENCE * payload["confidence"]
            + SUPPORT * min(payload["support"], 5) / 5
        )
        return round(score, 4), shares

    def _coverage(self, shares: Mapping[Term, float]) -> float:
        met = sum(term.weight * share for term, share in shares.items())
        return met / self.question.weight if met else 0.0

    def _candidate(self, score: float, shares: Mapping[Term, float], reached: _Reached) -> CandidateEdge:
        payload = reached.payload
        met = [term for term in self.question.terms if term in shares]
        return CandidateEdge(
            triple=triple_from_json(payload["triple"]),
            labels=EdgeLabels(*payload["labels"]),
            score=score,
            terms=tuple(term.spelling for term in met),
            shares=tuple(shares[term] for term in met),
            coverage=round(self._coverage(shares), 4),
            path=reached.path,
            confidence=payload["confidence"],
            support=payload["support"],
        )

    def _shares(self, payload: Payload) -> dict[Term, float]:
        """The question's terms that a fact meets, each with what it counts where it stands."""
        shares: dict[Term, float] = {}
        for place, share in (("strong", 1.0), ("weak", IN_SENTENCE), ("title", IN_TITLE)):
            for term in self.question.met_by(payload[place].split()):
                shares.setdefault(term, share * term.worth)
        return shares


def _start(seeds: Sequence[Seed]) -> dict[str, Way]:
    return {seed.entity.value: (seed.score, (seed.label,)) for seed in seeds}


def _nearest(frontier: Mapping[str, Way], limit: int) -> list[tuple[str, Way]]:
    return sorted(frontier.items(), key=lambda item: (-item[1][0], item[0]))[:limit]


def _nearer_and_longer(way: Way) -> tuple[float, int, tuple[str, ...]]:
    """Of ways that are equally near the longer tells more of how the question led there."""
    return way[0], len(way[1]), way[1]


def _ends(payload: Payload) -> list[tuple[str, str]]:
    triple, said = payload["triple"], payload["labels"]
    return [(triple[place]["i"], said[at]) for place, at in (("s", 0), ("o", 2)) if triple[place]["t"] == "i"]
