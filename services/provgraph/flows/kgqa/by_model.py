"""The wording by model: it says each group of edges in one sentence; one that the edges do not bear is put back."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from provgraph.errors import ModelUnavailable
from provgraph.flows.kgqa.ranking import Wording
from provgraph.flows.runner.run import Run
from provgraph.language.overlap import overlap
from provgraph.language.terms import terms
from provgraph.ports.language_model import LanguageModel
from provgraph.prompts import Prompt
from provgraph.provenance.trace import Origin

PROMPT: Final = "kgqa-wording"
PLACES: Final = frozenset({"question", "groups"})
MOST_GROUPS: Final = 20
LONGEST: Final = 600
INSTEAD: Final = "The edges are worded by templates instead."
_LINE: Final = re.compile(r"^[^\S\n]*\[?(\d{1,3})\]?[.:)]?\s+(\S.*)$", re.MULTILINE)


async def paraphrase(
    run: Run, model: LanguageModel, prompt: Prompt, question: str, wordings: Sequence[Wording]
) -> tuple[Wording, ...]:
    """Each of the first groups in the model's words, where those stand on the labels of its edges, on the words of its
    pair and on nothing else. Does not fail because a model does."""
    first = wordings[:MOST_GROUPS]
    call = run.call(model, prompt, {"question": question, "groups": _described(first)})
    try:
        reply = await call.whole()
    except ModelUnavailable as failure:
        run.warn(f"{failure} {INSTEAD}")
        return tuple(wordings)
    lines = {int(number): " ".join(text.split()) for number, text in _LINE.findall(reply)}
    if not lines:
        run.warn(f"The model's wordings could not be read. {INSTEAD}")
    paraphrased = (_worded(each, lines.get(number, "")) for number, each in enumerate(first, 1))
    return (*paraphrased, *wordings[MOST_GROUPS:])


def _described(wordings: Sequence[Wording]) -> str:
    """A numbered group in JSON: no label can begin a line, or end its own."""
    return "\n".join(f"[{number}] {_edges(each)}" for number, each in enumerate(wordings, 1))


def _edges(wording: Wording) -> str:
    group = wording.group
    edges = [[edge.labels.subject, edge.labels.relation, edge.labels.object] for edge in group.edges]
    return json.dumps({"clause": group.clause, "edges": edges}, ensure_ascii=False)


def _worded(wording: Wording, line: str) -> Wording:
    """The model's sentence, if the edges and the words of the pair hold what it says."""
    if not line or len(line) > LONGEST:
        return wording
    text = line if line[-1] in ".!?" else f"{line}."
    group = wording.group
    known = {*group.terms, *(term for pair in group.pairs for term in terms(f"{pair.text} {pair.answer}"))}
    known |= set(terms(f"clause {group.clause}"))
    if not overlap(text, known)[1]:
        return wording
    if group.clause and group.clause not in text:
        text = f"Clause {group.clause}: {text}"
    return replace(wording, text=text, origin=Origin.GENERATED)
