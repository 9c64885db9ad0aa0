"""A "not" of the claim that denies one phrase rather than its clause: "in Graz, not in 1898"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from provgraph.reading.syntax import Token
from provgraph.verdicts.alignment import Alignment
from provgraph.verdicts.claims import Claim
from provgraph.verdicts.judgement import Element
from provgraph.verdicts.things import Statement

ROLE: Final = "denial"
_DENIES: Final = frozenset(("not", "n't", "n’t", "never"))
_NOT_ONLY: Final = frozenset(("only", "just", "merely", "solely"))


def denial(claim: Claim, groups: Sequence[Alignment], elements: Sequence[Element]) -> Element | None:
    """The first such "not". Where evidence entails all the rest, it contradicts what is denied."""
    found = next((each for each in _unread(claim, groups)), None)
    if found is None:
        return None
    token, after = found
    element = Element(
        token.text, token.start, token.end, ROLE, "not said", None, "what it denies is not read"
    )
    entailed = bool(elements) and all(element.relation == "entailed" for element in elements)
    denied = next((element for element in elements if element.start >= token.end), None)
    if not entailed or denied is None or after in _NOT_ONLY:
        return element
    return replace(element, relation="contradicted", evidence=denied.evidence, why="the claim denies it")


def _is_denial(statement: Statement) -> bool:
    return statement.over or not statement.positive


def _unread(claim: Claim, groups: Sequence[Alignment]) -> list[tuple[Token, str]]:
    """Words that deny, more than there are clauses that are read as denied, each with the word after it."""
    found: list[tuple[Token, str]] = []
    for number, sentence in enumerate(claim.meaning.parsed):
        tokens = [*sentence.tokens]
        own = [i for i, each in enumerate(tokens) if each.text.casefold() in _DENIES]
        if not own:
            continue
        denied = sum(_is_denial(g.claimed) and g.claimed.sentence == number for g in groups)
        found += [
            (tokens[i], tokens[i + 1].text.casefold() if i + 1 < len(tokens) else "") for i in own[denied:]
        ]
    return found
