"""Questions of several steps, one described thing after another: what is found takes the place of its description, and
the question is asked again.

"Who was the first president of the country where Damerjog is?" asks for that country first. The chance that all steps
are right is the product of theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from provgraph.derivation.evidence import Finder
from provgraph.derivation.inner_phrases import InnerPhrase, inner_phrases
from provgraph.derivation.masking import known_names, mask, unmasked
from provgraph.derivation.names import holds, likeness
from provgraph.derivation.result import Derived, Step
from provgraph.reading.questions import read_question
from provgraph.reading.syntax import Parser

MOST_STEPS: Final = 4
WIDTH: Final = 2
"""How many ways are followed at a time, and how many answers of each step."""
LEAST_OF_STEP: Final = 0.12
"""How likely the steps so far must be right to be followed."""
LEAST_OF_LAST: Final = 0.4
"""How likely the last step must be right by itself."""
_AS_ONE: Final = 0.9


class Proposing(Protocol):
    """What answers the single steps."""

    @property
    def parser(self) -> Parser: ...

    @property
    def finder(self) -> Finder: ...

    async def proposed(self, text: str, most: int) -> Sequence[Derived]:
        """The likeliest answers of a question, best first, however unlikely."""
        ...


@dataclass(frozen=True)
class StepsSoFar:
    """A question in which some descriptions have given place to names, and the steps that gave these."""

    text: str
    chance: float = 1.0
    steps: tuple[Step, ...] = ()


async def stepwise(text: str, answers: Proposing) -> Derived | None:
    """The likeliest answer over all ways; None where the question describes nothing, or a step has no answer."""
    going, over = [StepsSoFar(text)], list[StepsSoFar]()
    for _ in range(MOST_STEPS):
        further: list[StepsSoFar] = []
        for way in going:
            ways = await _stepped(way, answers)
            further += ways or ()
            if ways is None and way.steps:
                over.append(way)
        going = sorted(further, key=lambda far: -far.chance)[:WIDTH]
        if not going:
            break
    found = [answer for way in over[:WIDTH] if (answer := await _ended(way, text, answers)) is not None]
    return max(found, key=lambda each: each.confidence, default=None)


async def _stepped(way: StepsSoFar, answers: Proposing) -> list[StepsSoFar] | None:
    """The ways on from here; None where nothing is described any more."""
    masked, names = mask(way.text, known_names(await answers.finder.passages(way.text)))
    phrases = inner_phrases(masked, answers.parser)
    if not phrases:
        return None
    phrase = phrases[0]
    asked: str = unmasked(phrase.question, names)
    ways = []
    asked_of = [argument.label for argument in read_question(asked, answers.parser).names]
    for found in await answers.proposed(asked, WIDTH):
        chance = way.chance * found.confidence
        speaks = all(_speaks_of(found, name) for name in asked_of)
        if speaks and chance >= LEAST_OF_STEP and not _is_said(found.text, way.text):
            text: str = unmasked(_put(phrase, masked, found.text), names)
            ways.append(StepsSoFar(text, chance, joined_steps(way.steps, found.steps)))
    return ways


def _put(phrase: InnerPhrase, text: str, name: str) -> str:
    return phrase.replaced(text, name)


def _is_said(name: str, text: str) -> bool:
    return name.casefold() in text.casefold()


async def _ended(way: StepsSoFar, text: str, answers: Proposing) -> Derived | None:
    """The answer of the last question, from a passage that speaks of what was found before it."""
    for found in await answers.proposed(way.text, WIDTH):
        is_new = not _is_said(found.text, text) and not any(
            likeness(found.text, step.value) >= _AS_ONE for step in way.steps
        )
        if is_new and found.confidence >= LEAST_OF_LAST and _speaks_of(found, way.steps[-1].value):
            steps = joined_steps(way.steps, found.steps)
            return replace(found, steps=steps, confidence=found.confidence * way.chance)
    return None


def _speaks_of(found: Derived, name: str) -> bool:
    """Whether a passage that the answer stands on, or its title, has a name."""
    passages = [support.passage for step in found.steps for support in step.supports]
    return not passages or any(
        holds(passage.text, name) or likeness(passage.title, name) >= _AS_ONE for passage in passages
    )


def joined_steps(before: Sequence[Step], later: Sequence[Step]) -> tuple[Step, ...]:
    """All steps, the later ones standing on the last of those before where they stand on none of their own."""
    size = len(before)
    moved = [
        replace(step, uses=tuple(use + size for use in step.uses) or ((size - 1,) if size else ()))
        for step in later
    ]
    return (*before, *moved)
