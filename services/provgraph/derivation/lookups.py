"""One relation of one thing, looked up: the hop of which comparisons and compositions are made."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.derivation.matching import Match
from provgraph.derivation.plan import Pattern, Term
from provgraph.derivation.solving import Solver
from provgraph.reading.propositions import Argument, Proposition, Span
from provgraph.reading.questions import ANSWER
from provgraph.reading.relations import vocabulary

NOWHERE = Span(0, 0, "")


@dataclass(frozen=True)
class Lookup:
    """The value of a relation, and the match that says it."""

    relation: str
    match: Match

    @property
    def value(self) -> Argument:
        assert self.match.value is not None
        return self.match.value


def entity(label: str, entity_type: str = "") -> Argument:
    """A name that a question or an earlier step gave."""
    span = Span(0, len(label), label)
    return Argument("subject", label, span, span, "entity", entity_type=entity_type)


async def typed(name: Argument, solver: Solver) -> Argument:
    """What a question names, with the type that documents give it: a question's own words tell too little."""
    passages = await solver.finder.passages(name.label)
    known = (passage.reading.type_of(name.label) for passage in passages)
    return entity(name.label, next(filter(None, known), ""))


_MEASURES: Final = {
    "population": "population", "area": "area", "height": "height", "length": "length", "width": "width",
    "depth": "depth", "weight": "weight", "cost": "cost", "price": "cost", "budget": "cost", "revenue": "revenue",
    "profit": "profit", "currency": "currency", "duration": "duration",
}  # fmt: skip
_OF: Final = re.compile(
    r"\s*what(?:\s+(?:is|was|are|were)|['’]s)\s+the\s+(?:total\s+)?(\w+)\s+of\s+(?:the\s+)?([A-Z][^?,]*+)\??\s*",
    re.IGNORECASE,
)


def measure_asked(text: str) -> tuple[str, str] | None:
    """The relation and the name of "what is the population of X"; None for another question."""
    match = _OF.fullmatch(text)
    relation = _MEASURES.get(match.group(1).casefold(), "") if match else ""
    if not match or not relation or len(match.group(2).split()) > _LONGEST_NAME:
        return None
    return relation, match.group(2).strip()


_LONGEST_NAME: Final = 4


def pattern_of(thing: Argument, relation: str) -> Pattern:
    """thing | relation | ?answer."""
    known = vocabulary()
    label = known[relation].label if relation in known else relation
    open_end = Argument("object", "what", NOWHERE, NOWHERE, "open", variable=ANSWER)
    span = Span(0, len(label), label)
    proposition = Proposition(relation, relation in known, span, thing, open_end, span, modality="asked")
    return Pattern(proposition, Term(thing), Term(open_end, ANSWER))


async def look_up(
    solver: Solver, thing: Argument, relations: Sequence[str], expected: str = ""
) -> Lookup | None:
    """The best value of the first of these relations that a statement says of a thing, else of the first that a
    sentence may say; None where none does."""
    known, hinted = vocabulary(), None
    for relation in relations:
        if relation in known and not _may_have(thing, known[relation].domain):
            continue
        types = known[relation].range - {"-"} if relation in known else frozenset()
        kind = expected or (next(iter(types)) if len(types) == 1 else "")
        matches = await solver.within({ANSWER: kind}).matches(pattern_of(thing, relation), {})
        if matches and matches[0].score >= LEAST:
            if matches[0].proposition is not None:
                return Lookup(relation, matches[0])
            hinted = hinted or Lookup(relation, matches[0])
    return hinted


def _may_have(thing: Argument, domain: frozenset[str]) -> bool:
    """Whether a thing of its type can have a relation at all."""
    return thing.entity_type != "Person" or not domain or "-" in domain or thing.entity_type in domain


LEAST: Final = 0.45
"""What a look-up must score."""
