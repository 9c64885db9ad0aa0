"""The answer as the network reads it in the passages found, whatever words the question is put in.

Roles and relations say nothing here: windows of a sentence and its neighbours are read, by turns those nearest to the
question by sense, by words and by what retrieval takes for likely. How likely the likeliest span of all is right is
fitted (`benchmarks/read_weights.py`), as a span is soon read that only stands near what is asked; what the ranking of
all that sentences name takes for the answer counts, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from provgraph.derivation.affinity import stems
from provgraph.derivation.answer_kinds import has_no_number_asked
from provgraph.derivation.evidence import Found, ReadPassage, support_at
from provgraph.derivation.inner_phrases import inner_phrases
from provgraph.derivation.names import likeness
from provgraph.derivation.question_forms import asks_for_several, asks_what_it_is, is_yes_no
from provgraph.derivation.read_windows import Window, WindowSpan, log_odds, read_windows
from provgraph.derivation.result import AnswerKind, Derived, Step
from provgraph.derivation.telling_sentences import sense_of
from provgraph.language.languages import ENGLISH, language_of
from provgraph.language.terms import words
from provgraph.language.weighted_sum import weighted_sum
from provgraph.reading.propositions import Span
from provgraph.reading.syntax import ParsedSentence, Parser
from provgraph.reading.values import Date, Quantity

MOST_WINDOWS: Final = 16
MOST_SPANS: Final = 5
LEAST: Final = 0.33
"""How likely an answer that was read has to be right to be given."""
LEAST_READ: Final = 0.5
"""The least chance with which it has to be read where it stands."""
LEAST_COVERED, LEAST_LIKE = 0.1, 0.17
"""How much of the question its window has to say, or how like the question its sentence has to be, where no one
document is asked: what none of the documents is about is read in some of them."""
_NOT_READ: Final = (is_yes_no, asks_for_several, asks_what_it_is)
_AS_ONE: Final = 0.6
_SURELY: Final = 6.0
_MOST_ASKED: Final = 2
_MOST_ADDED: Final = 3
"""Words around a number or a date that are read as one with it."""
WEIGHTS: Final[Mapping[str, float]] = {
    "bias": -1.02, "read": 1.35, "lead": 0.35, "likeness": -0.3, "less like than the likest": 1.2, "answers": 0.32,
    "covered": -0.84, "rank": -0.94, "read and covered": -1.06, "read and answers": 0.67, "in one document": 0.77,
    "things described": -1.2, "as ranked": 2.57, "ranked otherwise": -0.95,
}  # fmt: skip


@dataclass(frozen=True)
class ReadAnswer:
    """The likeliest span of all windows, and what tells how likely it is right."""

    read: WindowSpan
    measured: Mapping[str, float]

    @property
    def probability(self) -> float:
        return 1 / (1 + math.exp(-weighted_sum(WEIGHTS)(self.measured)))

    @property
    def is_far(self) -> bool:
        """Whether it is neither in the document that is asked, nor has words of the question or is like it."""
        measured = self.measured
        is_unlike = measured["covered"] < LEAST_COVERED and measured["likeness"] < LEAST_LIKE
        return is_unlike and not measured["in one document"]


def read_openly(
    question: str, found: Found, parser: Parser, ranked: tuple[str, float], *, in_one: bool
) -> Derived | None:
    """None where the question asks whether, for several or what something is in general, or nothing is read. `ranked`
    is what else is taken for the answer, and how likely it is right; `in_one` tells whether the question is put to one
    document alone."""
    if any(asks_otherwise(question) for asks_otherwise in _NOT_READ) or language_of(question) != ENGLISH:
        return None
    best = likeliest(question, found, parser, ranked, in_one=in_one)
    if best is None or best.read.chance < LEAST_READ or best.probability < LEAST or best.is_far:
        return None
    passage, span, chance = best.read.window.passage, best.read.span, best.probability
    support = support_at(passage, span)
    if has_no_number_asked(question, span.text) or language_of(support.sentence.text) != ENGLISH:
        return None
    why = f"Read as the answer where the question is put to these sentences (probability {chance:.2f})."
    step = Step("choose", span.text, why, (support,))
    return Derived(span.text, _kind(passage, span), (step,), chance)


def likeliest(
    question: str, found: Found, parser: Parser, ranked: tuple[str, float], *, in_one: bool
) -> ReadAnswer | None:
    """The span that is read with the highest chance, measured beside the question."""
    windows = list(_windows(found))
    spans = sorted(read_windows(question, windows, MOST_SPANS), key=lambda each: -each.chance)
    if not spans:
        return None
    read, rivals = spans[0], [each for each in spans[1:] if are_two(each.span.text, spans[0].span.text)]
    beside = log_odds(rivals[0].chance) if rivals else -_SURELY
    likest = max(_likest(found, each.window) for each in spans)
    described = min(len(inner_phrases(question, parser)), _MOST_ASKED) / _MOST_ASKED
    measured = _measures(found, read, beside, likest) | {
        "in one document": float(in_one),
        "things described": described,
        "as ranked": 0.0 if are_two(ranked[0], read.span.text) else ranked[1],
        "ranked otherwise": ranked[1] if are_two(ranked[0], read.span.text) else 0.0,
    }
    return ReadAnswer(read, measured)


def _measures(found: Found, best: WindowSpan, beside: float, likest: float) -> dict[str, float]:
    """What tells of a span whether it is right: `beside` are the log odds of the likeliest other answer, `likest` is
    how like the question a sentence is at most."""
    window, read = best.window, log_odds(best.chance)
    sentence = support_at(window.passage, best.span).parsed
    like, answers = _sense(found, window.passage, sentence) if sentence is not None else (0.0, 0.0)
    covered = _covered(found.weights, window.text)
    return {
        "bias": 1.0,
        "read": read / _SURELY,
        "lead": min(read - beside, _SURELY) / _SURELY,
        "likeness": like,
        "less like than the likest": _likest(found, window) - likest,
        "answers": answers,
        "covered": covered,
        "rank": found.passages.index(window.passage) / 10,
        "read and covered": read * covered / _SURELY,
        "read and answers": read * answers / _SURELY,
    }


def _windows(found: Found) -> Iterator[Window]:
    rated = []
    for rank, passage in enumerate(found.passages):
        for number, sentence in enumerate(passage.parsed):
            text = passage.text[sentence.start : sentence.end]
            if text.strip() in ("", passage.title):
                continue
            like, answers = _sense(found, passage, sentence)
            met = _covered(found.weights, text) - rank / 100
            rated.append(((like, met, answers), (passage, number)))
    orders = [sorted(rated, key=lambda each: -each[0][by]) for by in range(3)]
    turns = zip(*orders, strict=True)
    taken: list[Window] = []
    for passage, number in dict.fromkeys(place for turn in turns for _, place in turn):
        if not any(window.has(passage, passage.parsed[number]) for window in taken):
            taken.append(Window.around(passage, number))
            yield taken[-1]
        if len(taken) == MOST_WINDOWS:
            return


def _sense(found: Found, passage: ReadPassage, sentence: ParsedSentence) -> tuple[float, float]:
    """How like the question a sentence is, and how likely it answers."""
    sense = sense_of(found, passage, sentence)
    return (sense.likeness, sense.probability) if sense else (0.0, 0.0)


def _likest(found: Found, window: Window) -> float:
    """How like the question the likest sentence of a window is."""
    inside = (each for each in window.passage.parsed if window.has(window.passage, each))
    senses = (found.senses.get((window.passage.key, sentence.start)) for sentence in inside)
    return max((sense.likeness for sense in senses if sense is not None), default=0.0)


def _covered(weights: Mapping[str, float], text: str) -> float:
    """The share of the question's weight whose words a text has."""
    said, whole = _stems_of(text), sum(weights.values())
    met = (weight for word, weight in weights.items() if not stems(word).isdisjoint(said))
    return sum(met) / whole if whole else 0.0


@lru_cache(maxsize=1024)
def _stems_of(text: str) -> frozenset[str]:
    return frozenset(stem for word in words(text) for stem in stems(word))


def are_two(answer: str, other: str) -> bool:
    """Whether two texts are two answers, and neither is a part of the other."""
    one, two = answer.casefold(), other.casefold()
    return not one or (one not in two and two not in one and likeness(answer, other) < _AS_ONE)


def _kind(passage: ReadPassage, span: Span) -> AnswerKind:
    inside = [value for value in passage.values if span.start <= value.start and value.end <= span.end]
    words_around = span.text.count(" ") - sum(passage.text.count(" ", v.start, v.end) for v in inside)
    if len(inside) == 1 and words_around <= _MOST_ADDED:
        if isinstance(inside[0].value, Date):
            return "date"
        if isinstance(inside[0].value, Quantity):
            return "number"
    return "entity" if span.text[:1].isupper() else "span"
