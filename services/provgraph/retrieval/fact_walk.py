"""Personalised PageRank over entities, facts and chunks together, by local push.

A fact is tied to the entities that it is about and to the chunks that say it; there are no other ties. What lies on
a node is pushed to its neighbours, the most first (Andersen, Chung & Lang 2006, "Local graph partitioning using
PageRank vectors", section 2), so only the neighbourhood of the question is ever read.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from tantivy import Query

from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.keyword_index import Address, any_of

LOOK_UPS: Final = 48
PUSHES: Final = 600
LEAST_RESIDUE: Final = 1e-5
FACTS_OF_AN_ENTITY: Final = 20
FACTS_OF_A_CHUNK: Final = 30


class WalkNode(NamedTuple):
    """`kind` is entity, fact or chunk; `name` an IRI, or the key of a fact."""

    kind: str
    name: str


class FactWalk:
    """One question's walk; of an entity with many facts those count that `words` find."""

    def __init__(self, index: CollectionIndex, words: Sequence[Query], stay: float) -> None:
        self._readings = index.readings
        self._words = words
        self._stay = stay
        self._looked_up = 0
        self._ties: dict[WalkNode, dict[WalkNode, float]] = defaultdict(dict)
        self._known: set[WalkNode] = set()
        self.facts: dict[str, Address] = {}
        """Where a reading of each fact is that the walk came by."""

    def ranks(self, restart: Mapping[WalkNode, float]) -> dict[WalkNode, float]:
        """PageRank of the nodes reached; the walk starts anew at the nodes of `restart`, by their weights."""
        whole = sum(restart.values())
        residue = {node: weight / whole for node, weight in restart.items() if weight > 0}
        waiting = [(-weight, node) for node, weight in residue.items()]
        heapq.heapify(waiting)
        ranks: dict[WalkNode, float] = defaultdict(float)
        for _ in range(PUSHES):
            node = _next(waiting, residue)
            if node is None:
                break
            pushed = residue.pop(node)
            ties = self._neighbours(node)
            ranks[node] += pushed * (self._stay if ties else 1.0)
            whole = sum(ties.values())
            for other, weight in ties.items():
                residue[other] = residue.get(other, 0.0) + (1 - self._stay) * pushed * weight / whole
                heapq.heappush(waiting, (-residue[other], other))
        for node, left in residue.items():
            ranks[node] += self._stay * left
        return {node: rank for node, rank in ranks.items() if rank > 0}

    def _neighbours(self, node: WalkNode) -> Mapping[WalkNode, float]:
        if node.kind != "fact" and node not in self._known and self._looked_up < LOOK_UPS:
            self._known.add(node)
            self._looked_up += 1
            most = FACTS_OF_AN_ENTITY if node.kind == "entity" else FACTS_OF_A_CHUNK
            here = self._readings.having("node" if node.kind == "entity" else "chunk", node.name)
            self._tie(address for _, address in self._readings.search(any_of(self._words, [here]), most))
        return self._ties[node]

    def _tie(self, addresses: Iterable[Address]) -> None:
        for address in addresses:
            payload = self._readings.payload(address)
            fact, confidence = WalkNode("fact", payload["key"]), max(payload["confidence"], 0.01)
            self.facts.setdefault(fact.name, address)
            ends = (payload["fact"]["s"], payload["fact"]["o"])
            about = [WalkNode("entity", end["i"]) for end in ends if end["t"] == "i"]
            for node in (*about, WalkNode("chunk", payload["chunk"])):
                self._ties[node][fact] = self._ties[fact][node] = confidence


def _next(waiting: list[tuple[float, WalkNode]], residue: Mapping[WalkNode, float]) -> WalkNode | None:
    """The node on which most lies; None when that is too little. Entries that are out of date are passed over."""
    while waiting:
        weight, node = heapq.heappop(waiting)
        if residue.get(node) == -weight:
            return node if -weight >= LEAST_RESIDUE else None
    return None
