"""Questions of several steps, one described thing after another: what is found takes the place of its description, and
the question is asked again.

"Who was the first president of the country where Damerjog is?" asks for that country first. The chance that all steps
are right is the product of theirs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from anyio import to_thread

from provgraph.derivation.asking import kind_of_noun
from provgraph.derivation.evidence import Finder
from provgraph.derivation.inner_phrases import (
    AskedWithin,
    InnerPhrase,
    asked_within,
    in_order,
    inner_phrases,
    with_owner_put,
)
from provgraph.derivation.masking import known_names, mask, unmasked
from provgraph.derivation.names import likeness, words_of
from provgraph.derivation.result import CONNECT, Derived, Step, joined_steps
from provgraph.language import wordnet
from provgraph.reading.entity_types import demonyms
from provgraph.reading.questions import read_question
from provgraph.reading.syntax import Parser

MOST_STEPS: Final = 4
WIDTH: Final = 2
"""How many ways are followed at a time, and how many answers of each step."""
MOST_ENDED: Final = 4
"""How many ways are followed to their end: one on which something is still described may be answered as it stands."""
LEAST_OF_STEP: Final = 0.12
"""How likely the steps so far must be right to be followed."""
LIKELY_DESCRIBED: Final = 0.4
"""How likely a name is what the question describes for it to be no answer."""
MOST_DESCRIPTIONS: Final = 2
"""How many descriptions are asked for at a time, one where the one before has no answer."""
LEAST_OF_LAST: Final = 0.3
"""How likely the last step must be right by itself."""
LIKELY_ALONE: Final = 0.5
"""How likely steps are right together of which it is not asked whether anything forbids them, where each speaks of
what it asks about."""
LEAST_OF_STEPS, LEAST_ALLOWED = 0.3, 0.2
"""How likely the steps of a question must be right together to be an answer; and where neither a step nor the whole
question has anything that forbids it."""
_AS_ONE: Final = 0.9
_DESCRIBED: Final = 0.85


class Proposing(Protocol):
    """What answers the single steps."""

    @property
    def parser(self) -> Parser: ...

    @property
    def finder(self) -> Finder: ...

    async def proposed(self, text: str, most: int) -> Sequence[Derived]:
        """The likeliest answers of a question, best first, however unlikely."""
        ...

    async def allowed(self, text: str, found: Derived) -> bool:
        """Whether nothing that a question says forbids an answer."""
        ...


@dataclass(frozen=True)
class StepsSoFar:
    """A question in which some descriptions have given place to names, and the steps that gave these."""

    text: str
    chance: float = 1.0
    steps: tuple[Step, ...] = ()
    asked: tuple[tuple[str, Derived], ...] = ()
    """What was asked for each name, and the answer."""


@dataclass(frozen=True)
class Stepped:
    """The likeliest answer over all ways, if there is one, and what the question describes: names that cannot be what
    it asks for."""

    answer: Derived | None = None
    described: frozenset[str] = frozenset()

    def describes(self, found: Derived) -> bool:
        """Whether an answer is only what the question describes: who wrote it, where his wife is asked for."""
        return any(likeness(found.text, name) >= _DESCRIBED for name in self.described)


async def stepwise(text: str, answers: Proposing) -> Stepped:
    """No answer where the question describes nothing, or a step has none."""
    titles = [passage.title for passage in await answers.finder.passages(text)]
    text = await to_thread.run_sync(with_owner_put, text, answers.parser, titles)
    going, over, described = [StepsSoFar(text)], list[StepsSoFar](), set[str]()
    for _ in range(MOST_STEPS):
        further: list[StepsSoFar] = []
        for way in going:
            further += await _stepped(way, answers)
            if way.steps:
                over.append(way)
        going = sorted(further, key=lambda far: -far.chance)[:WIDTH]
        described |= {way.steps[-1].value for way in going if way.chance >= LIKELY_DESCRIBED}
        if not going:
            break
    over = sorted(over, key=lambda way: -way.chance)[:MOST_ENDED]
    found = [answer for way in over for answer in await _ended(way, text, answers)]
    return Stepped(_likeliest(found), frozenset(described))


def _likeliest(answers: Sequence[Derived]) -> Derived | None:
    """The likeliest answer: what several ways lead to is as likely as all of them together."""
    best = max(answers, key=lambda answer: answer.confidence, default=None)
    if best is None:
        return None
    together = sum(answer.confidence for answer in answers if likeness(answer.text, best.text) >= _AS_ONE)
    return replace(best, confidence=min(together, _AS_ONE))


def agreed(composed: Derived, ranking: Sequence[Derived]) -> Derived:
    """What steps led to, as likely as both together where the sentences found for the whole question say the same."""
    alike = [answer.confidence for answer in ranking if likeness(answer.text, composed.text) >= _DESCRIBED]
    together = min(composed.confidence + max(alike, default=0.0), _AS_ONE)
    return replace(composed, confidence=max(composed.confidence, together))


async def _stepped(way: StepsSoFar, answers: Proposing) -> list[StepsSoFar]:
    """The ways on from here, by the first description that can be found, or the next; none where nothing is described
    any more."""
    masked, names = mask(way.text, known_names(await answers.finder.passages(way.text)))
    masked = masked if way.steps else in_order(masked, answers.parser)
    within = None if way.steps else asked_within(masked, answers.parser)
    phrases: list[InnerPhrase | AskedWithin] = [
        *([within] if within else ()),
        *inner_phrases(masked, answers.parser),
    ]
    for phrase in phrases[:MOST_DESCRIPTIONS]:
        ways = await _named(way, phrase, masked, names, answers)
        if ways:
            return ways
    return []


async def _named(
    way: StepsSoFar,
    phrase: InnerPhrase | AskedWithin,
    masked: str,
    names: Mapping[str, str],
    answers: Proposing,
) -> list[StepsSoFar]:
    """The ways on with a name for one description."""
    asked: str = unmasked(phrase.question, names)
    ways = []
    asked_of = [argument.label for argument in read_question(asked, answers.parser).names]
    for found in await answers.proposed(asked, WIDTH):
        chance = way.chance * found.confidence
        speaks = all(_speaks_of(found, name) for name in asked_of)
        is_new = may_lead(found, phrase) and not _is_said(found.text, way.text)
        if speaks and is_new and chance >= LEAST_OF_STEP:
            text: str = unmasked(phrase.replaced(masked, found.text), names)
            steps = joined_steps(way.steps, found.steps)
            ways.append(StepsSoFar(text, chance, steps, (*way.asked, (asked, found))))
    return ways


def may_lead(found: Derived, phrase: InnerPhrase | AskedWithin) -> bool:
    """Whether what was found can be asked about further: of a person, place or organisation only by its name, and what
    people are called after a country ("Filipino") is none."""
    is_named = isinstance(phrase, InnerPhrase) and kind_of_noun(phrase.noun) in _NAMED
    words = found.text.split()
    is_name = 2 * sum(word[:1].isupper() for word in words) >= len(words) or len(words) <= _LONGEST_NAME
    is_called = words != [] and words[-1][:1].isupper() and words[-1] not in demonyms()
    return is_name and (is_called or not is_named)


_LONGEST_NAME: Final = 5
_NAMED: Final = ("Person", "Place", "Organization")


def _is_said(name: str, text: str) -> bool:
    return name.casefold() in text.casefold()


async def _ended(way: StepsSoFar, text: str, answers: Proposing) -> list[Derived]:
    """The answers of the last question, from passages that speak of what was found before it; none that the question
    names itself. Where that only asks what it is ("Which senator was Ada Novak?"), it is what was found."""
    value = way.steps[-1].value
    if re.fullmatch(rf"(?:what|which|who)\b.*\b(?:is|was) {re.escape(value)}\s*\?", way.text, re.IGNORECASE):
        return [Derived(value, "entity", way.steps, of_all(way.chance, len(way.asked)))]
    named = [argument.label for argument in read_question(text, answers.parser).names]
    known = [*named, *(step.value for step in way.steps)]
    ends = []
    for found in await answers.proposed(way.text, WIDTH):
        is_new = not _is_said(found.text, text) and not any(
            likeness(found.text, name) >= _AS_ONE for name in known
        )
        if is_new and found.confidence >= LEAST_OF_LAST and _speaks_of(found, value):
            asked = (*way.asked, (way.text, found))
            chance = of_all(found.confidence * way.chance, len(asked))
            if not any(_is_connected_relative(*each) for each in asked):
                ends.append(
                    (asked, replace(found, steps=joined_steps(way.steps, found.steps), confidence=chance))
                )
    return [end for asked, end in ends if await _is_allowed(text, asked, end, answers)]


async def _is_allowed(
    text: str, asked: Sequence[tuple[str, Derived]], end: Derived, answers: Proposing
) -> bool:
    """Whether nothing forbids it in its steps, or in the question as a whole, or it is likely enough without that."""
    unnamed = [question for question, found in asked if not _names_each(question, found)]
    if any(map(_OF_NAME.fullmatch, unnamed)):
        return False  # the ground of another club
    if end.confidence >= LIKELY_ALONE and not unnamed:
        return True
    steps_allowed = all([await answers.allowed(*each) for each in asked])
    whole_allowed = await answers.allowed(text, end)
    least = LEAST_ALLOWED if steps_allowed and whole_allowed else LEAST_OF_STEPS
    return (steps_allowed or whole_allowed) and end.confidence >= least


def _is_connected_relative(question: str, found: Derived) -> bool:
    """Whether a relative of somebody named is told by a passage that is only connected with that one."""
    match = _OF_SOMEBODY.match(question)
    is_relative = match is not None and wordnet.is_kind_of(match[1], "relative", "n")
    return is_relative and any(step.operation == CONNECT for step in found.steps)


_OF_SOMEBODY: Final = re.compile(r"Who (?:is|was) the (\w+) of ")


def of_all(chance: float, hops: int) -> float:
    """How likely the answer of several hops is right: what is wrong in one is hardly borne out by the next, so of more
    than two hops the product is too low, and their mean counts as that of two."""
    return chance ** (2 / hops) if hops > 2 else chance


def _speaks_of(found: Derived, name: str) -> bool:
    """Whether a passage that the answer stands on, or its title, has a name."""
    passages = [support.passage for step in found.steps for support in step.supports]
    words = set(words_of(name))
    return not passages or any(
        words.issubset(words_of(f"{passage.title}. {passage.text}")) for passage in passages
    )


def _names_each(question: str, found: Derived) -> bool:
    """Whether the sentences of a step, or the titles over them, have a word of each name that it asks about."""
    supports = [support for step in found.steps for support in step.supports]
    words = {word for each in supports for word in words_of(f"{each.passage.title}. {each.sentence.text}")}
    names = _NAME.findall(question, question.find(" ") + 1)
    return not supports or all(not words.isdisjoint(words_of(name)) for name in names)


_OF_NAME: Final = re.compile(r"(?:Who|What) is the [a-z]+ of [A-Z][^,?]*\?")
_NAME: Final = re.compile(r"[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*")
