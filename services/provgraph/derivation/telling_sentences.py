"""Which sentences of the passages found are looked at for an answer: those with most of the question's words, and those
that are nearest to it in sense.
"""

from __future__ import annotations

from typing import Final

from provgraph.derivation.asking import Asking
from provgraph.derivation.candidates import SentenceView
from provgraph.derivation.evidence import Found, ReadPassage, SentenceLikelihood
from provgraph.derivation.features import words_met
from provgraph.derivation.names import holds, likeness, words_of
from provgraph.reading.syntax import ParsedSentence

MOST_SENTENCES: Final = 18
_AS_ONE: Final = 0.85


def most_telling(asked: Asking, found: Found) -> list[tuple[ReadPassage, ParsedSentence]]:
    """The sentences to look at: by turns the one with most of the question's words and the one that is nearest to it in
    sense, where it is asked in other words."""
    rated: list[tuple[float, float, ReadPassage, ParsedSentence]] = []
    for rank, passage in enumerate(found.passages):
        for sentence in passage.parsed:
            text = passage.text[sentence.start : sentence.end]
            if text.strip() == passage.title:  # it says nothing
                continue
            met = sum(word.weight for word in words_met(asked.words, text)) / asked.weight
            sense = sense_of(found, passage, sentence)
            answers, like = (sense.probability, sense.likeness) if sense else (0.0, 0.0)
            near = answers + 0.03 * like + 0.01 * met
            rated.append((met + answers - 0.01 * rank, near - 0.001 * rank, passage, sentence))
    by_words = sorted(rated, key=lambda each: -each[0])
    by_sense = sorted(rated, key=lambda each: -each[1])
    turns = zip(by_words, by_sense, strict=True)
    chosen = {(p.key, s.start): (p, s) for turn in turns for _, _, p, s in turn}
    return list(chosen.values())[:MOST_SENTENCES]


def sense_of(found: Found, passage: ReadPassage, sentence: ParsedSentence) -> SentenceLikelihood | None:
    """What is known of a sentence's sense; where sentences were cut otherwise, of one that begins within it."""
    exact = found.senses.get((passage.key, sentence.start))
    if exact is not None:
        return exact
    inside = (found.senses.get((passage.key, at)) for at in range(sentence.start - 2, sentence.end))
    return max(
        (likelihood for likelihood in inside if likelihood is not None),
        key=lambda likelihood: likelihood.probability,
        default=None,
    )


def is_about_another(asked: Asking, view: SentenceView) -> bool:
    """Whether a sentence is about something of another name that ends with the same word, and does not name what the
    question does: "Marl Bridge", "Kestrel Bridge"; a title that holds the name ("Rules of the Marl Bridge") is none."""
    about = (*view.resolved, view.passage.title)
    for name in asked.names:
        words = words_of(name)
        if len(words) > 1 and not holds(view.text, name) and likeness(name, view.passage.title) < _AS_ONE:
            others = [words_of(each) for each in about if likeness(each, name) == 0 and not holds(each, name)]
            if any(len(each) > 1 and each[-1] == words[-1] and each[0] != words[0] for each in others):
                return True
    return False
