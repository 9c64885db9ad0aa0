"""What a sentence holds back of a claim whose words it has: it leaves it open, or tells it of others or in part."""

from __future__ import annotations

from collections.abc import Set
from typing import Final

from provgraph.reading.syntax import Parser
from provgraph.verdicts.claim_readings import readings
from provgraph.verdicts.claims import read_claim
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.objections import Kind, objections
from provgraph.verdicts.text_reading import text_meaning

OF_OTHERS: Final = frozenset[Kind](("scope", "share", "part"))
LEFT_OPEN: Final = frozenset(("planned", "alleged", "conditional", "over"))
_NEARLY: Final = frozenset(("almost", "nearly"))


def is_held_back(claim: str, evidence: EvidenceText, parser: Parser, granted: Set[str] = frozenset()) -> bool:
    """Whether the sentence that has most of a claim says it as planned, alleged, nearly so or over, or of another or
    of a part; False where the evidence does not speak of it. `granted` are ways of saying it that are no matter."""
    found = next(
        readings(read_claim(claim, parser, [evidence.title]), [text_meaning(evidence, parser)]), None
    )
    if found is None or found.best.sentence is None:
        return False
    nearly = any(token.text.lower() in _NEARLY for token in found.best.sentence.parsed.tokens)
    left_open = LEFT_OPEN | {"hypothetical"} if nearly else LEFT_OPEN
    claimed = {each.modality for each in found.claim.meaning.statements} | granted
    if found.manners and found.manners <= left_open - claimed:
        return True
    against = objections(found)
    of_another_day = any(
        each.kind == "another's" and each.against and each.unit is not None
        and found.best.units[each.unit].kind == "date"
        for each in against
    )  # fmt: skip
    return of_another_day or any(each.kind in OF_OTHERS for each in against)
