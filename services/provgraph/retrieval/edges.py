"""Candidate edges: what stands around the seeds and what the question's words lead to, ranked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from provgraph.ports.retriever import CandidateEdge, EdgeLabels, RetrievalLimits, Seed
from provgraph.rdf.terms import triple_from_json
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.keyword_index import Hit, Payload
from provgraph.retrieval.question import Question, Term

WORDS, NEARNESS, CONFIDENCE, SUPPORT = 0.65, 0.2, 0.1, 0.05
"""Shares of an edge's score: words met, nearness to a seed, the extractor's confidence, number of readings."""

IN_SENTENCE, IN_TITLE = 0.8, 0.3
"""What a word counts that the edge's sentence meets, or only its document's title, against 1 in its labels."""

PER_HOP: Final = 0.5
FRONTIER: Final = 20


@dataclass
class _Reached:
    """A fact on the way, how near it is to a seed (0…1), and by which labels it was reached."""

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
        """Follow edges from the seeds, up to the path length; of each entity the edges that meet most."""
        frontier: dict[str, tuple[float, tuple[str, ...]]] = {
            seed.entity.value: (seed.score, (seed.label,)) for seed in seeds
        }
        visited: set[str] = set()
        for _ in range(self.limits.path_length):
            nearest = sorted(frontier.items(), key=lambda item: (-item[1][0], item[0]))[
                : self._breadth(visited)
            ]
            frontier = {}
            for entity, (nearness, path) in nearest:
                visited.add(entity)
                for hit in self._edges_of(entity):
                    self._reach(hit, nearness, path)
                    for neighbour, label in _ends(hit.payload):
                        further = (nearness * PER_HOP, (*path, label))
                        if neighbour not in visited and further[0] > frontier.get(neighbour, (0.0, ()))[0]:
                            frontier[neighbour] = further

    def ranked(self) -> tuple[CandidateEdge, ...]:
        """The best edges, at most the size of the subgraph; ties by their text."""
        candidates = [self._candidate(reached) for reached in self._reached.values()]
        candidates.sort(key=lambda edge: (-edge.score, str(edge.triple)))
        return tuple(candidates[: self.limits.subgraph])

    def _breadth(self, visited: set[str]) -> int:
        return self.limits.entities if not visited else min(FRONTIER, self.limits.entities)

    def _edges_of(self, entity: str) -> list[Hit]:
        return self.index.facts.search(self.question.words, self.limits.triples_per_entity, about=entity)

    def _reach(self, hit: Hit, nearness: float, path: tuple[str, ...]) -> None:
        known = self._reached.get(hit.key)
        if known is None or nearness > known.nearness:
            self._reached[hit.key] = _Reached(hit.payload, nearness, path)

    def _candidate(self, reached: _Reached) -> CandidateEdge:
        payload = reached.payload
        shares = self._shares(payload)
        whole = sum(term.weight for term in self.question.terms)
        coverage = sum(term.weight * share for term, share in shares.items()) / whole if whole else 0.0
        score = (
            WORDS * coverage
            + NEARNESS * reached.nearness
            + CONFIDENCE * payload["confidence"]
            + SUPPORT * min(payload["support"], 5) / 5
        )
        return CandidateEdge(
            triple=triple_from_json(payload["triple"]),
            labels=EdgeLabels(*payload["labels"]),
            score=round(score, 4),
            terms=tuple(term.spelling for term in self.question.terms if term in shares),
            coverage=round(coverage, 4),
            path=reached.path,
            confidence=payload["confidence"],
            support=payload["support"],
        )

    def _shares(self, payload: Payload) -> dict[Term, float]:
        """The question's terms that a fact meets, each with what it counts where it stands."""
        shares: dict[Term, float] = {}
        for place, share in (("strong", 1.0), ("weak", IN_SENTENCE), ("title", IN_TITLE)):
            for term in self.question.met_by(payload[place]):
                shares.setdefault(term, share)
        return shares


def _ends(payload: Payload) -> list[tuple[str, str]]:
    triple, said = payload["triple"], payload["labels"]
    return [(triple[place]["i"], said[at]) for place, at in (("s", 0), ("o", 2)) if triple[place]["t"] == "i"]
