"""Which of those that a question names is it: each is put in the place of the wh-word, and the statement judged."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from provgraph.derivation.evidence import Finder
from provgraph.derivation.names import likeness
from provgraph.derivation.result import Derived, Incomplete
from provgraph.derivation.yes_no import judged
from provgraph.reading.propositions import Argument
from provgraph.reading.questions import QuestionReading
from provgraph.reading.syntax import Parser

LEAST: Final = 0.6


async def chosen(question: QuestionReading, parser: Parser, finder: Finder) -> Derived | Incomplete | None:
    """ "Which singer is Welsh, A or B?": the one of whom it is said, where it is said of one alone."""
    names = [argument for argument in question.alternatives if argument.is_named]
    predicate = _predicate(question)
    if question.kind != "which-of" or question.comparison or len(names) < 2 or not predicate:
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
    words = text[start + len(question.answer.text) : min(ends)].strip(" ,:;-–—")
    return words if len(words.split()) > 1 else ""
