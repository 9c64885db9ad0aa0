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
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Final

from anyio import to_thread

from provgraph.derivation.asking import Asking, asking
from provgraph.derivation.bounds import bound_asked, says_bound
from provgraph.derivation.candidates import AnswerCandidate, SentenceView
from provgraph.derivation.evidence import Finder, Found, ReadPassage, Support
from provgraph.derivation.features import (
    LinkedPassages,
    SentenceMeasures,
    measures,
    words_met,
)
from provgraph.derivation.hints import Views
from provgraph.derivation.kind_fit import answer_label, in_question, kind_fit
from provgraph.derivation.names import holds, likeness, words_of
from provgraph.derivation.proposals import PHRASE, proposals
from provgraph.derivation.result import CONNECT, AnswerKind, Derived, Step
from provgraph.derivation.solving import Solution
from provgraph.derivation.spans_read import SpansRead, spans_read
from provgraph.derivation.telling_sentences import is_about_another, most_telling, sense_of
from provgraph.derivation.times_asked import is_beside_another, years_asked
from provgraph.language.weighted_sum import WeightedSum, weighted_sum
from provgraph.reading.propositions import Span
from provgraph.reading.questions import QuestionReading
from provgraph.reading.syntax import ParsedSentence, Parser
from provgraph.reading.values import Date, Quantity

WEIGHTS: Final = "answer_weights.json"
LEAST: Final = 0.45
"""How likely an answer has to be right to be given."""
MOST_MARGIN: Final = 3.0
_AS_ONE: Final = 0.85
_START: Final = 4
_FEW_WORDS: Final = 2
_ALL_OF_FEW: Final = 0.65
"""A question of so few words and without a name is only answered by a sentence that says nearly all of them."""
_UNSAID: Final = 0.6
"""What is left of the chance of an answer whose sentence has no word of the relation that is asked for."""
_UNSPOKEN: Final = 0.5
"""What is left of it for each name of the question that nothing found speaks of beside the answer."""
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
    """What patterns gave for the question; the words of the one relation that it asks for, if it does; and how many
    names of the sentences found may lead to further passages."""

    solutions: Sequence[Solution] = ()
    cues: Set[str] = frozenset()
    bridges: int = BRIDGES


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
        self._question, self._text, self._parser = question, text, parser
        self._finder, self._views = finder, views
        known = looked_up or LookedUp()
        self.years = years_asked(text)
        self._cues, self._most_bridges = known.cues, known.bridges
        self._solved = [each for each in known.solutions if each.answer is not None]

    async def measured(
        self,
    ) -> tuple[Asking, list[tuple[str, AnswerCandidate, dict[str, float]]], LinkedPassages]:
        """What is asked; every candidate with its label and its measures; and the passages they are from."""
        found = await self._finder.found(self._text)
        asked = asking(self._question, self._text, self._parser, found.weights)
        found = await self._with_bridges(asked, found)
        retrieved = LinkedPassages(asked, found.passages)
        telling = most_telling(asked, found)
        read = await spans_read(self._text, telling)
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
        bound, kinds = bound_asked(self._text), _kinds(found.passages)
        likeliest = max((each.probability for each in found.senses.values()), default=0.0) or 1.0
        ranks = {passage.key: rank for rank, passage in enumerate(found.passages, 1)}
        for passage, sentence in telling:
            view = self._views.sentence(passage, sentence)
            if not says_bound(view.text, bound) or is_about_another(asked, view):
                continue
            sense = sense_of(found, passage, sentence)
            beside = SentenceMeasures(asked, view, sense)
            offered = proposals(view)
            others = read.beside(sentence, passage, [each.span for each in offered])
            offered = (*offered, *(view.of_span(span, PHRASE) for span in others))
            fitting = [(c, kind_fit(asked, c, kinds)) for c in offered if not in_question(asked, c)]
            for candidate, fit in fitting:
                if fit > 0:
                    rivals = sum(_is_rival(other, candidate) for other, as_well in fitting if as_well >= fit)
                    row = measures(beside, candidate, retrieved, ranks[passage.key], fit, rivals)
                    row |= self._by_patterns(candidate) | read.measures(passage, candidate.span)
                    row["best by sense"] = sense.probability / likeliest if sense is not None else 0.0
                    yield self._named(asked, candidate, view, read), candidate, row

    @staticmethod
    def _named(asked: Asking, candidate: AnswerCandidate, view: SentenceView, read: SpansRead) -> str:
        """The candidate as one would say it; as it was read, where that is more than it."""
        value = candidate.value
        is_full = isinstance(value, Date) or (isinstance(value, Quantity) and bool(value.unit))
        whole = candidate.span if is_full else read.whole(view.passage, candidate.span)
        if whole != candidate.span and not candidate.resolved:
            return whole.text
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
        """Whether the sentence of a candidate has a word of the relation that is asked for, where there is one."""
        lemmas = self._views.sentence(candidate.passage, candidate.sentence).lemmas
        starts = tuple(cue[:_START] for cue in self._cues if len(cue) > _START)
        return (
            not self._cues
            or not self._cues.isdisjoint(lemmas)
            or bool(starts and any(lemma.startswith(starts) for lemma in lemmas))
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
        if not self._most_bridges:
            return []
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
        return names[: self._most_bridges]


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
    ranking = sorted(best.values(), key=lambda each: -each.score)
    if not ranking:
        return []
    first = ranking[0]
    rival = next((r for r in ranking[1:] if likeness(r.label, first.label) < 0.6), None)
    lead = first.score - rival.score if rival is not None else MOST_MARGIN
    return [RankedAnswer(first.label, first.candidate, first.measured, first.score, lead), *ranking[1:]]


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


async def ranked(
    ranking: AnswerRanking, most: int = 1, least: float = LEAST, *, is_step: bool = False
) -> list[Derived]:
    """The likeliest candidates, each with the sentence that names it and the one that leads to it: the first where it
    is likely enough, those behind it with a chance that falls as their score does. A step of several may be taken on
    less of the question: the steps behind it tell."""
    asked, rows, retrieved = await ranking.measured()
    weights = fitted_weights()
    order = [each for each in ordered(rows, weights) if _is_of_time(each, ranking)]
    if not order:
        return []
    best = order[0]
    probability = weights.probability(best, asked) * _UNSPOKEN ** len(_names_unspoken(asked, best, retrieved))
    if not ranking.says_relation(best.candidate):
        probability *= _UNSAID
    if not asked.names and len(asked.words) <= _FEW_WORDS and best.measured["cover"] < _ALL_OF_FEW:
        probability = 0.0
    if probability < least or not (is_step or _is_supported(best)):
        return []
    chances = ((each, probability * math.exp(each.score - best.score)) for each in order[:most])
    return [_derived(each, chance, retrieved) for each, chance in chances]


def _is_of_time(each: RankedAnswer, ranking: AnswerRanking) -> bool:
    """Whether a candidate is not said of another year than the question's in a part of its sentence."""
    candidate = each.candidate
    passage, place = candidate.passage, candidate.span.start
    return not any(
        is_beside_another(year, passage.text, passage.sentence_at(place), place) for year in ranking.years
    )


def _names_unspoken(asked: Asking, best: RankedAnswer, retrieved: LinkedPassages) -> list[str]:
    """The full names of the question that no passage of the answer's document has, none that is linked with it, and
    none that names the answer."""
    own = best.candidate.passage
    linked = {own.key, *(each.key for each in retrieved.links[own.key])}
    beside = [
        f"{each.title}. {each.text}"
        for each in retrieved.passages
        if each.key in linked or each.document == own.document or holds(each.text, best.label)
    ]
    said = [set(words_of(text)) for text in beside]
    full = (name for name in asked.names if len(words_of(name)) > 1)
    return [name for name in full if not any(words.issuperset(words_of(name)) for words in said)]


def _derived(best: RankedAnswer, probability: float, retrieved: LinkedPassages) -> Derived:
    steps = list(_leading(best, retrieved))
    passage = best.candidate.passage
    sentence = passage.sentence_at(best.candidate.span.start)
    why = f"Of what the sentences found name, it best fits what is asked (probability {probability:.2f})."
    used = (0,) if steps else ()
    steps.append(Step("choose", best.label, why, (Support(passage, sentence, best.candidate.span),), used))
    return Derived(best.label, kind_of_candidate(best.candidate), tuple(steps), probability)


_COVERED: Final = 0.65
_BY_SENSE: Final = 0.45
_READ: Final = 0.5
"""What share of the question the passage of an answer and the one linked with it have to say, or how likely its
sentence has to answer by sense, or it has to be read as the answer: whatever fits the kind that is asked stands beside
something."""


def _is_supported(best: RankedAnswer) -> bool:
    by_sense = math.log(_BY_SENSE / (1 - _BY_SENSE)) / 5
    said = best.measured["covered together"] >= _COVERED or best.measured["sentence answers"] >= by_sense
    return said or best.measured["read"] >= _READ


_ADDS: Final = 0.2
"""What share of the question a linked passage has to add to be told as a step."""


def _leading(best: RankedAnswer, retrieved: LinkedPassages) -> Iterator[Step]:
    """The step to the passage of the answer, where another passage says a good part of the question and names it."""
    passage = best.candidate.passage
    added, linked = retrieved.chains[passage.key]
    if linked is None or added < _ADDS or not linked.parsed:
        return
    wanted = retrieved.said[linked.key] - retrieved.said[passage.key]
    about = [name for name in (passage.title, best.label, *retrieved.asked.names) if len(name) > 3]
    texts = {s: linked.text[s.start : s.end] for s in linked.parsed}
    is_named = bool(linked.title) and holds(passage.text, linked.title)
    met = {
        s: sum(w.weight for w in words_met(tuple(wanted), text))
        for s, text in texts.items()
        if is_named or any(holds(text, name) for name in about)
    }
    said = max(met, key=met.__getitem__, default=None)
    if said is None or not met[said]:
        return
    span = Span(said.start, said.end, linked.text[said.start : said.end])
    value = passage.title or linked.title
    yield Step(
        CONNECT, value, f"It is spoken of with {linked.title or value}.", (Support(linked, span, span),)
    )


def kind_of_candidate(candidate: AnswerCandidate) -> AnswerKind:
    if isinstance(candidate.value, Date):
        return "date"
    if isinstance(candidate.value, Quantity):
        return "number"
    return "entity" if candidate.label[:1].isupper() else "span"
