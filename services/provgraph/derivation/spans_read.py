"""What the network reads as the answer in the passages found: spans of them, each with its chance."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from anyio import to_thread

from provgraph.comprehension.answer_spans import answer_spans
from provgraph.derivation.candidates import AnswerCandidate
from provgraph.derivation.evidence import ReadPassage
from provgraph.derivation.read_windows import Window, bounded, log_odds, read_windows
from provgraph.reading.propositions import Span
from provgraph.reading.syntax import ParsedSentence
from provgraph.reading.values import Quantity

MOST_WINDOWS: Final = 8
MOST_SPANS: Final = 6
ALIKE: Final = 0.5
"""How much two spans must share of what they cover together to be one answer."""
ALMOST: Final = 0.9
"""How much they must share to be the same words."""
LIKELY: Final = 0.15
"""The chance from which a span that nothing else proposes is an answer of its own."""
LIKELY_AS_A_WHOLE: Final = 0.25
"""The chance from which a span takes the place of a name or number within it."""
_PLAIN_WORDS: Final = re.compile(r"[\w %-]{0,40}")
_BETWEEN_TWO: Final = frozenset(("and", "or", "to"))
"""Words that stand between two things of one kind: "from Malvern to Bristol"."""
_NO_WORDS_OF_IT: Final = frozenset("a an and or the in on at by for from with to of".split())


@dataclass(frozen=True)
class SpanRead:
    """A span of a passage, and the chance that it answers."""

    span: Span
    chance: float


@dataclass(frozen=True)
class SpansRead:
    """All spans by the key of their passage."""

    spans: Mapping[str, Sequence[SpanRead]] = field(default_factory=dict)

    @cached_property
    def likeliest(self) -> float:
        return max((span_read.chance for some in self.spans.values() for span_read in some), default=0.0)

    def chance(self, passage: ReadPassage, span: Span) -> float:
        """The chance that a span of a passage is the answer, as much of it as other words for it have."""
        return sum(
            span_read.chance
            for span_read in self.spans.get(passage.key, ())
            if shared(span_read.span, span) >= ALIKE
        )

    def whole(self, passage: ReadPassage, span: Span) -> Span:
        """The likeliest span that was read around a span, where that is likely: "death ray" for "death"."""
        around = (
            span_read
            for span_read in self.spans.get(passage.key, ())
            if span_read.chance >= LIKELY_AS_A_WHOLE
            and span_read.span.start <= span.start
            and span.end <= span_read.span.end
            and _adds_words(
                passage.text[span_read.span.start : span.start], passage.text[span.end : span_read.span.end]
            )
        )
        best = max(around, key=lambda span_read: span_read.chance, default=None)
        return span if best is None or self._is_likelier(passage, span, best.chance) else best.span

    def _is_likelier(self, passage: ReadPassage, span: Span, chance: float) -> bool:
        """Whether these very characters were read with a chance of at least that much."""
        own = (
            span_read.chance
            for span_read in self.spans.get(passage.key, ())
            if shared(span_read.span, span) > ALMOST
        )
        return max(own, default=0.0) >= chance

    def measures(self, passage: ReadPassage, span: Span) -> dict[str, float]:
        chance = bounded(self.chance(passage, span))
        return {
            "read": chance,
            "rather read than not": log_odds(chance) / 5,
            "read before all": float(chance >= 0.9 * self.likeliest and chance > LIKELY),
            "of what was read": min(chance / (self.likeliest + 1e-3), 1.0),
        }

    def beside(self, sentence: ParsedSentence, passage: ReadPassage, known: Iterable[Span]) -> Iterator[Span]:
        """The likely spans of a sentence that are none of those known."""
        taken = list(known)
        for span_read in self.spans.get(passage.key, ()):
            inside = sentence.start <= span_read.span.start and span_read.span.end <= sentence.end
            if (
                inside
                and _has_one_number(passage, span_read.span)
                and span_read.chance >= LIKELY
                and all(shared(span_read.span, other) < ALIKE for other in taken)
            ):
                taken.append(span_read.span)
                yield span_read.span


def _has_one_number(passage: ReadPassage, span: Span) -> bool:
    """False for a run of words from one sum to another: "£28 for a full day and £14"."""
    inside = [v for v in passage.values if span.start <= v.start and v.end <= span.end]
    sums = [value for value in inside if isinstance(value.value, Quantity)]
    return len(sums) < _TWO or span.text.count(" ") < _TWO * 2


_TWO: Final = 2


async def spans_read(question: str, sentences: Sequence[tuple[ReadPassage, ParsedSentence]]) -> SpansRead:
    """Reads the sentences, each with its neighbours, for an answer; of a passage at most two windows."""
    windows = list(_windows(sentences))
    read = await to_thread.run_sync(lambda: list(read_windows(question, windows, MOST_SPANS)))
    spans: dict[str, list[SpanRead]] = {}
    for each in read:
        spans.setdefault(each.window.passage.key, []).append(SpanRead(each.span, each.chance))
    return SpansRead(spans)


def chance_alone(question: str, candidate: AnswerCandidate, put: str = "") -> float:
    """How likely the network reads a candidate as the answer where its sentence stands alone, or in the words `put` for
    it."""
    passage, sentence, own = candidate.passage, candidate.sentence, candidate.span
    text = put or passage.text[sentence.start : sentence.end]
    start = text.rfind(own.text) if put else own.start - sentence.start
    place = Span(start, start + len(own.text), own.text)
    (spans,) = answer_spans(question, [text], MOST_SPANS)
    return sum(span.chance for span in spans if shared(Span(span.start, span.end, span.text), place) >= ALIKE)


def beside_reading_alone(probability: float, alone: float, cover: float) -> float:
    """How likely a first candidate is right, where its sentence, which covers so much of the question, was also read
    alone: by logistic regression over 477 questions of SQuAD, HotpotQA and in other words."""
    likely = min(max(probability, 0.005), 0.995)
    told = alone * min(cover / _ENOUGH, 1.0)
    return 1 / (1 + math.exp(0.28 - 0.93 * math.log(likely / (1 - likely)) - 0.98 * told))


_ENOUGH: Final = 0.6
"""How much of a question a sentence has to cover for its being read alone to count in full."""


def shared(one: Span, other: Span) -> float:
    """Characters of both by characters of either."""
    both = min(one.end, other.end) - max(one.start, other.start)
    return max(both, 0) / (max(one.end, other.end) - min(one.start, other.start))


def _adds_words(before: str, behind: str) -> bool:
    """Whether what stands around a name makes it fuller ("… tons"), and names nothing beside it ("and …")."""
    added = {word for each in (before, behind) for word in each.casefold().split()}
    plain = all(_PLAIN_WORDS.fullmatch(each) for each in (before, behind))
    return plain and added.isdisjoint(_BETWEEN_TWO) and not added <= _NO_WORDS_OF_IT


def _windows(sentences: Sequence[tuple[ReadPassage, ParsedSentence]]) -> Iterator[Window]:
    taken: list[Window] = []
    for passage, sentence in sentences:
        covered = any(window.has(passage, sentence) for window in taken)
        if covered or sum(window.passage.key == passage.key for window in taken) > 1:
            continue
        number = next(i for i, each in enumerate(passage.parsed) if each.start == sentence.start)
        taken.append(Window.around(passage, number))
        yield taken[-1]
        if len(taken) == MOST_WINDOWS:
            return
