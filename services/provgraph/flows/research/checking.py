"""Whether the candidates can answer: by measure, or by a model that reads them; and other words where they cannot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from anyio import to_thread

from provgraph.errors import ModelUnavailable
from provgraph.flows.research.candidates import PaperCandidates
from provgraph.flows.runner.chunk_answers import SELECTOR, select_chunks
from provgraph.flows.runner.correction import RelevanceCheck
from provgraph.flows.runner.model_calls import relevance_verdict
from provgraph.flows.runner.passages import RetrievedPassage
from provgraph.flows.runner.read_passages import read_passages
from provgraph.flows.runner.reading_passages import is_english
from provgraph.flows.runner.run import Run
from provgraph.language.terms import terms
from provgraph.ports.language_model import LanguageModel
from provgraph.prompts import Prompt
from provgraph.provenance.candidates import RelevanceVerdict

RULES: Final = "reformulation-rules"
PLACES: Final = frozenset({"question", "passages"})
MOST_NAMES: Final = 3
UNREADABLE: Final = "The model's check of the passages could not be read. They are taken as they are."
_NO_CANDIDATES: Final = "(nothing was found)"


async def measured_check(question: str, candidates: PaperCandidates) -> RelevanceCheck:
    """The measure by which the answer would refuse, taken before."""
    if is_english(question):
        return await _read_check(question, candidates)
    selection = await to_thread.run_sync(select_chunks, candidates.weights, candidates.passages, 1)
    best = selection.chosen[0].coverage if selection.chosen else 0.0
    verdict = "enough" if selection.suffices else "not enough"
    covered = f"The best of {len(candidates.passages)} passages covers {best:.0%} of the question's weight"
    return RelevanceCheck(
        RelevanceVerdict(selection.suffices, f"{covered}; {verdict} for an answer.", SELECTOR),
        "" if selection.suffices else reworded(question, candidates),
        RULES,
    )


async def _read_check(question: str, candidates: PaperCandidates) -> RelevanceCheck:
    reading = await read_passages(question, candidates.weights, candidates.passages)
    relevant = bool(reading) and reading[0].answers
    reason = reading[0].explanation if reading else "No sentence was found that could answer."
    return RelevanceCheck(
        RelevanceVerdict(relevant, reason, SELECTOR),
        "" if relevant else reworded(question, candidates),
        RULES,
    )


def reworded(question: str, candidates: PaperCandidates) -> str:
    """The words of the question that the papers know, with the names that stand nearest to them.

    Empty where that would ask nothing else.
    """
    known = [term.text for term in candidates.weights.terms if term.known]
    words = set(terms(question))
    labels = (candidates.labels[node] for node in candidates.related)
    names = [label for label in labels if not words.issuperset(terms(label))]
    if not known or (len(known) == len(candidates.weights.terms) and not names):
        return ""
    return " ".join([*known, *names[:MOST_NAMES]])


async def model_check(
    run: Run, model: LanguageModel, prompt: Prompt, question: str, candidates: PaperCandidates
) -> RelevanceCheck:
    """A model's; by measure, with a warning, where the model fails."""
    values = {"question": question, "passages": _described(candidates.passages)}
    call = run.call(model, prompt, values)
    try:
        verdict, words = relevance_verdict(await call.whole(), model.name)
    except ModelUnavailable as failure:
        run.warn(f"{failure} The passages were checked by measure instead.")
        return await measured_check(question, candidates)
    if verdict is None:
        run.warn(UNREADABLE)
    return RelevanceCheck(verdict, words, model.name)


def _described(candidates: Sequence[RetrievedPassage]) -> str:
    return (
        "\n\n".join(
            f"[{number}] {each.hit.title}\n{each.hit.text}" for number, each in enumerate(candidates, 1)
        )
        or _NO_CANDIDATES
    )
