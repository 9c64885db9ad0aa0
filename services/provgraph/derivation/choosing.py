"""Questions that name some things and ask of which of them something is so, or whether it is so of all.

It is said of each as a statement, and judged: "Which singer is Welsh, A or B?", "Are A and B both Welsh?"
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from provgraph.derivation.evidence import Finder, ReadPassage, support
from provgraph.derivation.names import likeness
from provgraph.derivation.plan import KINDS
from provgraph.derivation.result import Derived, Incomplete, Step
from provgraph.derivation.yes_no import judged
from provgraph.language import wordnet
from provgraph.reading.propositions import Argument, Proposition
from provgraph.reading.questions import QuestionReading
from provgraph.reading.syntax import Parser

LEAST: Final = 0.6
_OF_ALL: Final = 0.75
_OF_THOSE: Final = re.compile(r"\Aof (?:them|the two|the three|these \w+|those \w+|the following) ")
_OF_ONE: Final = {"are": "is", "were": "was", "have": "has", "do": "does"}


def is_choice(question: QuestionReading) -> bool:
    """Whether a question names those to choose from, and does not compare them."""
    return question.kind == "which-of" and not question.comparison


def chooses_between(question: QuestionReading) -> bool:
    """Whether an answer is one of those named, or made of them: not of "the agreement between A and B"."""
    return bool(question.alternatives) and (bool(question.comparison) or question.kind == "which-of")


async def told_of_each(
    question: QuestionReading, parser: Parser, finder: Finder
) -> Derived | Incomplete | None:
    """Which of those named it is, or whether all are; None where that is not asked or cannot be told."""
    return await _chosen(question, parser, finder) or await _so_of_all(question, parser, finder)


async def _chosen(question: QuestionReading, parser: Parser, finder: Finder) -> Derived | None:
    """ "Which singer is Welsh, A or B?": the one of whom it is said, where it is said of one alone."""
    names = [argument for argument in question.alternatives if argument.is_named]
    predicate = _predicate(question)
    if not is_choice(question) or len(names) < 2 or not predicate:
        return None
    found = []
    for name in names:
        claim = f"{name.label} {predicate}."
        result = await judged(claim, [name.label], question.text, parser, finder)
        if result is not None and result.text == "yes" and result.confidence >= LEAST:
            found.append((name, result))
    if len(found) != 1:
        return None
    name, result = found[0]
    return Derived(name.label, "entity", (replace(result.steps[-1], value=name.label),), result.confidence)


async def _so_of_all(
    question: QuestionReading, parser: Parser, finder: Finder
) -> Derived | Incomplete | None:
    """ "Are A and B both Welsh?": yes where it is said of each, no where one of them is something else."""
    names = [argument for argument in question.alternatives if argument.is_named]
    if question.kind != "yes-no" or question.comparison or len(names) < 2:
        return None
    claim_of = _claims(question, parser)
    if claim_of is None:
        return None
    steps: list[Step] = []
    for name in names:
        claim = claim_of(name.label)
        result = await judged(claim, [name.label], question.text, parser, finder)
        result = result or await _by_kind(name, claim, question, finder)
        if result is None:
            return Incomplete(tuple(steps), f"No document says whether {claim.rstrip('.')}.")
        if result.text == "no":
            return result
        steps += result.steps
    all_are = Step("check all", "yes", "It is so of each.", (), tuple(range(len(steps))))
    return Derived("yes", "yes-no", (*steps, all_are), _OF_ALL)


def is_of_those_named(answer: Argument, question: QuestionReading) -> bool:
    """Whether an answer is one of those to choose from, where the question names them."""
    named = [argument for argument in question.alternatives if argument.is_named]
    return not named or any(likeness(answer.label, argument.label) >= 0.6 for argument in named)


def _predicate(question: QuestionReading) -> str:
    """The words between what is asked and the first of those to choose from."""
    if question.answer is None or not question.alternatives:
        return ""
    text = question.text
    ends = [place for argument in question.alternatives if (place := text.find(argument.text)) >= 0]
    start = text.find(question.answer.text)
    if not ends or start < 0:
        return ""
    words = _OF_THOSE.sub("", text[start + len(question.answer.text) : min(ends)].strip(" ,:;-–—"))
    return words if len(words.split()) > 1 else ""


def _claims(question: QuestionReading, parser: Parser) -> Callable[[str], str] | None:
    """What makes the statement about one name: "Are A and B both directors?", for A "A is a director."."""
    text = question.text.rstrip(" ?")
    ends = [place + len(a.text) for a in question.alternatives if (place := text.find(a.text)) >= 0]
    helper = text.split(maxsplit=1)[0].casefold() if text else ""
    rest = text[max(ends, default=len(text)) :].strip(" ,").removeprefix("both ").removeprefix("each ")
    if not rest or (helper not in _OF_ONE and helper != "did"):
        return None
    helper = _OF_ONE.get(helper, helper)
    rest = _singular(rest, helper, parser) if helper in ("is", "was") else rest
    return lambda name: f"{name} {helper} {rest}."


def _singular(rest: str, helper: str, parser: Parser) -> str:
    """ "American directors" → "an American director"; itself where no plural is at its head."""
    start = f"It {helper} "
    parsed = parser.parse(start + rest, [(0, len(start + rest))])
    root = next((token for sentence in parsed for token in sentence.roots), None)
    if root is None or root.tag != "NNS":
        return rest
    article = "an" if rest[:1].casefold() in "aeiou" else "a"
    return f"{article} {rest[: root.start - len(start)]}{root.lemma}{rest[root.end - len(start) :]}"


async def _by_kind(name: Argument, claim: str, question: QuestionReading, finder: Finder) -> Derived | None:
    """Whether something is of the kind that is asked for, by what its documents say that it is.

    Of two kinds of things it is one alone; somebody may be a director and a vegetarian.
    """
    kinds = {
        p.object.lemma: p.object
        for p in question.propositions
        if p.relation in KINDS and p.object is not None and p.object.kind == "concept"
    }
    for kind in kinds.values():
        said = await _kind_of(name, kind, finder)
        if said is None or (not said[2] and wordnet.is_person(kind.lemma)):
            continue
        proposition, passage, fits = said
        step = Step(
            "judge", "yes" if fits else "no", f"It says what it is: {claim}",
            (support(passage, proposition, proposition.object),),
        )  # fmt: skip
        return Derived(step.value, "yes-no", (step,), _OF_ALL)
    return None


async def _kind_of(
    name: Argument, kind: Argument, finder: Finder
) -> tuple[Proposition, ReadPassage, bool] | None:
    """The proposition that says what a thing is, the nearest to the kind that is asked for, and whether it is that."""
    wanted = kind.lemma or kind.text.casefold()
    found: tuple[Proposition, ReadPassage, bool] | None = None
    for passage in await finder.passages(f"{name.label} {kind.text}"):
        for p in passage.reading.propositions:
            told = p.relation in KINDS and p.polarity and likeness(p.subject.label, name.label) >= 0.8
            if p.object is None or not told:
                continue
            lemma = p.object.lemma or p.object.text.casefold()
            if (
                wanted == lemma
                or wanted in p.object.text.casefold().split()
                or lemma in kind.text.casefold().split()
            ):
                return p, passage, True
            found = found or (p, passage, False)
    return found
