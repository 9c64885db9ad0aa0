"""Whether the candidates can answer: by measure, or by a model that reads them; and other words where they cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.errors import ModelUnavailable
from provgraph.flows.research.candidates import Found
from provgraph.flows.runner.call import Call
from provgraph.flows.runner.correction import Checked
from provgraph.flows.runner.from_chunks.selection import SELECTOR, selected
from provgraph.flows.runner.passages import Passage
from provgraph.flows.runner.relevance import judged
from provgraph.flows.runner.usage import Account
from provgraph.language.terms import terms
from provgraph.ports.language_model import Exchange, LanguageModel
from provgraph.prompts import Prompt
from provgraph.provenance.candidates import Verdict

RULES: Final = "reformulation-rules"
PLACES: Final = frozenset({"question", "passages"})
MOST_NAMES: Final = 3
UNREADABLE: Final = "The model's check of the passages could not be read. They are taken as they are."
_NOTHING: Final = "(nothing was found)"


def measured(question: str, found: Found) -> Checked:
    """The measure by which the answer would refuse, said before."""
    selection = selected(found.weights, found.passages, 1)
    best = selection.chosen[0].coverage if selection.chosen else 0.0
    said = "enough" if selection.suffices else "not enough"
    covered = f"The best of {len(found.passages)} passages covers {best:.0%} of the question's weight"
    verdict = Verdict(selection.suffices, f"{covered}; {said} for an answer.", SELECTOR)
    return Checked(verdict, "" if selection.suffices else reworded(question, found), RULES)


def reworded(question: str, found: Found) -> str:
    """The words of the question that the papers know, with the names that stand nearest to them.

    Empty where that would ask nothing else.
    """
    known = [term.text for term in found.weights.terms if term.known]
    said = set(terms(question))
    names = [
        label for label in (found.labels[node] for node in found.related) if not said.issuperset(terms(label))
    ]
    if not known or (len(known) == len(found.weights.terms) and not names):
        return ""
    return " ".join([*known, *names[:MOST_NAMES]])


@dataclass(frozen=True)
class ModelCheck:
    """`exchanges` gets the words of the call when it begins."""

    model: LanguageModel
    prompt: Prompt
    max_output_tokens: int
    exchanges: list[Exchange]

    async def checked(self, question: str, found: Found) -> Checked:
        """By measure, with a warning, where the model fails."""
        values = {"question": question, "passages": _described(found.passages)}
        call = Call(self.model, self.prompt, values, self.max_output_tokens)
        self.exchanges.append(call.exchange)
        try:
            verdict, words = judged(await call.whole(), self.model.name)
        except ModelUnavailable as failure:
            otherwise = measured(question, found)
            warning = f"{failure} The passages were checked by measure instead."
            return Checked(otherwise.verdict, otherwise.words, otherwise.by, Account(call.made(), (warning,)))
        warnings = () if verdict else (UNREADABLE,)
        return Checked(verdict, words, self.model.name, Account(call.made(), warnings))


def _described(found: Sequence[Passage]) -> str:
    return (
        "\n\n".join(f"[{number}] {each.hit.title}\n{each.hit.text}" for number, each in enumerate(found, 1))
        or _NOTHING
    )
