"""The sentences of retrieved passages as `answer_reading` orders them, and the selection of chunks that follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import anyio.to_thread

from provgraph.catalogue.sources import Words
from provgraph.flows.runner.answer_reading import ReadSentence, read_sentences
from provgraph.flows.runner.chunk_answers import (
    SELECTOR,
    ChunkSelection,
    WeighedPassage,
    select_chunks,
)
from provgraph.flows.runner.passages import QuestionWeights, RetrievedPassage
from provgraph.flows.runner.sentence_choice import AskedQuestion, SentenceCandidate
from provgraph.provenance.document_trace import RejectedChunk

MOST_TOLD: Final = 3
BESIDE: Final = 0.15
"""So many sentences are quoted, those beside the best scoring at most so much less."""


@dataclass(frozen=True)
class ReadWords:
    """A sentence of a passage, and what was read in it."""

    passage: RetrievedPassage
    words: Words
    read: ReadSentence

    @property
    def answers(self) -> bool:
        return self.read.answers

    @property
    def explanation(self) -> str:
        return f"“{' '.join(self.words.text.split())}”: {self.read.reason}"


async def read_passages(
    question: str, weights: QuestionWeights, passages: Sequence[RetrievedPassage]
) -> list[ReadWords]:
    """Best first, each sentence once though passages overlap. Reads in a thread."""
    return await anyio.to_thread.run_sync(_read, question, weights, passages)


def _read(question: str, weights: QuestionWeights, passages: Sequence[RetrievedPassage]) -> list[ReadWords]:
    places: list[tuple[RetrievedPassage, Words]] = []
    candidates: list[SentenceCandidate] = []
    first = _first_characters(passages)
    seen: set[tuple[str, int]] = set()
    for passage in passages:
        likeness = {(sense.start, sense.end): sense.likeness for sense in passage.hit.senses}
        heading = passage.hit.context.partition("\n")[0]
        for words in passage.sentences:
            if words.text.startswith("#"):
                heading = words.text.lstrip("# ")
            place = words.page.value, words.end
            if place in seen or words.start > first[place]:
                continue
            seen.add(place)
            at = words.start - passage.at.offset, words.end - passage.at.offset
            text = " ".join(passage.meaning(words).split())
            candidates.append(
                SentenceCandidate(
                    text, likeness.get(at), passage.hit.title, heading, passage.hit.text, passage.rank
                )
            )
            places.append((passage, words))
    asked = AskedQuestion(question, weights.terms)
    return [ReadWords(*places[sentence.index], sentence) for sentence in read_sentences(asked, candidates)]


def _first_characters(passages: Sequence[RetrievedPassage]) -> dict[tuple[str, int], int]:
    """By page and last character of a sentence its first: where a passage begins within one, another has it whole."""
    first: dict[tuple[str, int], int] = {}
    for words in (words for passage in passages for words in passage.sentences):
        place = words.page.value, words.end
        first[place] = min(words.start, first.get(place, words.start))
    return first


def select_read(
    weights: QuestionWeights,
    passages: Sequence[RetrievedPassage],
    limit: int,
    reading: Sequence[ReadWords],
) -> ChunkSelection:
    """The passages of the best sentences, at most `limit`; the sentences that are told where they answer."""
    best = reading[0] if reading else None
    if best is None or not best.answers:
        return _refused(select_chunks(weights, passages, limit), best)
    order = dict.fromkeys(id(read_words.passage) for read_words in reading)
    by_id = {id(passage): passage for passage in passages}
    retrieved_passages = [by_id[each] for each in order][:limit]
    told = [
        read_words
        for read_words in reading
        if read_words.answers
        and (read_words.read.score >= best.read.score - BESIDE or read_words.read.stands_with(best.read))
    ][:MOST_TOLD]
    others = (passage for passage in passages if not any(passage is other for other in retrieved_passages))
    return ChunkSelection(
        tuple(_weighed(passage, reading) for passage in retrieved_passages),
        tuple(_rejected(passage, reading) for passage in others),
        weights,
        suffices=True,
        told=tuple(told),
    )


def _refused(selection: ChunkSelection, best: ReadWords | None) -> ChunkSelection:
    """The chunks that words would select, of which nothing is told."""
    return ChunkSelection(
        selection.chosen, selection.rejected, selection.weights, suffices=False, told=(best,) if best else ()
    )


def _weighed(passage: RetrievedPassage, reading: Sequence[ReadWords]) -> WeighedPassage:
    own = next(read_words for read_words in reading if read_words.passage is passage)
    return WeighedPassage(passage, own.words, own.read.coverage)


def _rejected(passage: RetrievedPassage, reading: Sequence[ReadWords]) -> RejectedChunk:
    own = next((read_words for read_words in reading if read_words.passage is passage), None)
    scored = f"Its best sentence scores {own.read.score:.2f}" if own else "None of its sentences was read"
    best = f"the best of all {reading[0].read.score:.2f}" if reading else "none of any other"
    return RejectedChunk(passage.hit.chunk, passage.hit.score, f"{scored}; {best}.")


__all__ = ["SELECTOR", "ReadWords", "read_passages", "select_read"]
