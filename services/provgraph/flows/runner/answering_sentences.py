"""The sentences of retrieved passages, the best first, with how likely each answers: `sentence_choice` on passages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.sources import Words
from provgraph.comprehension.answer_spans import answer_chances
from provgraph.flows.runner.passages import RetrievedPassage
from provgraph.flows.runner.sentence_choice import (
    ANSWERS,
    MAY_ANSWER,
    AskedQuestion,
    RankedSentence,
    SentenceCandidate,
    rank,
)
from provgraph.ports.retriever import QuestionTerm

MOST_PASSAGES: Final = 10
"""Of so many passages, the best, sentences are ranked: the weights were fitted on as many."""


MOST_LOOKED_AT: Final = 12
MOST_CLOSEST: Final = 2
LEAST_CLOSE: Final = -5.0
"""Of how many sentences the closest are told, how many they are, and how close they must be."""


@dataclass(frozen=True)
class AnsweringSentence:
    """A sentence of a passage, and how likely it answers."""

    passage: RetrievedPassage
    words: Words
    ranked: RankedSentence

    @property
    def probability(self) -> float:
        return self.ranked.probability

    @property
    def answers(self) -> bool:
        return self.probability >= ANSWERS

    @property
    def may_answer(self) -> bool:
        return self.probability >= MAY_ANSWER

    @property
    def explanation(self) -> str:
        reasons = self.ranked.reasons
        why = f": {'; '.join(reasons)}" if reasons else ""
        return f"“{' '.join(self.words.text.split())}” answers with probability {self.probability:.2f}{why}."


def closest_by_reading(question: str, sentences: Sequence[AnsweringSentence]) -> list[AnsweringSentence]:
    """Those of the likeliest sentences that are closest to a question by their chance and by how likely the network
    reads an answer in them: of 86 questions in other words two such hold the answer of 62, by chance of 55."""
    looked_at = sentences[:MOST_LOOKED_AT]
    texts = [" ".join(sentence.words.text.split()) for sentence in looked_at]
    chances = answer_chances(question, texts)
    scored = [(_closeness(each, read), each) for each, read in zip(looked_at, chances, strict=True)]
    scored.sort(key=lambda each: -each[0])
    return [each for score, each in scored[:MOST_CLOSEST] if score >= LEAST_CLOSE]


def _closeness(sentence: AnsweringSentence, read: float) -> float:
    likely = min(max(sentence.probability, 0.001), 0.999)
    return math.log(read + 0.02) + math.log(likely / (1 - likely))


def answering_sentences(
    question: str, weighed: Sequence[QuestionTerm], passages: Sequence[RetrievedPassage]
) -> list[AnsweringSentence]:
    """Best first, each sentence once, though passages overlap; none where the passages have no sentence vectors."""
    looked_at = passages[:MOST_PASSAGES]
    if not any(passage.hit.senses for passage in looked_at):
        return []
    places: dict[int, tuple[RetrievedPassage, Words]] = {}
    candidates: list[SentenceCandidate] = []
    seen: set[tuple[str, int]] = set()
    for passage in looked_at:
        likeness = {(sense.start, sense.end): sense.likeness for sense in passage.hit.senses}
        heading = ""
        for words in passage.sentences:
            if words.text.startswith("#"):
                heading = words.text.lstrip("# ")
            if (words.page.value, words.start) in seen:
                continue
            seen.add((words.page.value, words.start))
            at = words.start - passage.at.offset, words.end - passage.at.offset
            candidate = SentenceCandidate(
                words.text, likeness.get(at), passage.hit.title, heading, passage.hit.text, passage.rank
            )
            places[id(candidate)] = passage, words
            candidates.append(candidate)
    return [
        AnsweringSentence(*places[id(sentence.sentence)], sentence)
        for sentence in rank(AskedQuestion(question, weighed), candidates)
    ]
