"""The general way: every candidate of the sentences found is measured beside the question, and the best is the answer
where it is likely enough to be right.

The order is a weighted sum, fitted as ListNet (Cao et al. 2007, "Learning to Rank", section 4); how likely the first is
right is told by a logistic regression over its score, its lead and some of its measures. Both are fitted by
`benchmarks/answer_weights.py` on questions whose answers are known, so the probability means the same for collections
of any size.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Final

from anyio import to_thread

from provgraph.derivation.answer_labels import answer_label
from provgraph.derivation.asking import Asking, asking, asks_for_things
from provgraph.derivation.bounds import bound_asked, says_bound
from provgraph.derivation.candidates import AnswerCandidate, SentenceView
from provgraph.derivation.cues import has_word_of
from provgraph.derivation.evidence import Finder, Found, ReadPassage
from provgraph.derivation.features import (
    LinkedPassages,
    SentenceMeasures,
    measures,
)
from provgraph.derivation.hints import Views
from provgraph.derivation.kind_fit import in_question, is_another_person, kind_fit
from provgraph.derivation.names import likeness
from provgraph.derivation.proposals import PHRASE, proposals
from provgraph.derivation.solving import Solution
from provgraph.derivation.spans_read import LIKELY_AS_A_WHOLE, SpansRead, spans_read
from provgraph.derivation.telling_sentences import is_about_another, most_telling, sense_of
from provgraph.derivation.times_asked import years_told
from provgraph.language.weighted_sum import WeightedSum, weighted_sum
from provgraph.reading.propositions import Span
from provgraph.reading.questions import QuestionReading
from provgraph.reading.syntax import ParsedSentence, Parser
from provgraph.reading.values import Date, Quantity
from provgraph.verdicts.converses import roles

WEIGHTS: Final = "answer_weights.json"
MOST_MARGIN: Final = 3.0
_ONLY: Final = re.compile(r"^(?:only|just|merely|exactly) ")
_GOES_ON: Final = re.compile(r" (?!of\b|de\b|van\b|von\b)[a-z]")
"""What stands behind the name of a person and is none of it: "from Derrow", "succeeded Peter Dale"."""
_APPOSED: Final = re.compile(r"[a-z][^,;]*, (?P<name>[A-ZÀ-Þ][^,;]*)(?:, .*)?")
"""A noun with its name behind it and what the sentence goes on with: "rival firm, Fjordbuss, is considering"."""
_AS_ONE: Final = 0.85
_HARDLY: Final = 0.1
BRIDGES: Final = 2
OF_A_BRIDGE: Final = 3
"""How many names lead to a second retrieval, and how many passages each of them brings."""


@dataclass(frozen=True)
class RankedAnswer:
    """A candidate with its measures; `score` orders, `lead` is how far it is before the next."""

    label: str
    candidate: AnswerCandidate
    measured: Mapping[str, float]
    score: float
    lead: float = 0.0


@dataclass(frozen=True)
class AnswerWeights:
    order: Mapping[str, float]
    certainty: Mapping[str, float]

    @cached_property
    def score(self) -> WeightedSum:
        return weighted_sum(self.order)

    def probability(self, best: RankedAnswer, asked: Asking) -> float:
        return 1 / (1 + math.exp(-weighted_sum(self.certainty)(certainty_measures(best, asked))))


def certainty_measures(best: RankedAnswer, asked: Asking) -> dict[str, float]:
    """What tells how likely the first of a ranking is right."""
    return {
        "bias": 1.0,
        "score": best.score / 10,
        "lead": min(best.lead, MOST_MARGIN),
        "kind is asked": float(bool(asked.kind)),
        "date or number": float(asked.kind in ("Date", "Number")),
        **{name: best.measured[name] for name in _CERTAIN},
        **{f"read and {name}": best.measured["read"] * best.measured[name] for name in _BESIDE_READ},
        "read and lead": best.measured["read"] * min(best.lead, MOST_MARGIN) / MOST_MARGIN,
        "covered and lead": best.measured["covered together"] * min(best.lead, MOST_MARGIN) / MOST_MARGIN,
    }


_CERTAIN: Final = (
    "near what is asked", "covered together", "in a linked passage", "names in the passage", "sentence answers", "fits",
    "said of it", "cover", "is a phrase", "cover beyond the title", "alone of its kind", "fills the patterns",
    "stands as they ask", "best by sense", "names just before", "likeness", "rank", "resolved", "role",
    "is a common word", "rather read than not", "read before all", "read",
)  # fmt: skip
_BESIDE_READ: Final = (
    "covered together", "cover", "sentence answers", "fits", "names in the passage", "in a linked passage",
)  # fmt: skip


@cache
def fitted_weights() -> AnswerWeights:
    """The weights that come with the program."""
    stored = json.loads(files(__package__).joinpath(WEIGHTS).read_text("utf-8"))
    return AnswerWeights(stored["order"], stored["certainty"])


@dataclass(frozen=True)
class LookedUp:
    """What patterns gave for the question; the words of the one relation that it asks for, if it does, and whether that
    happens once."""

    solutions: Sequence[Solution] = ()
    cues: Set[str] = frozenset()
    event: str = ""


class AnswerRanking:
    """The candidates of what was found for one question, measured. `parser` reads the question only."""

    def __init__(
        self,
        question: QuestionReading,
        text: str,
        parser: Parser,
        finder: Finder,
        views: Views,
        looked_up: LookedUp | None = None,
    ) -> None:
        self._question, self.text, self.parser = question, text, parser
        self._finder, self._views = finder, views
        known = looked_up or LookedUp()
        self.years = years_told(text)
        self._cues, self.asks_event = known.cues, known.event
        self._solved = [solution for solution in known.solutions if solution.answer is not None]

    async def measured(
        self,
    ) -> tuple[Asking, list[tuple[str, AnswerCandidate, dict[str, float]]], LinkedPassages]:
        """What is asked; every candidate with its label and its measures; and the passages they are from."""
        found = await self._finder.found(self.text)
        asked = asking(self._question, self.text, self.parser, found.weights)
        found = await self._with_bridges(asked, found)
        retrieved = LinkedPassages(asked, found.passages)
        telling = most_telling(asked, found)
        read = await spans_read(self.text, telling)
        rows = await to_thread.run_sync(lambda: list(self._rows(asked, found, retrieved, telling, read)))
        named: dict[str, set[str]] = defaultdict(set)
        for label, candidate, _ in rows:
            named[label.casefold()].add(candidate.passage.key)
        for label, _, each in rows:
            each["passages"] = math.log(len(named[label.casefold()])) / 2
        return asked, rows, retrieved

    def _rows(
        self,
        asked: Asking,
        found: Found,
        retrieved: LinkedPassages,
        telling: Sequence[tuple[ReadPassage, ParsedSentence]],
        read: SpansRead,
    ) -> Iterator[tuple[str, AnswerCandidate, dict[str, float]]]:
        bound, kinds = bound_asked(self.text), _kinds(found.passages)
        likeliest = max((likelihood.probability for likelihood in found.senses.values()), default=0.0) or 1.0
        ranks = {passage.key: rank for rank, passage in enumerate(found.passages, 1)}
        for passage, sentence in telling:
            view = self._views.sentence(passage, sentence)
            if not says_bound(view.text, bound) or is_about_another(asked, view):
                continue
            sense = sense_of(found, passage, sentence)
            beside = SentenceMeasures(asked, view, sense)
            offered = proposals(view)
            others = read.beside(sentence, passage, [answer_candidate.span for answer_candidate in offered])
            offered = (*offered, *(view.of_span(span, PHRASE) for span in others))
            fitting = [
                (c, kind_fit(asked, c, kinds) or self._hardly_fits(asked, c, read))
                for c in offered
                if not in_question(asked, c)
            ]
            for candidate, fit in fitting:
                if fit > 0:
                    rivals = sum(_is_rival(other, candidate) for other, as_well in fitting if as_well >= fit)
                    row = measures(beside, candidate, retrieved, ranks[passage.key], fit, rivals)
                    row |= self._by_patterns(candidate) | read.measures(passage, candidate.span)
                    row["best by sense"] = sense.probability / likeliest if sense is not None else 0.0
                    yield self._named(asked, candidate, view, read), candidate, row

    @staticmethod
    def _hardly_fits(asked: Asking, candidate: AnswerCandidate, read: SpansRead) -> float:
        """How well a candidate of no kind that is asked for fits: hardly, where it is likely read as the answer, and is
        neither a number nor a date nor another relative; else not at all."""
        is_value = candidate.value is not None or asked.kind in ("Date", "Number")
        if is_value or is_another_person(asked, candidate):
            return 0.0
        return _HARDLY if read.chance(candidate.passage, candidate.span) >= LIKELY_AS_A_WHOLE else 0.0

    @staticmethod
    def _named(asked: Asking, candidate: AnswerCandidate, view: SentenceView, read: SpansRead) -> str:
        """The candidate as one would say it; as it was read, where that is more than it; with those that it is told of
        together with, where several are asked for."""
        value = candidate.value
        together = view.told_together(candidate) if asked.several or asks_for_things(asked) else ""
        if together:
            return together
        is_full = isinstance(value, Date) or (isinstance(value, Quantity) and bool(value.unit))
        whole = candidate.span if is_full else read.whole(view.passage, candidate.span)
        if candidate.entity_type == "Person" and _GOES_ON.match(
            view.passage.text[candidate.span.end : whole.end]
        ):
            whole = candidate.span
        if apposed := _APPOSED.match(whole.text):
            return apposed["name"]
        if isinstance(value, Quantity) and _has_another(view.passage, candidate.span, whole):
            whole = candidate.span
        if whole != candidate.span and not candidate.resolved:
            return _ONLY.sub("", whole.text)
        return answer_label(asked, candidate)

    def _by_patterns(self, candidate: AnswerCandidate) -> dict[str, float]:
        """How well the candidate fills the patterns of the question, by what is said and by words that stand near."""
        said = near = 0.0
        for solution in self._solved:
            assert solution.answer is not None
            own = solution.answer.label
            if own == candidate.label or likeness(own, candidate.label) >= _AS_ONE:
                if all(match.proposition is not None for _, match in solution.matches):
                    said = max(said, solution.score)
                else:
                    near = max(near, solution.score)
        return {"fills the patterns": said, "stands as they ask": near}

    def says_relation(self, candidate: AnswerCandidate) -> bool:
        """Whether the sentence of a candidate has a word of the relation that is asked for, where there is one, or is
        read as saying it."""
        view = self._views.sentence(candidate.passage, candidate.sentence)
        return (
            not self._cues
            or has_word_of(self._cues, view.lemmas)
            or any(roles(cue, lemma) is not None for cue in self._cues for lemma in view.lemmas)
            or (bool(self.asks_event) and any(p.relation == self.asks_event for p in view.propositions))
        )

    async def _with_bridges(self, asked: Asking, found: Found) -> Found:
        """What was found, with the passages of names that the best sentences bring in."""
        passages, senses = list(found.passages), dict(found.senses)
        for name in self._bridges(asked, found):
            rest = " ".join(word.text for word in asked.words if word.nearness >= 0.3)
            further = await self._finder.about(f"{name} {rest}", name, OF_A_BRIDGE)
            passages += [p for p in further.passages if p not in passages]
            senses = {**further.senses, **senses}
        return Found(tuple(passages), found.weights, senses)

    def _bridges(self, asked: Asking, found: Found) -> list[str]:
        """Names in the best sentences that the question has not, and that no passage found is about."""
        names: list[str] = []
        for passage, sentence in most_telling(asked, found)[:3]:
            for candidate in self._views.sentence(passage, sentence).candidates:
                name = candidate.label
                new = candidate.value is None and not in_question(asked, candidate) and len(name) > 3
                titled = any(likeness(name, p.title) >= 0.8 for p in found.passages)
                if (
                    new
                    and not titled
                    and name not in names
                    and candidate.entity_type not in ("Group", "Concept")
                ):
                    names.append(name)
        return names[:BRIDGES]


def ordered(
    rows: Sequence[tuple[str, AnswerCandidate, Mapping[str, float]]], weights: AnswerWeights
) -> list[RankedAnswer]:
    """Each label once, at its best place, the best first."""
    best: dict[str, RankedAnswer] = {}
    for label, candidate, measured in rows:
        score = weights.score(measured)
        key = label.casefold()
        if key not in best or best[key].score < score:
            best[key] = RankedAnswer(label, candidate, measured, score)
    ranking = sorted(best.values(), key=lambda answer: -answer.score)
    if not ranking:
        return []
    first = ranking[0]
    rival = next((r for r in ranking[1:] if likeness(r.label, first.label) < 0.6), None)
    lead = first.score - rival.score if rival is not None else MOST_MARGIN
    return [RankedAnswer(first.label, first.candidate, first.measured, first.score, lead), *ranking[1:]]


def _has_another(passage: ReadPassage, number: Span, whole: Span) -> bool:
    """Whether words around a number have another: of "38 of the 90" 38 is meant."""
    others = (value for value in passage.values if whole.start <= value.start and value.end <= whole.end)
    return any(value.end <= number.start or number.end <= value.start for value in others)


def _is_rival(one: AnswerCandidate, other: AnswerCandidate) -> bool:
    """Whether two candidates of a sentence are two things."""
    apart = one.span.end <= other.span.start or other.span.end <= one.span.start
    return apart and likeness(one.label, other.label) < 0.6


def _kinds(passages: Sequence[ReadPassage]) -> dict[str, frozenset[str]]:
    kinds: dict[str, frozenset[str]] = {}
    for passage in passages:
        for name, nouns in passage.described.items():
            kinds[name] = kinds.get(name, frozenset()) | nouns
    return kinds
