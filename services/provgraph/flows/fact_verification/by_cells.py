"""What cells of tables say of a claim that no sentence decides: its number, or what is most of all.

A claim is judged by a table only where every word of it that an element names stands in the row, the heads or the
title; a cell refutes it only where the row is looked up surely.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import replace
from typing import Final

from provgraph.derivation.tables.claimed_values import ClaimedValue, claimed_values
from provgraph.derivation.tables.question_words import OPERATORS
from provgraph.flows.fact_verification.judgement import CellVerdict, JudgedClaim, Material, VerdictArgument
from provgraph.flows.runner.events import ClaimElement
from provgraph.flows.runner.passages import RetrievedPassage
from provgraph.flows.runner.reading_passages import PassageFinder
from provgraph.flows.runner.run import Run
from provgraph.flows.runner.table_answers import TableFinder
from provgraph.language.terms import FUNCTION_WORDS, terms
from provgraph.provenance.verification_trace import ClaimJudgement, Label, Stance
from provgraph.verdicts.claims import why_no_claim

SURE: Final = 0.75
"""The least confidence of the answer of a table that refutes a claim."""
_OPERATIONS: Final = re.compile(
    "|".join(OPERATORS[name].pattern for name in ("most", "least", "sum", "average", "count")), re.IGNORECASE
)
"""Words for what a table is asked to do, which stand in none."""
MOST_ROWS: Final = 3
"""Rows that are told for or against the claim."""


async def cell_verdict(run: Run, claim: str, finder: PassageFinder) -> CellVerdict | None:
    """What a table says of the claim; None where it claims no such value, or none tells it surely enough."""
    claims = [] if why_no_claim(claim) else list(claimed_values(claim))
    if not claims:
        return None
    await finder.passages(claim)
    tables = TableFinder(run, finder)
    for claimed in claims:
        answer = await tables.line_item(claimed.question) or await tables.answer(claimed.question)
        stand = claimed.stand(answer.text) if answer is not None else ""
        if answer is None or not stand or (stand == "contradicted" and answer.confidence < SURE):
            continue
        verdict = CellVerdict(claimed, answer, stand)
        if verdict.supports:
            return verdict
    return None


def passages_of(verdict: CellVerdict | None, finder: PassageFinder) -> list[RetrievedPassage]:
    """The passages in which the cells stand."""
    keys = dict.fromkeys(support.passage.key for support in verdict.supports) if verdict is not None else ()
    return [finder.passages_by_key[key] for key in keys]


def judged_by_cells(material: Material, verdict: CellVerdict, judged: JudgedClaim) -> JudgedClaim:
    """The verdict of a table for a claim that `judged` leaves open; that itself where the table lacks a part of it."""
    held = _words_of_table(verdict)
    if not all(_is_known(element, verdict.claimed, held) for element in judged.elements):
        return judged
    refuted = verdict.stand == "contradicted"
    label, stance = (Label.REFUTES, Stance.AGAINST) if refuted else (Label.SUPPORTS, Stance.FOR)
    sure = round(verdict.answer.confidence, 2)
    said = f"The table says “{verdict.answer.text}”"
    reason = f"{said} where the claim says “{verdict.claimed.text}”." if refuted else f"{said}."
    numbers = {each.hit.chunk.value: number for number, each in enumerate(material.passages)}
    arguments = tuple(
        VerdictArgument(
            stance,
            numbers[row.passage.key],
            material.passages[numbers[row.passage.key]].words(row.sentence.start, row.sentence.end),
            reason,
            sure,
        )
        for row in verdict.rows[:MOST_ROWS]
    )
    elements = tuple(_element(element, verdict, material, numbers) for element in judged.elements)
    return replace(
        judged,
        judgement=ClaimJudgement(label, sure, 1.0 if not refuted else judged.judgement.coverage),
        explanation=f"{reason} {verdict.answer.completeness}".strip(),
        arguments=arguments,
        elements=elements,
        missing="",
    )


def _words_of_table(verdict: CellVerdict) -> set[str]:
    """The terms of the rows, of what heads them, and of what the steps name."""
    held = {term for cell in verdict.supports for term in terms(f"{cell.passage.title} {cell.passage.text}")}
    return held | {term for step in verdict.answer.steps for term in terms(step.explanation)}


def _is_known(element: ClaimElement, claimed: ClaimedValue, held: Set[str]) -> bool:
    """Whether a part of the claim, but for its value and its verb, has most of its words among those `held`."""
    if element.role == "predicate" or (_meets(element, claimed) and not claimed.is_name):
        return True
    asked = [term for term in terms(_OPERATIONS.sub(" ", element.text)) if term not in FUNCTION_WORDS]
    return 2 * sum(term in held for term in asked) >= len(asked)


def _meets(element: ClaimElement, claimed: ClaimedValue) -> bool:
    return element.start < claimed.end and claimed.start < element.end


def _element(
    element: ClaimElement, verdict: CellVerdict, material: Material, numbers: dict[str, int]
) -> ClaimElement:
    """An element with what the table says of it: of the value the cell, of the rest the row that has it."""
    is_value = _meets(element, verdict.claimed)
    if element.relation == "entailed" and not is_value:
        return element
    in_cell = is_value and not verdict.claimed.is_name
    having = (
        () if in_cell else (r for r in verdict.rows if element.text.casefold() in r.sentence.text.casefold())
    )
    support = next(iter(having), verdict.supports[0])
    span = support.words if in_cell else support.sentence
    words = material.passages[numbers[support.passage.key]].words(span.start, span.end)
    relation = (verdict.stand or "not said") if is_value else "entailed"
    return replace(
        element, relation=relation, words=words, why=f"the {'cell' if in_cell else 'row'} of the table"
    )
