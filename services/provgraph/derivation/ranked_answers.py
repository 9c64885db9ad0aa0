"""The likeliest candidates as answers, with the sentences that name them: the first where it is likely enough to be
right, or one whose sentence says the question's statement with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from anyio import to_thread

from provgraph.derivation.asking import Asking
from provgraph.derivation.features import LinkedPassages, words_met
from provgraph.derivation.inner_phrases import inner_phrases
from provgraph.derivation.names import holds, likeness
from provgraph.derivation.parts_asked import is_told_apart, number_asked, rest_asked
from provgraph.derivation.pronouns_put import with_noun_put
from provgraph.derivation.proposals import PHRASE
from provgraph.derivation.ranked import AnswerRanking, RankedAnswer, fitted_weights, ordered
from provgraph.derivation.ranked_steps import ADDS, ranked_derivation
from provgraph.derivation.result import CONNECT, Derived
from provgraph.derivation.spans_read import beside_reading_alone, chance_alone
from provgraph.derivation.statements_said import is_said, may_be_put
from provgraph.derivation.things_asked import number_of_another
from provgraph.derivation.times_asked import is_beside_another
from provgraph.derivation.unsaid import kept_chance, says_verb
from provgraph.reading.gapped_clauses import gapped_clause
from provgraph.reading.values import Quantity

LEAST: Final = 0.42
"""How likely an answer has to be right to be given."""
LEAST_CONNECTED: Final = 0.33
"""The same of one whose step is led to by another passage, which says what its own does not: that more of the question
is met tells more than the probability, which is mostly fitted on questions of one step."""
LEAST_IN_ONE: Final = 0.4
"""The same of a question that is put to one document, which is no question to another collection."""
MOST_JUDGED: Final = 10
"""So many candidates are put into the question, those whose sentences have most of it first, where none is likely
enough by itself."""
_SAID: Final = 0.6
"""How likely such a candidate is right: more than one that only stands near what is asked."""
_LEFT: Final = 0.8
"""What is left of the chance of a candidate for the one that its sentence has beside it."""

MOST_AGREED: Final = 2
_SAYS_ALL, _LIKELY_READ = 0.8, 0.4
_SAYS_ENOUGH, _READ_ALONE, _AGREED = 0.55, 0.6, 0.6
"""What share of the question the sentence of a candidate that measures agree on has to say, and how likely it has to be
read as the answer alone; and how likely it is right then."""
MOST_RULED_OUT: Final = 8
"""Of so many candidates it is told whether they can be meant at all, where none is given."""
_TOLD_BY_KIND: Final = ("Number", "Date", "Person")
_ALL_SAID: Final = 0.85
_HARDLY_READ, _RATHER_READ = 0.1, 0.6
"""A candidate that is read as the answer with less chance is none where another of its sentence has as much."""


@dataclass(frozen=True)
class Ranked:
    """The candidates of a question in order, how likely the first is right, and candidates that are said of another
    time."""

    ranking: AnswerRanking
    asked: Asking
    retrieved: LinkedPassages
    order: Sequence[RankedAnswer]
    probability: float
    unkept: float
    """How likely it is where nothing is taken off for what its sentence leaves unsaid."""
    of_other_times: Sequence[RankedAnswer] = ()

    def accepted(self, is_met: Callable[[Derived], bool], *, in_one: bool = False) -> Derived | None:
        """The likeliest that nothing forbids: the first; where that is told of something else in its sentence, the one
        that is left there; else one whose sentence says the question's statement with it; else the first again, however
        likely."""
        chance = max(self.unkept, self.probability) if in_one else self.probability
        first = self._derived(self.order[0], chance)
        is_first_met = (in_one or _is_supported(self.order[0])) and is_met(first)
        if is_first_met and chance >= least_likely(first, in_one=in_one):
            return first
        left = None if is_first_met else self._rest() or self._left_in_its_sentence(is_met)
        other = left or self._agreed_on(is_met) or self._said(is_met)
        return other or (first if is_first_met else None)

    def ruled_out(self, is_met: Callable[[Derived], bool]) -> set[str]:
        """The sentences all of whose likely candidates of the kind that is asked for are told of something else."""
        if self.asked.kind not in _TOLD_BY_KIND:
            return set()
        met = {self._sentence(answer): False for answer in self.of_other_times}
        for answer in self.order[:MOST_RULED_OUT]:
            if not answer.measured["hardly fits"]:
                sentence = self._sentence(answer)
                met[sentence] = met.get(sentence, False) or is_met(self._derived(answer, 0.0))
        return {" ".join(sentence.split()) for sentence, is_any in met.items() if not is_any}

    @staticmethod
    def _sentence(answer: RankedAnswer) -> str:
        return answer.candidate.passage.sentence_at(answer.candidate.span.start).text

    def _agreed_on(self, is_met: Callable[[Derived], bool]) -> Derived | None:
        """A candidate that several measures agree on, though none of them is sure: its sentence says most of the
        question and nothing forbids it, and read alone it is the answer. Not of a question of two steps, whose first
        step is read so, too."""
        if inner_phrases(self.ranking.text, self.ranking.parser):
            return None
        told_apart = [each for each in self.order if self._is_told_apart(each)]
        for answer in told_apart[:1]:
            found = self._derived(answer, _AGREED)
            if not answer.measured["hardly fits"] and is_met(found):
                return found
        for answer in sorted(filter(self._may_be_agreed_on, self.order), key=_said_and_read)[:MOST_AGREED]:
            found = self._derived(answer, _AGREED)
            put = self._with_noun_put(answer) if answer.measured["cover"] < _SAYS_ENOUGH else ""
            if is_met(found) and chance_alone(self.ranking.text, answer.candidate, put) >= _READ_ALONE:
                return found
        return None

    def _is_told_apart(self, answer: RankedAnswer) -> bool:
        """Whether a sentence that says nearly all of the question, with the one before, has several numbers, and this
        is that of the part asked about."""
        own = answer.candidate
        is_number = self.asked.kind == "Number" or self.asked.text.casefold().startswith("how much")
        if not isinstance(own.value, Quantity) or not is_number:
            return False
        before = [each for each in own.passage.parsed if each.end <= own.sentence.start][-1:]
        around = own.passage.text[before[0].start if before else own.sentence.start : own.sentence.end]
        said = sum(word.weight for word in words_met(self.asked.words, around)) / self.asked.weight
        return said >= _ALL_SAID and is_told_apart(own.passage, own.span.start, self.ranking.text)

    def _with_noun_put(self, answer: RankedAnswer) -> str:
        """The sentence of a candidate with a noun of the question for its pronoun; empty where it has none."""
        return with_noun_put(self.asked, answer.candidate.passage, answer.candidate.sentence)

    def _may_be_agreed_on(self, answer: RankedAnswer) -> bool:
        measured = answer.measured
        said = measured["cover"]
        if said < _SAYS_ENOUGH and measured["read"] >= _RATHER_READ:
            put = self._with_noun_put(answer)
            said = (
                sum(w.weight for w in words_met(self.asked.words, put)) / self.asked.weight if put else said
            )
        return (
            said >= _SAYS_ENOUGH
            and (not measured["hardly fits"] or self._may_be_so_called(answer))
            and (self.asked.kind != "Date" or bool(measured["fits"]))
            and not answer.candidate.resolved
            and says_verb(self.asked, answer.candidate)
            and kept_chance(self.asked, answer, self.ranking, self.retrieved, said) == 1.0
        )

    def _rest(self) -> Derived | None:
        """What is left of a whole whose other parts the sentence of the first tells, where that is asked."""
        own = self.order[0].candidate
        return (
            rest_asked(own.passage, own.span.start, self.ranking.text)
            if isinstance(own.value, Quantity)
            else None
        )

    def _left_in_its_sentence(self, is_met: Callable[[Derived], bool]) -> Derived | None:
        """The one other thing of the kind that is asked for in the sentence of the first."""
        first, chance = self.order[0], self.probability * _LEFT
        if chance < LEAST or not _is_supported(first):
            return None
        taken = [first.candidate.span]
        left: list[Derived] = []
        for answer in self.order[1:]:
            span = answer.candidate.span
            is_apart = all(span.end <= other.start or other.end <= span.start for other in taken)
            if is_apart and self._may_be_left(answer):
                taken.append(span)
                left += [found] if is_met(found := self._derived(answer, chance)) else []
        return left[0] if len(left) == 1 else None

    def _may_be_left(self, answer: RankedAnswer) -> bool:
        """Whether a candidate of the same sentence is of the kind, and has no other part in what is asked."""
        is_beside = answer.candidate.sentence is self.order[0].candidate.sentence
        return is_beside and not answer.measured["hardly fits"] and answer.measured["role"] >= 0

    def _said(self, is_met: Callable[[Derived], bool]) -> Derived | None:
        """The first candidate whose sentence says what the question asks with it in the place of what is asked."""
        fitting = sorted(filter(may_be_put, self.order), key=_said_and_read)
        for answer in fitting[:MOST_JUDGED]:
            label = answer.candidate.label if self.asked.several else answer.label
            if self._is_rather_read(answer):
                continue
            derived = self._derived(answer, max(_SAID, self.probability))
            if is_met(derived) and is_said(self.asked, answer.candidate, label, self.ranking.parser):
                return derived
        return None

    def _may_be_so_called(self, answer: RankedAnswer) -> bool:
        """Whether a phrase may be what is asked for though its noun does not say so, as its sentence says nearly all:
        "the county" who pays."""
        is_phrase = answer.candidate.entity_type == PHRASE and self.asked.kind not in ("Date", "Number")
        return is_phrase and answer.measured["cover"] >= _SAYS_ALL and answer.measured["read"] >= _LIKELY_READ

    def _is_rather_read(self, answer: RankedAnswer) -> bool:
        """Whether something else in the sentence of a phrase is surely read as the answer, and this hardly; a clause
        without a verb of its own is not read well."""
        own = answer.candidate
        if own.entity_type != PHRASE or holds(gapped_clause(own.passage.text, own.sentence), answer.label):
            return False
        return answer.measured["read"] < _HARDLY_READ and any(
            other.measured["read"] >= _RATHER_READ
            for other in self.order
            if other.candidate.sentence is own.sentence
            and (other.candidate.span.end <= own.span.start or own.span.end <= other.candidate.span.start)
        )

    def _derived(self, answer: RankedAnswer, chance: float) -> Derived:
        return ranked_derivation(answer, chance, self.asked, self.retrieved)


def least_likely(found: Derived, *, in_one: bool) -> float:
    """How likely an answer has to be right to be given."""
    if in_one:
        return LEAST_IN_ONE
    return LEAST_CONNECTED if any(step.operation == CONNECT for step in found.steps) else LEAST


def _said_and_read(answer: RankedAnswer) -> float:
    return -answer.measured["cover"] - answer.measured["read"]


async def ranked(ranking: AnswerRanking) -> Ranked | None:
    """None where nothing found names anything of the kind that is asked for."""
    asked, rows, retrieved = await ranking.measured()
    weights = fitted_weights()
    every = ordered(rows, weights)
    order = [answer for answer in every if _is_of_time(answer, ranking)]
    if not order:
        return None
    covered = _with_the_covered_first(order)
    best = _of_the_year(every[0], covered) or _of_the_name(covered, ranking)
    probability = weights.probability(best, asked)
    alone = probability
    is_linked = covered[0].measured["in a linked passage"] > ADDS
    if not (is_linked or inner_phrases(ranking.text, ranking.parser)):
        chance = await to_thread.run_sync(chance_alone, ranking.text, best.candidate)
        alone = beside_reading_alone(probability, chance, covered[0].measured["cover"])
    kept = kept_chance(asked, best, ranking, retrieved)
    probability = max(
        alone * kept, min(probability * kept, LEAST - 0.01)
    )  # its sentence is as likely as before
    others = [answer for answer in every[:MOST_RULED_OUT] if answer not in order]
    return Ranked(ranking, asked, retrieved, [best, *covered[1:]], probability, alone, others)


def _with_the_covered_first(order: Sequence[RankedAnswer]) -> Sequence[RankedAnswer]:
    """The order, where the sentence of the first says nothing of the question by itself, with one close behind before
    it whose sentence says most: what is read in a window is often just of the kind that is asked for."""
    first = order[0]
    if first.measured["cover"] >= _SAYS_NOTHING or first.measured["in a linked passage"] > ADDS:
        return order
    close = [
        answer
        for answer in order[1:]
        if answer.score >= first.score - _CLOSE
        and answer.measured["cover"] >= _SAYS_MOST
        and not answer.measured["hardly fits"]
    ]
    if not close:
        return order
    best = close[0]
    rest = [answer for answer in order if answer is not best]
    rival = next(
        (answer for answer in rest if answer is not first and likeness(answer.label, best.label) < _ALIKE),
        None,
    )
    lead = best.score - rival.score if rival is not None else best.lead
    return [replace(best, lead=max(lead, 0.0)), *rest]


_SAYS_NOTHING, _SAYS_MOST, _CLOSE, _ALIKE = 0.26, 0.6, 1.5, 0.6


def _of_the_year(first: RankedAnswer, order: Sequence[RankedAnswer]) -> RankedAnswer | None:
    """Where the first of all is said of another year in its sentence, the one number that it has of the year asked
    about: of "eleven cases in 2022, in 2023 four" four."""
    if first in order or not isinstance(first.candidate.value, Quantity):
        return None
    numbers = [
        answer
        for answer in order
        if answer.candidate.sentence is first.candidate.sentence
        and isinstance(answer.candidate.value, Quantity)
    ]
    fitting = [number for number in numbers if not number.measured["hardly fits"]]
    if len(fitting) != 1:
        return None
    return replace(first, label=fitting[0].label, candidate=fitting[0].candidate)


def _of_the_name(order: Sequence[RankedAnswer], ranking: AnswerRanking) -> RankedAnswer:
    """The first, or of a number that its sentence has of another the one that it has of what the question names."""
    first = order[0]
    own, sentence = first.candidate, first.candidate.sentence
    parsed = ranking.parser.parse(ranking.text, [(0, len(ranking.text.rstrip()))])
    if not isinstance(own.value, Quantity) or not parsed:
        return first
    is_asked, number = number_asked(own.passage, own.span.start, ranking.text)
    other = number_of_another(own.passage, sentence, own.span.start, parsed[0])
    if is_asked and other is None:
        return first
    place = other.start if is_asked and other is not None else number.start if number is not None else -1
    beside = (
        e for e in order if e.candidate.sentence is sentence and isinstance(e.candidate.value, Quantity)
    )
    right = next((e for e in beside if e.candidate.span.start <= place < e.candidate.span.end), None)
    return replace(first, label=right.label, candidate=right.candidate) if right is not None else first


def _is_of_time(answer: RankedAnswer, ranking: AnswerRanking) -> bool:
    """Whether a candidate is not said of another year than the question's in a part of its sentence."""
    candidate = answer.candidate
    passage, place = candidate.passage, candidate.span.start
    return not any(
        is_beside_another(year, passage.text, passage.sentence_at(place), place) for year in ranking.years
    )


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
