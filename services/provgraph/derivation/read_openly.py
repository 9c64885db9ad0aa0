"""The answer as the network reads it in the passages found, whatever words the question is put in.

Windows of a sentence and its neighbours are read, by turns those nearest to the question by sense, by words and by what
retrieval takes for likely. All spans that are read in any of them, and what was found otherwise, are candidates of one
choice: their chances and that of none sum to one, and are fitted as ListNet (Cao et al. 2007, "Learning to Rank") by
`benchmarks/read_weights.py`. What is written a little longer or shorter is one answer, as likely as all its forms.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from provgraph.comprehension.answer_spans import answer_chances
from provgraph.derivation.affinity import covered
from provgraph.derivation.answer_kinds import has_no_number_asked
from provgraph.derivation.answer_labels import in_full
from provgraph.derivation.coordinations import is_several
from provgraph.derivation.evidence import Found, ReadPassage, support_at
from provgraph.derivation.names import likeness
from provgraph.derivation.question_forms import asks_for_several, asks_what_it_is, is_yes_no
from provgraph.derivation.read_windows import Window, WindowSpan, log_odds, read_windows
from provgraph.derivation.result import AnswerKind, Derived, Step
from provgraph.derivation.telling_sentences import sense_of
from provgraph.language.languages import ENGLISH, language_of
from provgraph.language.weighted_sum import weighted_sum
from provgraph.reading.propositions import Span
from provgraph.reading.syntax import ParsedSentence
from provgraph.reading.values import Date, Quantity

MOST_WINDOWS: Final = 16
MOST_SPANS: Final = 3
LEAST: Final = 0.45
"""How likely an answer that was read has to be right to be given."""
LEAST_COVERED, LEAST_LIKE = 0.1, 0.17
"""How much of the question its window has to say, or how like the question its sentence has to be, where no one
document is asked: what none of the documents is about is read in some of them."""
IN_ITS_WORDS: Final = 0.7
"""What share of the question a sentence has to say for it to be in the question's words."""
_NOT_READ: Final = (is_yes_no, asks_what_it_is)
_AS_ONE: Final = 0.6
_SURELY: Final = 6.0
_ALONE: Final = 6
"""Of how many spans the sentence is read by itself, too."""
_READ_ELSEWHERE: Final = 3
_MOST_ADDED: Final = 3
"""Words around a number or a date that are read as one with it."""
_BY_COVER: Final = 0.3
_UNREAD: Final = -1.0
WEIGHTS: Final[Mapping[str, float]] = {
    "read": 2.47, "window covers": -1.36, "covers less than the best": 2.58, "likeness": 0.53, "read elsewhere": 0.37,
    "several for several": 0.14, "several for one": -0.81, "read and likeness": -0.95, "found otherwise": 1.38,
    "its sentence answers alone": 1.93,
}  # fmt: skip
NONE: Final = 1.31
"""The score of no answer at all."""
_EDGES: Final = " \t\n.,;:\"'“”‘’()"
_LEADING: Final = re.compile(r"(?:the|an?|in|on|at|by|from|to|of)\s+")
_HIMSELF: Final = re.compile(r" (?:him|her|it)self$")
_OF_ONE: Final = frozenset(("Person", "Place", "Organization", "Number", "Date"))


@dataclass(frozen=True)
class AskedOpenly:
    """What is read for: the question, the kind that it asks for (empty where no kind is told), whether it asks for
    several, and whether it is put to one document alone."""

    text: str
    kind: str = ""
    for_several: bool = False
    in_one: bool = False

    @property
    def may_be_read(self) -> bool:
        """Not where it asks whether, or what something is in general, or in another language."""
        return not any(asks(self.text) for asks in _NOT_READ) and language_of(self.text) == ENGLISH

    @property
    def is_of_several(self) -> bool:
        return self.for_several or asks_for_several(self.text)


@dataclass(frozen=True)
class ReadAnswer:
    """A candidate: where it is read best (None where it was only found otherwise), and what tells how likely it is."""

    text: str
    read: WindowSpan | None
    measured: Mapping[str, float]
    probability: float = 0.0

    @property
    def score(self) -> float:
        return weighted_sum(WEIGHTS)(self.measured)

    @property
    def is_far(self) -> bool:
        """Whether neither the words of its window nor its sense are the question's."""
        measured = self.measured
        return measured["window covers"] < LEAST_COVERED and measured["likeness"] < LEAST_LIKE


def read_openly(asked: AskedOpenly, found: Found, known: tuple[str, float]) -> Derived | None:
    """None where nothing that was read is likely enough. `known` is what else is taken for the answer, and how likely
    it is right; it is given back as `Derived` without steps where it was not read at all."""
    best = likeliest(candidates(asked, found, known)) if asked.may_be_read else None
    if best is None or best.probability < LEAST or (best.is_far and best.read and not asked.in_one):
        return None
    if best.read is None:
        return Derived(best.text, "span", (), best.probability)
    if has_no_number_asked(asked.text, best.text):
        return None
    return _derived(best)


def _derived(answer: ReadAnswer) -> Derived | None:
    """None where it was not read, or in another language."""
    if answer.read is None:
        return None
    passage, span = answer.read.window.passage, answer.read.span
    support = support_at(passage, span)
    if language_of(support.sentence.text) != ENGLISH:
        return None
    probability = answer.probability
    why = f"Read as the answer where the question is put to these sentences (probability {probability:.2f})."
    step = Step("choose", span.text, why, (support,))
    return Derived(span.text, _kind(passage, span), (step,), probability)


def likeliest(answers: Sequence[ReadAnswer]) -> ReadAnswer | None:
    """The likeliest of the candidates, as likely as all forms of it."""
    return next(iter(by_likelihood(answers)), None)


def by_likelihood(answers: Sequence[ReadAnswer]) -> Iterator[ReadAnswer]:
    """The candidates, likeliest first, each as likely as all forms of it, of which only the first is told."""
    if not answers:
        return
    scores = [answer.score for answer in answers]
    most = max(*scores, NONE)
    shares = [math.exp(score - most) for score in scores]
    whole = sum(shares) + math.exp(NONE - most)
    rest = sorted(zip(answers, shares, strict=True), key=lambda each: -each[1])
    while rest:
        best = rest[0][0]
        forms = sum(share for answer, share in rest if _is_form(answer.text, best.text))
        rest = [each for each in rest[1:] if not _is_form(each[0].text, best.text)]
        yield replace(best, probability=forms / whole)


def read_for_step(asked: AskedOpenly, found: Found, known: tuple[str, float], most: int) -> list[Derived]:
    """The likeliest answers of one step, however unlikely."""
    read = islice(by_likelihood(candidates(asked, found, known)), most) if asked.may_be_read else ()
    steps = [derived for each in read if (derived := _derived(each)) is not None]
    return [_in_full(each, found) for each in steps] if asked.kind == "Person" else steps


def _in_full(step: Derived, found: Found) -> Derived:
    """The step with the whole name for a last name, as the document or another one found has it."""
    own = [support.passage for support in step.ending]
    alike = (p for p in found.passages if any(p.document == each.document for each in own))
    name = _HIMSELF.sub("", step.text)
    name = in_full(in_full(name, *own, *alike), *found.passages)
    return replace(step, text=name, steps=tuple(replace(each, value=name) for each in step.steps))


def candidates(asked: AskedOpenly, found: Found, known: tuple[str, float]) -> list[ReadAnswer]:
    """Every answer that is read in any window, measured, and what was found otherwise if it was not read."""
    windows = list(_windows(found))
    forms: dict[str, list[WindowSpan]] = {}
    for read in read_windows(asked.text, windows, MOST_SPANS):
        if bare(read.span.text):
            forms.setdefault(bare(read.span.text), []).append(read)
    said = {id(window): covered(found.weights, window.text) for window in windows}
    likest = {
        form: max(own, key=lambda each: log_odds(each.chance) / _SURELY + _BY_COVER * said[id(each.window)])
        for form, own in forms.items()
    }
    alone = _answered_alone(asked.text, likest.values())
    most = max(said.values(), default=0.0)
    answers = []
    for form, best in likest.items():
        covers = said[id(best.window)]
        rest = sorted((each.chance for each in forms[form] if each is not best), reverse=True)
        like, surely = _likeness(found, best), log_odds(best.chance) / _SURELY
        several = is_several(best.span.text)
        measured = {
            "read": surely,
            "window covers": covers,
            "covers less than the best": covers - most,
            "likeness": like,
            "read elsewhere": math.log1p(sum(rest[:_READ_ELSEWHERE])),
            "several for several": (1.0 if several else -1.0) if asked.is_of_several else 0.0,
            "several for one": float(several and asked.kind in _OF_ONE and not asked.is_of_several),
            "read and likeness": surely * like,
            "found otherwise": known[1] if known[0] and _is_one(known[0], best.span.text) else 0.0,
            "its sentence answers alone": alone.get(form, 0.0),
        }
        answers.append(ReadAnswer(best.span.text, best, measured))
    if known[0] and not any(_is_form(known[0], answer.text) for answer in answers):
        measured = {**dict.fromkeys(WEIGHTS, 0.0), "read": _UNREAD, "found otherwise": known[1]}
        answers.append(ReadAnswer(known[0], None, measured))
    return answers


def _answered_alone(question: str, spans: Iterable[WindowSpan]) -> dict[str, float]:
    """By the form of the likeliest spans: how likely their sentence answers where it is read by itself."""
    likely = sorted(spans, key=lambda each: -each.chance)[:_ALONE]
    texts = [
        f"{each.window.lead}{passage.text[sentence.start : sentence.end]}"
        for each in likely
        for passage in (each.window.passage,)
        for sentence in (passage.sentence_at(each.span.start),)
    ]
    chances = answer_chances(question, texts)
    return {bare(each.span.text): chance for each, chance in zip(likely, chances, strict=True)}


def bare(answer: str) -> str:
    """An answer without the article or preposition before it, in small letters."""
    return _LEADING.sub("", answer.strip(_EDGES).casefold(), count=1)


def _is_form(answer: str, other: str) -> bool:
    """Whether one answer is the other with words around it."""
    one, two = bare(answer), bare(other)
    return bool(one and two) and (one in two or two in one)


def is_in_words_of(found: Found, answer: Derived) -> bool:
    """Whether the sentence of an answer, with its title, has most words of the question."""
    texts = (f"{support.passage.title}. {support.sentence.text}" for support in answer.ending)
    return any(covered(found.weights, text) >= IN_ITS_WORDS for text in texts)


def longer(answer: str, other: str) -> str:
    """Of two forms of one answer the one that says more."""
    return answer if bare(other) in bare(answer) else other


def _is_one(answer: str, other: str) -> bool:
    return _is_form(answer, other) or likeness(answer, other) >= _AS_ONE


def _windows(found: Found) -> Iterator[Window]:
    rated = []
    for rank, passage in enumerate(found.passages):
        for number, sentence in enumerate(passage.parsed):
            text = passage.text[sentence.start : sentence.end]
            if text.strip() in ("", passage.title):
                continue
            like, answers = _sense(found, passage, sentence)
            met = covered(found.weights, text) - rank / 100
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


def _likeness(found: Found, read: WindowSpan) -> float:
    """How like the question the sentence of a span is."""
    sentence = support_at(read.window.passage, read.span).parsed
    return _sense(found, read.window.passage, sentence)[0] if sentence is not None else 0.0


def _kind(passage: ReadPassage, span: Span) -> AnswerKind:
    inside = [value for value in passage.values if span.start <= value.start and value.end <= span.end]
    words_around = span.text.count(" ") - sum(passage.text.count(" ", v.start, v.end) for v in inside)
    if len(inside) == 1 and words_around <= _MOST_ADDED:
        if isinstance(inside[0].value, Date):
            return "date"
        if isinstance(inside[0].value, Quantity):
            return "number"
    return "entity" if span.text[:1].isupper() else "span"
