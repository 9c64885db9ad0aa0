"""The sentences of retrieved passages, the best first, with how likely each answers: `sentence_choice` on passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.sources import Words
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
        AnsweringSentence(*places[id(each.sentence)], each)
        for each in rank(AskedQuestion(question, weighed), candidates)
    ]
