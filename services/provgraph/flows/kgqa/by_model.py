"""The wording by model: it says each group of edges in one sentence; one that the edges do not bear is put back."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.errors import ModelUnavailable
from provgraph.flows.kgqa.ranking import Wording
from provgraph.flows.runner.call import Call
from provgraph.flows.runner.usage import Account, ModelCall
from provgraph.language.overlap import overlap
from provgraph.language.terms import terms
from provgraph.ports.language_model import Exchange, LanguageModel
from provgraph.prompts import Prompt

PROMPT: Final = "kgqa-wording"
PLACES: Final = frozenset({"question", "groups"})
MOST_GROUPS: Final = 20
LONGEST: Final = 600
INSTEAD: Final = "The edges are worded by templates instead."
_LINE: Final = re.compile(r"^\s*\[?(\d{1,3})\]?[.:)]?\s+(\S.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Paraphrased:
    """The wordings, of which a model wrote some where `call` is given."""

    wordings: tuple[Wording, ...]
    call: ModelCall | None = None
    warning: str = ""

    def account(self, warnings: Sequence[str]) -> Account:
        own = (self.warning,) if self.warning else ()
        return Account(self.call, (*warnings, *own))


@dataclass(frozen=True)
class ModelParaphraser:
    model: LanguageModel
    prompt: Prompt
    max_output_tokens: int

    async def paraphrased(
        self, question: str, made: Sequence[Wording], exchanges: list[Exchange]
    ) -> Paraphrased:
        """Each of the first groups in the model's words, where those stand on the labels of its edges, on the words of
        its pair and on nothing else. Does not fail because a model does."""
        asked = made[:MOST_GROUPS]
        values = {"question": question, "groups": _described(asked)}
        call = Call(self.model, self.prompt, values, self.max_output_tokens)
        exchanges.append(call.exchange)
        try:
            reply = await call.whole()
        except ModelUnavailable as failure:
            return Paraphrased(tuple(made), call.made(), f"{failure} {INSTEAD}")
        said = {int(number): " ".join(text.split()) for number, text in _LINE.findall(reply)}
        worded = tuple(_worded(each, said.get(number, "")) for number, each in enumerate(asked, 1))
        warning = "" if said else f"The model's wordings could not be read. {INSTEAD}"
        return Paraphrased((*worded, *made[MOST_GROUPS:]), call.made(), warning)


def _described(made: Sequence[Wording]) -> str:
    """A numbered group in JSON: no label can begin a line, or end its own."""
    return "\n".join(f"[{number}] {_edges(each)}" for number, each in enumerate(made, 1))


def _edges(wording: Wording) -> str:
    group = wording.group
    edges = [[edge.labels.subject, edge.labels.relation, edge.labels.object] for edge in group.edges]
    return json.dumps({"clause": group.clause, "edges": edges}, ensure_ascii=False)


def _worded(wording: Wording, said: str) -> Wording:
    """The model's sentence, if the edges and the words of the pair hold what it says."""
    if not said or len(said) > LONGEST:
        return wording
    text = said if said[-1] in ".!?" else f"{said}."
    group = wording.group
    known = {*group.terms, *(term for pair in group.pairs for term in terms(f"{pair.text} {pair.answer}"))}
    known |= set(terms(f"clause {group.clause}"))
    if not overlap(text, known)[1]:
        return wording
    if group.clause and group.clause not in text:
        text = f"Clause {group.clause}: {text}"
    return replace(wording, text=text)
