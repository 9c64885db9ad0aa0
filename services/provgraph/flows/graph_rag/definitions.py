"""What a name means ("What is BERT?"): the sentence that defines it, before those that mention it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from provgraph.derivation.evidence import ReadPassage, Support
from provgraph.derivation.result import Derived, Incomplete, Probable, Step
from provgraph.documents.tables import is_row
from provgraph.flows.runner.reading_passages import PassageFinder, prose_spans
from provgraph.flows.runner.table_answers import line_items
from provgraph.language.abbreviations import long_forms
from provgraph.language.asked_aspects import defines, names_of
from provgraph.reading.propositions import Span

DEFINES: Final = 0.8
"""How far a sentence has to say what a name means."""
_ASKED: Final = re.compile(
    r"^\W*what (?:is|are|was|were) (?:(?:an?|the) )?(?P<name>(?=(?-i:[\w.+#&-]*[A-Z]))[\w.+#&-]++"
    r"(?: (?=(?-i:[\w.+#&-]*[A-Z]))[\w.+#&-]++){0,4})\W*\Z",
    re.I,
)
"""A name, and nothing else."""

Result = Derived | Probable | Incomplete | None


def name_asked(question: str) -> str:
    """The name whose meaning is asked for; empty where something else is."""
    match = _ASKED.match(question)
    return match["name"] if match else ""


def told_of_name(question: str, result: Result) -> Result:
    """The result, but for cells beside a name whose meaning is asked for: they do not say what it is, unless it is an
    item of statements, as "Revenue" is."""
    name = name_asked(question).casefold()
    if not name or not isinstance(result, Derived) or _is_item(name):
        return result
    in_rows = [is_row(support.sentence.text) for step in result.steps for support in step.supports]
    return None if in_rows and all(in_rows) else result


async def defined(question: str, finder: PassageFinder, result: Result) -> Probable | None:
    """The sentence that defines the name asked for; None where there is none, or `result` stands on it already."""
    name = name_asked(question)
    if not name:
        return None
    passages = (await finder.found(question)).passages
    forms = [(form.short, form.long) for passage in passages for form in long_forms(passage.text)]
    names = names_of(name, forms)
    scored = [(_score(names, support.words.text), support) for support in _sentences(passages)]
    score, best = max(scored, key=lambda each: each[0], default=(0.0, None))
    if best is None or score < DEFINES or _stands_on(result, best):
        return None
    return Probable((Step("define", name, f"What is said of {name}.", (best,)),), score)


def _sentences(passages: tuple[ReadPassage, ...]) -> Iterator[Support]:
    for passage in passages:
        for start, end in prose_spans(passage.text):
            span = Span(start, end, passage.text[start:end])
            yield Support(passage, span, span)


def _score(names: tuple[str, ...], sentence: str) -> float:
    text = " ".join(sentence.split())
    return max(defines(name, text) for name in names)


def _stands_on(result: Result, best: Support) -> bool:
    """Whether the last step of a derivation has the sentence among what proves it."""
    if not isinstance(result, Derived):
        return False
    proving = (support.sentence.text for support in result.steps[-1].supports)
    return any(" ".join(text.split()) == " ".join(best.sentence.text.split()) for text in proving)


def _is_item(name: str) -> bool:
    return any(name == item.casefold() for names in line_items() for item in names)
