"""What a way of ranking is: a name, what it does, its parameters, and a function from a question to what it found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from provgraph.catalogue.decisions import Decisions
from provgraph.errors import InvalidInput
from provgraph.ports.retriever import CandidateEdge, RetrievalRequest, Seed
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.identity.recognition import joined
from provgraph.retrieval.identity.resolver import Resolver
from provgraph.retrieval.keyword_index import Payload
from provgraph.retrieval.passages import RankedPassage
from provgraph.retrieval.question import WeightedQuestion
from provgraph.retrieval.seeds import SeedSearch

if TYPE_CHECKING:
    from provgraph.retrieval.sense.question_sense import QuestionSense
    from provgraph.retrieval.vectors.question_vectors import QuestionVectors


@dataclass(frozen=True)
class MethodParameter:
    """A number that a request may set, from `least` to `most`."""

    default: float
    least: float
    most: float
    meaning: str


@dataclass(frozen=True)
class SearchContext:
    """One question put to one collection; `parameters` has a value for each that the method has.

    `text` reads the text of a chunk, by the payload of its entry. `sense` is None where there are no sentence vectors.
    """

    question: WeightedQuestion
    index: CollectionIndex
    request: RetrievalRequest
    text: Callable[[Payload], str]
    parameters: Mapping[str, float] = field(default_factory=dict)
    vectors: QuestionVectors | None = None
    decisions: Decisions = Decisions()
    sense: QuestionSense | None = None

    @cached_property
    def identities(self) -> Resolver:
        """Which entities are one."""
        return Resolver(self.index, self.decisions)

    @property
    def by_likeness(self) -> QuestionVectors:
        """The vectors, for a method that reads them."""
        if self.vectors is None:
            raise InvalidInput("This way of ranking reads vectors, and this service has none.")
        return self.vectors


@dataclass(frozen=True)
class SearchResult:
    """What the indexes alone say, everything best first."""

    passages: Sequence[RankedPassage]
    edges: Sequence[CandidateEdge]
    seeds: Sequence[Seed] = ()


@dataclass(frozen=True)
class Method:
    """`rank` ranks passages and edges; `meaning` is one line that tells how.

    One that `reads_vectors` is asked with the question's vectors.
    """

    name: str
    meaning: str
    rank: Callable[[SearchContext], SearchResult]
    parameters: Mapping[str, MethodParameter] = field(default_factory=dict)
    reads_vectors: bool = False

    def settings(self, given: Mapping[str, float]) -> dict[str, float]:
        """A value for each parameter: the one given, else its default.

        Raises `InvalidInput` for a parameter that the method does not have, and for a value out of its range.
        """
        for name, value in given.items():
            known = self.parameters.get(name)
            if known is None:
                has = f"It has: {', '.join(self.parameters)}." if self.parameters else "It has none."
                raise InvalidInput(f"The method {self.name!r} has no parameter {name!r}. {has}")
            if not known.least <= value <= known.most:
                raise InvalidInput(f"The parameter {name!r} goes from {known.least:g} to {known.most:g}.")
        return {name: given.get(name, parameter.default) for name, parameter in self.parameters.items()}


def standing(ranked: Sequence[RankedPassage]) -> dict[str, float]:
    """How well each chunk of a ranking stands beside the best, in 0…1."""
    best = ranked[0].score if ranked else 1.0
    return {passage.chunk: passage.score / best for passage in ranked}


def found_seeds(asking: SearchContext) -> list[Seed]:
    """The entities that the question names, nearly names or asks for by type, and all that are one with them."""
    limit = asking.request.limits.entities
    seeds = SeedSearch(asking.question, asking.index).seeds(asking.request.concepts, (), limit)
    return joined(seeds, asking.identities)
