"""The judge without a model: what the rules weighed, as a verdict with reasons in words."""

from __future__ import annotations

from typing import Final

from anyio import fail_after, to_thread

from provgraph.errors import TimedOut
from provgraph.flows.fact_verification.judgement import JudgedClaim, Material, VerdictArgument
from provgraph.flows.fact_verification.rules.decision import REFUTED, SUPPORTED, Decision, Weighed, decide
from provgraph.flows.fact_verification.rules.reading import read
from provgraph.flows.runner.run import Run
from provgraph.provenance.verification_trace import Judgement, Label, Stance

JUDGING_S: Final = 20.0

MOST_ARGUMENTS: Final = 3
"""Sentences that are told for the claim, and as many against it."""

WORTH_TELLING: Final = min(SUPPORTED, REFUTED)
NEAR: Final = 0.7
"""The share of the surest score that another sentence of its stance must have to be told."""

LITTLE: Final = 0.6
WEAK: Final = 0.4
_OTHER: Final = {Stance.FOR: Stance.AGAINST, Stance.AGAINST: Stance.FOR}


class RuleJudge:
    """Reads no facts: what the rules of extraction could not read as a fact may decide a claim too."""

    async def judged(self, run: Run, material: Material) -> JudgedClaim:  # noqa: ARG002
        """In a thread of its own: other requests go on. Raises `TimedOut` after `JUDGING_S`."""
        try:
            with fail_after(JUDGING_S):
                return await to_thread.run_sync(_judged, material, abandon_on_cancel=True)
        except TimeoutError as error:
            raise TimedOut(
                f"The claim could not be judged within {JUDGING_S:.0f} seconds. Verify its sentences one by one."
            ) from error


def _judged(material: Material) -> JudgedClaim:
    return judged_by_rules(material, decide(material.claim, passage_texts(material)))


def passage_texts(material: Material) -> list[tuple[str, list[str]]]:
    """Titles with sentences, as the rules read them."""
    return [(each.hit.title, [words.text for words in each.sentences]) for each in material.passages]


def judged_by_rules(material: Material, decision: Decision) -> JudgedClaim:
    """A decision with the sentences that speak for and against, those of the label first."""
    denies = read(material.claim).denies
    judgement = Judgement(decision.label, decision.confidence, decision.coverage)
    if decision.label is Label.NOT_ENOUGH_INFO:
        return JudgedClaim(judgement, _uncovered(decision))
    wanted = Stance.FOR if decision.label is Label.SUPPORTS else Stance.AGAINST
    arguments = [
        argument
        for stance in (wanted, _OTHER[wanted])
        for argument in _arguments(material, decision, stance, denies)
    ]
    return JudgedClaim(judgement, arguments[0].reason, tuple(arguments), _notes(decision))


def _notes(decision: Decision) -> tuple[str, ...]:
    if decision.coverage < LITTLE:
        return (f"Little of the claim is covered ({decision.coverage:.0%}). Read the words that are cited.",)
    if decision.confidence < WEAK:
        return (f"The evidence is weak ({decision.confidence:.0%}). Read the words that are cited.",)
    return ()


def _arguments(material: Material, decision: Decision, stance: Stance, denies: bool) -> list[VerdictArgument]:
    """The sentences of one stance, the surest first. What supports what a claim denies speaks against the claim."""
    supporting = (stance is Stance.FOR) != denies
    scored = [(each.supports if supporting else each.refutes, each) for each in decision.weighed]
    told = sorted((pair for pair in scored if pair[0] >= WORTH_TELLING), key=lambda pair: -pair[0])
    seen: set[str] = set()
    found: list[VerdictArgument] = []
    for score, each in told:
        if each.comparison.said.text in seen or len(found) == MOST_ARGUMENTS or score < NEAR * told[0][0]:
            continue
        seen.add(each.comparison.said.text)
        words = material.passages[each.passage].sentences[each.sentence]
        found.append(VerdictArgument(stance, each.passage, words, _reason(each, supporting, denies), score))
    return found


def _reason(each: Weighed, supporting: bool, denies: bool) -> str:
    conflict, denied = each.conflict, each.comparison.denied
    said = "denies" if denies else "says"
    if supporting and not denied:
        covered = f"{each.comparison.predicate:.0%} of what the claim says of its subject"
        return (
            f"The documents say what the claim denies ({covered})."
            if denies
            else f"The documents say {covered}."
        )
    if denied and (conflict is None or not supporting):
        return "The documents deny what the claim denies." if denies else "The documents deny it."
    if conflict is None:
        return (
            "The documents speak against what the claim denies."
            if denies
            else "The documents speak against it."
        )
    if conflict.sort == "only":
        return f"The documents name “{conflict.said}” besides."
    if conflict.sort == "roles":
        return "The documents say it the other way round."
    return f"The documents say “{conflict.said}” where the claim {said} “{conflict.claimed}”."


def _uncovered(decision: Decision) -> str:
    if not decision.weighed:
        return "The collection has nothing about the claim."
    closest = max(decision.weighed, key=lambda each: each.comparison.subject + each.comparison.predicate)
    missing = [unit.text for unit in closest.comparison.missing]
    if not missing:
        return "The documents speak of its words, and say neither that it is so nor that it is not."
    return f"The closest sentence does not speak of {', '.join(f'“{each}”' for each in missing)}."
