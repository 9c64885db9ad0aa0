"""What the sentences of a collection say to one question by their sense."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from provgraph.errors import ModelUnavailable
from provgraph.retrieval.sense.sentences import sentence_changes
from provgraph.retrieval.vectors.index_sync import VectorIndexSync, VectorKind

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors
    from provgraph.retrieval.sense.sentence_index import SentenceIndex


def _opened(place: Path) -> SentenceIndex:
    from provgraph.retrieval.sense.sentence_index import SentenceIndex  # numpy is slow to import

    return SentenceIndex(place)


SENTENCES: Final[VectorKind[SentenceIndex]] = VectorKind(sentence_changes, _opened, facts=False)


@dataclass(frozen=True)
class QuestionSense:
    """`question` is the vector of the whole question."""

    index: SentenceIndex
    question: Vectors

    def chunks(self, limit: int) -> dict[str, float]:
        """The chunks with the sentences most like the question, best first, each with its best likeness in 0…1."""
        return self.index.nearest(self.question, limit)

    def sentences(self, chunks: Sequence[str]) -> dict[str, list[tuple[int, int, float]]]:
        """The sentences of these chunks, as places in their texts, and how like the question each is, in −1…1."""
        return self.index.likeness(self.question, chunks)


async def question_sense(
    follower: VectorIndexSync[SentenceIndex], question: str, collection: str, warnings: list[str]
) -> QuestionSense | None:
    """The sense of a question, None where it cannot be had; `warnings` gets what is missing."""
    try:
        (vector,) = await follower.query_vectors([question])
    except ModelUnavailable as error:
        warnings.append(f"Answered without sentence vectors. {error}")
        return None
    index = await follower.current(collection)
    if missing := index.missing():
        number = f"{len(missing)} document{'s' * (len(missing) > 1)}"
        why = next(iter(missing.values()))
        warnings.append(f"{number} could not be embedded yet, so that only words find what they say. {why}")
    return QuestionSense(index, vector)


def behind(
    follower: VectorIndexSync[SentenceIndex], sense: QuestionSense, collection: str, passages: int
) -> str:
    """What an answer has to say while sentences are still embedded behind an ingest; empty where all are."""
    left = passages - sense.index.count()
    if left <= 0 or not follower.is_behind(collection):
        return ""
    return f"Answered without sentence vectors for {left} of {passages} passages: they are still being made."
