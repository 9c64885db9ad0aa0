"""How a search came to an entity."""

from __future__ import annotations

from dataclasses import dataclass

from provgraph.ports.retriever import Seed, TakenAsOne
from provgraph.retrieval.question import Term


@dataclass(frozen=True)
class Entrance:
    """By what, how near to a seed (0…1), by which labels, what it met on the way, and by taking what as one.

    `within` names the documents whose facts alone count from here on; empty where all do.
    """

    how: str
    nearness: float = 0.0
    path: tuple[str, ...] = ()
    met: frozenset[Term] = frozenset()
    ties: tuple[TakenAsOne, ...] = ()
    within: frozenset[str] = frozenset()

    def lets_in(self, document: str) -> bool:
        return not self.within or document in self.within


def at_seed(seed: Seed) -> Entrance:
    told = tuple(each.told for each in seed.ties)
    within = [each.within for each in seed.ties if each.within]
    return Entrance(
        seed.how,
        seed.score,
        told or (seed.label,),
        ties=seed.ties,
        within=frozenset.intersection(*within) if within else frozenset(),
    )
