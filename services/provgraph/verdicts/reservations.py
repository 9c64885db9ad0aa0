"""What a sentence holds back of a claim whose words it has: it leaves it open, tells it of others or in part, or says
it otherwise."""

from __future__ import annotations

from collections.abc import Set
from typing import Final

from provgraph.reading.syntax import Parser
from provgraph.verdicts.claim_readings import readings
from provgraph.verdicts.claims import read_claim
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.judging import judge
from provgraph.verdicts.objections import objections
from provgraph.verdicts.text_reading import text_meaning
from provgraph.verdicts.tree_objections import Kind

OF_OTHERS: Final = frozenset[Kind](("scope", "share", "part"))
LEFT_OPEN: Final = frozenset(("planned", "alleged", "conditional", "over"))
_CORE: Final = frozenset(("who or what", "whom or what", "predicate"))
_NEARLY: Final = frozenset(("almost", "nearly"))


def is_held_back(
    claim: str,
    evidence: EvidenceText,
    parser: Parser,
    granted: Set[str] = frozenset(),
    *,
    is_told_apart: bool = False,
) -> bool:
    """Whether the sentence that has most of a claim says it as planned, alleged, nearly so or over, or of another day,
    somebody else or a part; False where the evidence does not speak of it. `granted` are ways of saying it that are no
    matter; with `is_told_apart` it is known otherwise which part of the sentence is meant."""
    reading = next(
        readings(read_claim(claim, parser, [evidence.title]), [text_meaning(evidence, parser)]), None
    )
    if reading is None or reading.best.sentence is None:
        return False
    nearly = any(token.text.lower() in _NEARLY for token in reading.best.sentence.parsed.tokens)
    left_open = LEFT_OPEN | {"hypothetical"} if nearly else LEFT_OPEN
    claimed = {statement.modality for statement in reading.claim.meaning.statements} | granted
    if reading.manners and reading.manners <= left_open - claimed:
        return True
    against = objections(reading)
    of_another = any(
        objection.kind == "another's" and objection.unit is not None
        and (
            (objection.against and reading.best.units[objection.unit].kind == "date")
            or (objection.said is not None and objection.said.relation == "nmod:poss")
        )
        for objection in against
    )  # fmt: skip
    return of_another or (not is_told_apart and any(each.kind in OF_OTHERS for each in against))


def says_otherwise(claim: str, answer: str, evidence: EvidenceText, parser: Parser) -> bool:
    """Whether a text says of whom the claim tells, and that he does it, with something else in the place of the answer:
    "seniors pay 240 euros, juniors 95" where the claim is that juniors pay 240."""
    start = claim.rfind(answer)
    verdict = judge(claim, [evidence], parser) if start >= 0 else None
    if verdict is None or verdict.label != "REFUTES":
        return False
    end = start + len(answer)
    own = [each for each in verdict.elements if each.start < end and start < each.end]
    core = [each for each in verdict.elements if each.role in _CORE and each not in own]
    is_other = any(each.relation == "contradicted" and each.evidence is not None for each in own)
    return is_other and bool(core) and all(each.relation == "entailed" for each in core)
