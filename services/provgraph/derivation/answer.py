"""A question and a finder of passages in, a short answer with its steps out; or what is known and what is missing.

The ways are tried in order of what they prove: values looked up and compared, compositions of kinship, yes or no by
judging a statement, patterns filled hop by hop, and where none of these gives an answer, the likeliest of all that the
sentences name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final

from anyio import to_thread

from provgraph.derivation.ages_asked import age_asked, age_counted
from provgraph.derivation.answer_conditions import AnswerConditions
from provgraph.derivation.answer_forms import as_asked
from provgraph.derivation.asides import answered_without_asides
from provgraph.derivation.asking import asking, asks_which
from provgraph.derivation.bounds import is_bounded
from provgraph.derivation.by_patterns import LEAST, by_patterns
from provgraph.derivation.choosing import chooses_between, is_choice, told_of_each
from provgraph.derivation.clause_answers import only_points_back, told_by_a_clause
from provgraph.derivation.clauses_asked import without_present
from provgraph.derivation.comparing import compared, compared_by_dates
from provgraph.derivation.compositions import composed_relation, named_in_place
from provgraph.derivation.coordinations import names_several, with_all_members
from provgraph.derivation.cues import EVENTS, pattern_cues
from provgraph.derivation.defined_parties import defined_party
from provgraph.derivation.definitions import defined, meaning_told
from provgraph.derivation.denials import denied
from provgraph.derivation.differences import difference_asked, subtracted
from provgraph.derivation.evidence import Finder
from provgraph.derivation.held_back import is_held_back
from provgraph.derivation.hints import Views
from provgraph.derivation.later_dates import later_date
from provgraph.derivation.lookups import entity, look_up, measure_asked
from provgraph.derivation.masking import read_with_names
from provgraph.derivation.name_ties import names_asked
from provgraph.derivation.names import likeness
from provgraph.derivation.places_within import placed
from provgraph.derivation.plan import KINDS, Plan, plan
from provgraph.derivation.question_forms import is_yes_no
from provgraph.derivation.ranked import AnswerRanking, LookedUp
from provgraph.derivation.ranked_answers import Ranked, least_likely, ranked
from provgraph.derivation.read_openly import AskedOpenly, is_in_words_of, longer, read_for_step, read_openly
from provgraph.derivation.reasons import reason
from provgraph.derivation.relatives import composed
from provgraph.derivation.relevance import LOOSE
from provgraph.derivation.result import Derived, Incomplete, Probable, Step, joined_steps
from provgraph.derivation.rules_asked import rule_told
from provgraph.derivation.slots_asked import slot_told
from provgraph.derivation.solving import Solver
from provgraph.derivation.steps import answer_text, cited, kind_of
from provgraph.derivation.stepwise import agreed, stepwise
from provgraph.derivation.times_asked import is_of_years_asked
from provgraph.derivation.two_values import alternatives, asks_for_difference, two_told
from provgraph.derivation.unsaid import left_open
from provgraph.derivation.yes_no import decided
from provgraph.language import wordnet
from provgraph.reading.gapped_clauses import gapped_clause
from provgraph.reading.questions import ANSWER, QuestionReading
from provgraph.reading.relations import vocabulary
from provgraph.reading.syntax import Parser

SURE: Final = 0.85
"""Of a solution that scores as much, nothing else is tried."""
LEAST_OF_SENTENCES: Final = 0.3
"""How likely the best short answer must be right for its sentences to be an answer without it."""


@dataclass(frozen=True)
class Answerer:
    """Answers questions from what a finder finds; `ruled_out` are sentences that tell what is asked of others."""

    parser: Parser
    finder: Finder
    views: Views = field(default_factory=Views)
    ruled_out: set[str] = field(default_factory=set)
    in_one: bool = False
    """Whether the question is put to one document alone."""

    async def answer(self, text: str) -> Derived | Probable | Incomplete | None:
        """None where nothing of the question could be looked up."""
        if only_points_back(text):
            return None
        if (aged := age_asked(text, self.parser)) and (counted := await age_counted(aged, self._answered)):
            return counted
        asked = difference_asked(text)
        result = await (subtracted(asked, self._answered) if asked else self._answered(text))
        if not isinstance(result, Derived) and asked is None:
            result = await answered_without_asides(text, self._answered, self.finder) or result
        if isinstance(result, Derived):
            result = as_asked(result, text) if is_bounded(result, text) else None
        if isinstance(result, Derived) and is_held_back(result, text):
            result = None
        if (
            asked is None
            and not asks_for_difference(text)
            and (alternatives(text) is None or is_yes_no(text))
        ):
            result = await self._beside_what_is_read(text, result)
        elif not isinstance(result, Derived):
            result = await to_thread.run_sync(two_told, text, await self.finder.found(text)) or result
        if isinstance(result, Derived):
            result = await placed(text, result, self.proposed)
        is_sure = isinstance(result, Derived) and (result.confidence >= SURE or result.kind == "yes-no")
        return result if is_sure else (left_open(text, await self.finder.passages(text)) or result)

    async def _beside_what_is_read(
        self, text: str, result: Derived | Probable | Incomplete | None
    ) -> Derived | Probable | Incomplete | None:
        """The result, or what the network reads as the answer where nothing else is as likely right."""
        if isinstance(result, Derived) and not _may_be_read_otherwise(result):
            return result
        found = await self.finder.found(text)
        if is_yes_no(text):
            return (
                result if isinstance(result, Derived) else denied(text, found, in_one=self.in_one) or result
            )
        if isinstance(result, Derived) and is_in_words_of(found, result) and _is_of_gapped_clause(result):
            return result
        reading = await self._read(text)
        wanted = asking(reading, text, self.parser, {})
        asked = AskedOpenly(text, wanted.kind, reading.kind == "list", self.in_one)
        if not asked.may_be_read:
            return result
        read = await to_thread.run_sync(read_openly, asked, found, _taken_for_it(result))
        if read is None or is_held_back(read, text):
            return _only_probable(result)
        conditions = AnswerConditions(
            text, self.parser, wanted, names_asked(reading, found.passages), self.views
        )
        if not conditions.may_be_told_by(read, in_its_words=is_in_words_of(found, read)):
            return result
        if isinstance(result, Derived) and longer(result.text, read.text) == result.text:
            return replace(result, confidence=read.confidence)
        if not read.steps:
            return result
        is_for_several = asked.is_of_several or wanted.several
        if is_for_several or not (wanted.noun or wanted.kind in ("Number", "Date")):
            read = with_all_members(read)
        return read if not is_for_several or names_several(read) else _only_probable(result)

    async def _answered(self, text: str) -> Derived | Probable | Incomplete | None:
        asked, text = text, without_present(text)
        conditions = await self._conditions(asked, reading := await self._read(text))
        fits = conditions.met_by
        if (told := await told_by_a_clause(text, self.parser, self.finder)) and conditions.allow(told):
            return told
        if (filled := await self._filled(text, fits)) is not None:
            return filled
        result, solver = await self._looked_up(text, reading)
        if isinstance(result, Derived) and not (is_choice(reading) or await to_thread.run_sync(fits, result)):
            result = None
        if isinstance(result, Derived) and result.confidence >= SURE:
            return result
        if not isinstance(result, Derived) and reading.comparison and len(reading.alternatives) > 1:
            result = await compared_by_dates(reading, self) or result
        is_which = asks_which(asking(reading, text, self.parser, {}))
        if (reading.kind in _NOT_RANKED and not is_which) or chooses_between(reading):
            return result
        known = await self._ranked(text, solver)
        accepted = await to_thread.run_sync(self._accepted, known, fits) if known else None
        ranking = [accepted] if accepted else []
        if isinstance(result, Derived):
            found = [result] if _stands_against(result, ranking) else self._likely(ranking)
        else:
            found = self._likely(ranking)
        stepped = await stepwise(text, self)
        found = [each for each in found if not stepped.describes(each)]
        found += [agreed(stepped.answer, ranking)] if stepped.answer and reading.kind != "list" else []
        found = [each for each in found if each.confidence >= LEAST_OF_ALL]
        if not found and known:
            self.ruled_out.update(await to_thread.run_sync(known.ruled_out, fits))
        if isinstance(result, Derived) and stepped.describes(result):
            result = None
        return max(found, key=lambda each: each.confidence, default=result or _probable(ranking, text))

    def _accepted(self, known: Ranked, fits: Callable[[Derived], bool]) -> Derived | None:
        return known.accepted(fits, in_one=self.in_one)

    def _likely(self, ranking: Sequence[Derived]) -> list[Derived]:
        return [answer for answer in ranking if answer.confidence >= least_likely(answer, in_one=self.in_one)]

    async def _filled(self, text: str, fits: Callable[[Derived], bool]) -> Derived | None:
        """What fills the role that is asked for in the clauses that say it, where nothing forbids it."""
        filled = await slot_told(text, self.parser, self.finder)
        return filled if filled is not None and await to_thread.run_sync(fits, filled) else None

    async def proposed(self, text: str, most: int) -> list[Derived]:
        """The likeliest answers of one step, best first, however unlikely."""
        reading = await self._read(text)
        conditions = await self._conditions(text, reading)
        fits = conditions.met_by
        if (filled := await self._filled(text, fits)) is not None:
            return [filled]
        result, _ = await self._looked_up(text, reading)
        found = [result] if isinstance(result, Derived) and await to_thread.run_sync(fits, result) else []
        if (found and found[0].confidence >= SURE) or reading.kind in _NOT_PROPOSED:
            return found
        wanted = asking(reading, text, self.parser, {})
        asked = AskedOpenly(text, wanted.kind, reading.kind == "list")
        known = (found[0].text, found[0].confidence) if found else ("", 0.0)
        read = await to_thread.run_sync(read_for_step, asked, await self.finder.found(text), known, most)
        if wordnet.is_kind_of(wanted.noun, "relative", "n"):
            read = await to_thread.run_sync(_allowed_of_relative, read, conditions)
        return read or found

    async def allowed(self, text: str, found: Derived) -> bool:
        """Whether nothing forbids an answer of a step."""
        conditions = await self._conditions(text, await self._read(text))
        return await to_thread.run_sync(conditions.met_by, found)

    async def _read(self, text: str) -> QuestionReading:
        passages = await self.finder.passages(text)
        return await to_thread.run_sync(read_with_names, text, self.parser, passages)

    async def _conditions(self, text: str, question: QuestionReading) -> AnswerConditions:
        asked = names_asked(question, await self.finder.passages(text))
        return AnswerConditions(text, self.parser, asking(question, text, self.parser, {}), asked, self.views)

    async def _looked_up(
        self, text: str, question: QuestionReading
    ) -> tuple[Derived | Incomplete | None, Solver]:
        solver = Solver(plan(question), self.finder)
        solver.views = self.views
        return await self._proved(text, question, solver.plan, solver), solver

    async def _ranked(self, text: str, solver: Solver) -> Ranked | None:
        cues, event = _relation_of(solver.plan)
        known = LookedUp(await solver.solutions(), cues, event)
        return await ranked(
            AnswerRanking(solver.plan.question, text, self.parser, self.finder, self.views, known)
        )

    async def _proved(
        self, text: str, question: QuestionReading, planned: Plan, solver: Solver
    ) -> Derived | Incomplete | None:
        """What values, relations and propositions give, each by the way that proves most."""
        result = await compared(question, solver) or await told_of_each(question, self.parser, self.finder)
        result = result or await self._of_relative(text, question, planned, solver)
        if result is not None:
            return result
        measured = measure_asked(text)
        value = await defined_party(text, self.finder)
        value = value or await later_date(question, text, self.parser, self.finder)
        value = value or await meaning_told(text, self.finder)
        if value is None and measured is not None:
            value = await _measured(*measured, solver)
        if value is not None:
            return value
        if question.kind == "yes-no":
            ruled = await rule_told(text, self.parser, self.finder)
            return ruled or await decided(question, self.parser, self.finder)
        if question.kind == "why":
            return await reason(question, text, self.parser, self.finder)
        if question.kind == "definition":
            return await defined(question, text, self.parser, self.finder)
        if question.kind in _NOT_SHORT:
            return None
        return await by_patterns(planned, solver)

    async def _of_relative(
        self, text: str, question: QuestionReading, planned: Plan, solver: Solver
    ) -> Derived | Incomplete | None:
        """The relative who is asked for by a composed relation; where more is asked of that one, the question is
        asked again with the name in place of the description."""
        relation = composed_relation(text)
        result = await composed(relation, question, planned, solver) if relation else None
        if not isinstance(result, Derived) or question.expected_type in ("Person", ""):
            return result
        named = named_in_place(text, relation, result.text)
        further = await self.answer(named) if named else None
        if further is None or isinstance(further, Probable):
            return Incomplete(result.steps, f"The rest of the question is not answered: {text}")
        steps = joined_steps(result.steps, further.steps)
        if isinstance(further, Incomplete):
            return Incomplete(steps, further.missing)
        return Derived(further.text, further.kind, steps, further.confidence * result.confidence)


def _allowed_of_relative(read: Sequence[Derived], conditions: AnswerConditions) -> list[Derived]:
    """The answers that may be the relative who is asked for: a son is no father."""
    told = (each for each in read if conditions.may_be_told_by(each, in_its_words=False))
    return [each for each in told if conditions.met_by(each)]


def _relation_of(planned: Plan) -> tuple[Set[str], str]:
    """The words of the relation that is asked for, and it where it happens once; none where the question asks for no
    one relation that words tell."""
    asking = [p for p in planned.patterns if ANSWER in p.variables and p.proposition.canonical]
    if len(asking) != 1 or asking[0].relation in LOOSE | KINDS or len(planned.patterns) > 1:
        return frozenset(), ""
    relation = asking[0].relation
    return pattern_cues(asking[0].proposition), relation if relation in EVENTS else ""


_ALONE: Final = 0.85
"""How well patterns must be filled by an answer that is not the likeliest of all that sentences name."""


def _stands_against(result: Derived, rivals: Sequence[Derived]) -> bool:
    """Whether what was looked up stays the answer beside the likeliest of all that the sentences name."""
    if (
        result.confidence >= _ALONE
        or result.kind in ("yes-no", "list")
        or len(result.steps) > 1
        or not rivals
    ):
        return True
    return (
        likeness(result.text, rivals[0].text) >= 0.6
        or result.text in rivals[0].text
        or (rivals[0].text in result.text)
    )


def _may_be_read_otherwise(result: Derived) -> bool:
    """Whether an answer was chosen in one step, and none that is sure: what was compared, counted or led to by a step
    before is read in no one place."""
    is_chosen = len(result.steps) == 1 and result.steps[0].operation in ("choose", "look up")
    return is_chosen and result.kind not in ("yes-no", "list") and result.confidence < SURE


def _taken_for_it(result: Derived | Probable | Incomplete | None) -> tuple[str, float]:
    """What was found to be the answer, though perhaps not likely enough, and how likely it is right."""
    return (
        (result.steps[-1].value, result.confidence) if isinstance(result, Derived | Probable) else ("", 0.0)
    )


def _is_of_gapped_clause(result: Derived) -> bool:
    """Whether it is said by a sentence with a clause that has no verb of its own: "…, the club for electricity"."""
    supports = result.ending
    return any(s.parsed is not None and gapped_clause(s.passage.text, s.parsed) for s in supports)


def _only_probable(result: Derived | Probable | Incomplete | None) -> Probable | Incomplete | None:
    """A result of which nothing is sure enough to be given as the short answer."""
    return Probable(result.steps, result.confidence) if isinstance(result, Derived) else result


def _probable(ranking: Sequence[Derived], text: str) -> Probable | None:
    first = next((each for each in ranking if is_of_years_asked(each, text)), None)
    if first is None or first.confidence < LEAST_OF_SENTENCES:
        return None
    return Probable(first.steps, first.confidence)


LEAST_OF_ALL: Final = 0.25
"""No answer that is less likely right is given, however it was found."""
_NOT_RANKED: Final = frozenset({"yes-no", "why", "definition", "difference", "sum"})
"""Kinds of questions that nothing which a sentence names answers."""
_NOT_PROPOSED: Final = _NOT_RANKED - {"definition"}
"""The same of steps: "What is the book behind the film?" asks which it is, not for a definition."""
_NOT_SHORT: Final = frozenset({"how", "why", "definition", "difference", "sum"})
"""Kinds of questions that no single value of a pattern answers."""


async def _measured(relation: str, name: str, solver: Solver) -> Derived | None:
    """ "What is the population of X?" """
    lookup = await look_up(solver, entity(name), [relation])
    if lookup is None or lookup.match.score < LEAST:
        return None
    label = vocabulary()[relation].label
    text = answer_text(lookup.match)
    step = Step("look up", text, f"{name} {label} {text}.", (cited(lookup.match),))
    return Derived(text, kind_of(lookup.value), (step,), lookup.match.score)
