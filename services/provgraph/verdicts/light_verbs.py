"""What is done as a noun under a verb that says little: who makes a recovery recovers, who takes part participates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from provgraph.language import wordnet
from provgraph.verdicts.sentence_meaning import SentenceMeaning
from provgraph.verdicts.things import Statement, Thing

_LIGHT: Final = frozenset("make take give do hold carry conduct perform reach undertake".split())
_DONE_TO_IT: Final = frozenset(
    "visit pay damage change answer repair amend injure alter improve modify harm".split()
)


def light_statements(meaning: SentenceMeaning) -> Iterator[Statement]:
    """ "Made a full recovery" as "recovered", "paid a visit to Graz" as "visited Graz"."""
    for statement in meaning.statements:
        done = statement.slots.get("P", [])
        if statement.lemma.split()[0] not in _LIGHT or len(done) != 1 or "A" not in statement.slots:
            continue
        verb = _verb_of(done[0])
        if not verb:
            continue
        rest = {role: some for role, some in statement.slots.items() if role != "P"}
        around = [(f"@{case}", each) for case, each in done[0].restrictions]
        positive = statement.positive and done[0].determiner != "no"
        slots = {role: some for role, some in statement.slots.items() if role != "P"}
        for role, thing in around:
            slots.setdefault(role, [thing])
        as_verb = replace(statement, lemma=verb, slots=slots, positive=positive)
        yield as_verb
        role = next((r for r in ("@of", *(("@to",) if verb in _DONE_TO_IT else ())) if r in slots), "")
        if role:
            rest = {each: some for each, some in slots.items() if each != role}
            yield replace(as_verb, slots={**rest, "P": slots[role]})


def _verb_of(noun: Thing) -> str:
    """The verb that a noun for what is done comes from, empty for any other noun."""
    if noun.kind != "noun" or noun.names:
        return ""
    verbs = [word for word, part in wordnet.derived(noun.lemma, "n") if part == "v"]
    return min((v for v in verbs if v[:3] == noun.lemma[:3]), key=len, default="")
