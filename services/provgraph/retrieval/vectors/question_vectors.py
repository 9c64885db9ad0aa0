"""What the vectors of a collection say to one question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from provgraph.ports.retriever import RetrievalRequest
from provgraph.retrieval.names import names_in
from provgraph.retrieval.seeds import asked_kinds
from provgraph.retrieval.vectors.index_sync import VectorIndexSync
from provgraph.retrieval.vectors.items import CHUNK, ENTITY, TYPE

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors
    from provgraph.retrieval.vectors.vector_index import Near, VectorIndex

MOST_NAMES: Final = 16
MOST_KINDS: Final = 4


@dataclass(frozen=True)
class QuestionVectors:
    """`question` is the vector of the whole question, `names` one row for each name in it.

    `kinds` has one row for each word that may say what kind of thing is asked for.
    """

    index: VectorIndex
    question: Vectors
    names: Vectors
    kinds: Vectors

    def chunks(self, limit: int) -> dict[str, float]:
        """The chunks most like the question, best first, each with its likeness in 0…1."""
        return _best_of(self.index.nearest(CHUNK, self.question, limit))

    def entities(self, limit: int) -> list[Near]:
        """Entities whose label is like a name in the question, at most `limit` labels for each name."""
        return [near for name in self.names for near in self.index.nearest(ENTITY, name, limit)]

    def types(self, limit: int) -> dict[str, float]:
        """The types whose names are most like what is asked for, best first, each with its likeness in 0…1."""
        near = [near for kind in self.kinds for near in self.index.nearest(TYPE, kind, limit)]
        return _best_of(sorted(near, key=lambda near: (-near.score, near.item.iri)))


async def question_vectors(
    follower: VectorIndexSync[VectorIndex], request: RetrievalRequest, warnings: list[str]
) -> QuestionVectors:
    """The vectors of the collection, and those of the question and its names; `warnings` gets what is missing.

    Raises `ModelUnavailable` when the question cannot be embedded.
    """
    names = list(dict.fromkeys((*request.concepts, *names_in(request.question))))[:MOST_NAMES]
    kinds = [word for words in asked_kinds(request.question) for word in words.split()][:MOST_KINDS]
    embedded = await follower.query_vectors([request.question, *names, *kinds])
    index = await follower.current(request.collection)
    if missing := index.missing():
        why = next(iter(missing.values()))
        number = f"{len(missing)} document{'s' * (len(missing) > 1)}"
        warnings.append(f"{number} could not be embedded yet, so vectors do not find what they say. {why}")
    return QuestionVectors(index, embedded[0], embedded[1 : len(names) + 1], embedded[len(names) + 1 :])


def _best_of(nears: Iterable[Near]) -> dict[str, float]:
    best: dict[str, float] = {}
    for near in nears:
        best.setdefault(near.item.iri, near.score)
    return best
