"""The relative of somebody who is asked for by a composed relation ("the maternal grandfather of Ada Novak"), and how
many children or siblings somebody has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from anyio import to_thread

from provgraph.derivation.clauses_asked import ReadClause, clauses_of
from provgraph.derivation.compositions import COMPOSED
from provgraph.derivation.differences import said_like
from provgraph.derivation.evidence import Finder, ReadPassage
from provgraph.derivation.lookups import Lookup, entity, look_up
from provgraph.derivation.names import likeness, words_of
from provgraph.derivation.plan import Plan
from provgraph.derivation.result import Derived, Incomplete, Step
from provgraph.derivation.solving import Solver
from provgraph.derivation.steps import cited, steps_of
from provgraph.reading.propositions import Argument
from provgraph.reading.questions import QuestionReading
from provgraph.reading.relations import vocabulary
from provgraph.reading.syntax import Token
from provgraph.reading.value_reading import read_value
from provgraph.reading.values import Quantity

_LEAST_OF_CHAIN: Final = 0.3
"""What the hops of a composition must score together."""


async def composed(
    relation: str, question: QuestionReading, planned: Plan, solver: Solver
) -> Derived | Incomplete | None:
    start = await _start(relation, question, planned, solver)
    if start is None:
        return None
    thing, before = start
    longest: list[Step] = before
    for chain in COMPOSED[relation]:
        found = await _along(thing, chain, solver, list(before))
        if isinstance(found, Derived):
            return found
        if len(found) > len(longest):
            longest = found
    return Incomplete(tuple(longest), f"No document says who the {relation} of {thing.label} is.")


async def _start(
    relation: str, question: QuestionReading, planned: Plan, solver: Solver
) -> tuple[Argument, list[Step]] | None:
    """The one whose relative is asked for: named, or first to be found."""
    word = relation.split("-")[0].split()[-1]
    kin = [
        p
        for p in planned.patterns
        if word in p.proposition.predicate.text.casefold()
        or "grand" in p.relation
        or p.relation
        in ("uncle-or-aunt", "nephew-or-niece", "cousin", "relative", "grandparent", "grandchild")
    ]
    for pattern in kin:
        if pattern.subject.is_named:
            return pattern.subject.argument, []
        if pattern.subject.variable:
            others = tuple(each for each in planned.patterns if each is not pattern)
            part = Solver(Plan(question, others, {**planned.types, "?answer": "Person"}), solver.finder)
            for solution in await part.solutions():
                bound = solution.bindings.get(pattern.subject.variable)
                if bound is not None:
                    return entity(bound.label, "Person"), steps_of(solution)
    names = [name for name in question.names if name.entity_type in ("Person", "")]
    return (names[0], []) if len(names) == 1 else None


async def _along(
    thing: Argument, chain: Sequence[str], solver: Solver, steps: list[Step]
) -> Derived | list[Step]:
    score = 1.0
    lookup: Lookup | None = None
    start = thing.label
    for relation in chain:
        lookup = await look_up(solver, thing, [relation], "Person")
        if lookup is None or likeness(lookup.value.label, start) >= 0.85:
            return steps
        known = vocabulary()
        steps.append(
            Step(
                "look up",
                lookup.value.label,
                f"{thing.label} {known[relation].label} {lookup.value.label}.",
                (cited(lookup.match),),
                (len(steps) - 1,) if steps else (),
            )
        )
        score *= lookup.match.score
        thing = entity(lookup.value.label, "Person")
    assert lookup is not None
    if score < _LEAST_OF_CHAIN:
        return []
    return Derived(lookup.value.label, "entity", tuple(steps), score)


_HOW_MANY: Final = re.compile(
    r"\s*how many (?P<kin>children|kids|sons|daughters|siblings|brothers and sisters|brothers|sisters) "
    r"(?:did|does|do|has|had|have) (?P<who>.{1,100}?)(?: (?:have|had|got))?[\s?]*$",
    re.IGNORECASE,
)
_COUNTED_KIN: Final[dict[str, frozenset[str]]] = {
    "child": frozenset(("child", "kid", "son", "daughter")), "kid": frozenset(("child", "kid", "son", "daughter")),
    "sibling": frozenset(("sibling", "brother", "sister")), "son": frozenset(("son",)),
    "daughter": frozenset(("daughter",)), "brother": frozenset(("brother",)), "sister": frozenset(("sister",)),
}  # fmt: skip
_WHOLES: Final = frozenset(("child", "kid", "sibling"))
_ONE_OF: Final = re.compile(
    r"\b(?:(?P<rank>\w+(?:st|nd|rd|th)|first|second|third)|eldest|oldest|youngest|middle|last|one) (?:child )?of "
    r"(?:the |his |her |their )?(?P<number>\w+) (?:children|siblings)\b",
    re.IGNORECASE,
)
_OF_ANOTHER: Final = re.compile(r"['’]s? | of ")
"""Words for somebody who has to be found first: "Ada Novak's brother"."""
_HAVING: Final = frozenset("have bear raise adopt father rear".split())
_PAIRS: Final = frozenset("couple pair marriage he she they".split())
_CONFIDENCE: Final = 0.87


async def kin_counted(text: str, finder: Finder) -> Derived | None:
    """How many children or siblings somebody has, where the sentences that tell it agree: the sum of sons and
    daughters, and one less than the children of whom that one is the youngest. Else None."""
    match = _HOW_MANY.match(text)
    if match is None or _OF_ANOTHER.search(match["who"]):
        return None
    passages = await finder.passages(text)
    return await to_thread.run_sync(_kin_told, match["kin"].casefold(), match["who"], passages)


def _kin_told(kin: str, who: str, passages: Sequence[ReadPassage]) -> Derived | None:
    kind = "sibling" if " " in kin else "child" if kin == "children" else kin[:-1]
    found = {
        read.passage.sentence_at(read.sentence.start).text: told
        for read in clauses_of(passages)
        if _is_of(read, who) and (told := _among(read, kind) or _had(read, kind)) is not None
    }
    return next(iter(found.values())) if len({told.text for told in found.values()}) == 1 else None


def _is_of(read: ReadClause, who: str) -> bool:
    """Whether a clause is about somebody, by name or by a pronoun or noun that may stand for that one."""
    doers = [t for role in ("A", "P") for t in read.clause.roles.get(role, [])][:1]
    return any(token.lemma.casefold() in _PAIRS or token.text.casefold() in words_of(who) for token in doers)


def _among(read: ReadClause, kind: str) -> Derived | None:
    """One less than the children of whom somebody is one, where siblings are asked for."""
    match = (
        _ONE_OF.search(read.passage.text, read.sentence.start, read.sentence.end)
        if kind == "sibling"
        else None
    )
    value = read_value(match["number"]) if match is not None else None
    if match is None or not isinstance(value, Quantity) or value.amount < 1:
        return None
    support = read.support(match.start("number"), match.end("number"))
    text = said_like(value.amount - 1, match["number"])
    step = Step("subtract", text, f"{match['number']} children less the one who is asked about.", (support,))
    return Derived(text, "number", (step,), _CONFIDENCE)


def _had(read: ReadClause, kind: str) -> Derived | None:
    """The sum of the children or siblings whom a clause says that somebody has."""
    if read.clause.lemma not in _HAVING or not read.clause.polarity:
        return None
    wanted, done = _COUNTED_KIN[kind], read.clause.roles.get("P", [])
    counted = [(t, number) for t in done if t.lemma.casefold() in wanted and (number := _number(t, read))]
    counted = [each for each in counted if each[0].lemma.casefold() in _WHOLES] or counted
    if not counted or any(t.lemma.casefold() in wanted and not _number(t, read) for t in done):
        return None
    supports = tuple(read.support(number.start, number.end) for _, (number, _) in counted)
    words, total = supports[0].words.text, sum((amount for _, (_, amount) in counted), Decimal())
    text = (
        "one"
        if total == 1
        else words
        if len(counted) == 1
        else said_like(total, words if len(words) > 1 else "one")
    )
    operation = "look up" if len(counted) == 1 else "add"
    step = Step(operation, text, f"So many are told: {supports[0].sentence.text}", supports[:1])
    return Derived(text, "number", (step,), _CONFIDENCE)


def _number(noun: Token, read: ReadClause) -> tuple[Token, Decimal] | None:
    """The number that stands before a noun, and how many it is; one where that is an article."""
    for child in read.sentence.children[noun.index]:
        value = read_value(child.text) if child.relation == "nummod" else None
        if isinstance(value, Quantity):
            return child, value.amount
        if child.text.casefold() in ("a", "an"):
            return child, Decimal(1)
    return None
