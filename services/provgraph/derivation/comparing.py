"""Questions that compare: which is earlier, larger, older; are they the same.

The value is looked up for each alternative by the relation that the question compares by, then compared as a value; for
"the film whose director was born first" the relation is reached over the director of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from provgraph.derivation.evidence import support, support_at
from provgraph.derivation.lookups import Lookup, entity, look_up, typed
from provgraph.derivation.names import likeness, words_of
from provgraph.derivation.result import Derived, Incomplete, Step, joined_steps
from provgraph.derivation.solving import Solver
from provgraph.derivation.stepwise import Proposing
from provgraph.reading.entity_types import demonyms
from provgraph.reading.propositions import Argument
from provgraph.reading.questions import QuestionReading
from provgraph.reading.relations import vocabulary
from provgraph.reading.value_reading import find_values
from provgraph.reading.values import Date, Value, order

_DATES: Final = (
    "release-date", "founded-on-date", "born-on-date", "start-time", "built-on-date", "point-in-time",
    "written-on-date", "invented-on-date",
)  # fmt: skip
_SAME: Final[dict[str, tuple[str, ...]]] = {
    "country": ("nationality", "located-in", "origin", "born-in-place", "headquarters"),
    "nationality": ("nationality", "origin", "born-in-place"),
    "state": ("located-in", "headquarters", "born-in-place"), "city": ("located-in", "headquarters", "born-in-place"),
    "place": ("located-in", "born-in-place"), "town": ("located-in", "born-in-place", "origin"),
    "county": ("located-in",), "continent": ("located-in",), "region": ("located-in",),
    "profession": ("occupation",), "occupation": ("occupation",), "genre": ("genre", "instance-of"),
    "director": ("director",), "author": ("author",), "composer": ("composer",), "year": _DATES,
    "father": ("father",), "mother": ("mother",), "producer": ("producer",), "publisher": ("publisher",),
    "university": ("educated-at",), "school": ("educated-at",), "band": ("member-of",),
    "company": ("producer", "owned-by"),
    "team": ("plays-for",), "party": ("party",), "language": ("language", "official-language"),
}  # fmt: skip
_OVER: Final = frozenset(
    "director author composer performer producer screenwriter father mother spouse wife husband founded-by creator "
    "publisher developer editor designer child parent owned-by".split()
)


async def compared(question: QuestionReading, solver: Solver) -> Derived | Incomplete | None:
    """The answer of a question that compares; None where it does not, or not so that it can be told."""
    names = [argument for argument in question.alternatives if argument.is_named]
    if question.kind == "yes-no" and question.comparison and question.comparison.direction != "same":
        return await _first_of_two(question, solver)
    if len(names) < 2 and question.comparison:
        names = _named_apart(question)
    if len(names) < 2:
        return None
    if question.comparison and question.comparison.direction == "same":
        return await _same(question, names, solver)
    if question.comparison:
        return await _ordered(question, names, solver)
    return None


def _named_apart(question: QuestionReading) -> list[Argument]:
    """Those to choose from where the reading did not tell them apart: the names around "or", or "the spire of X"."""
    described = [
        entity(argument.of) for argument in question.alternatives if not argument.is_named and argument.of
    ]
    if len(described) == len(question.alternatives) > 1:
        return described
    names = [name for name in question.names if name.value is None]
    tail = question.text.partition(names[0].text)[2] if names else ""
    joined = " or " in tail or (len(names) > 2 and " and " in tail)
    return names if joined else []


async def _reached(
    question: QuestionReading, name: Argument, solver: Solver
) -> tuple[Argument, list[Step], Lookup | None]:
    """The thing that is compared for an alternative: itself, or its director where the question speaks of that."""
    over = next((p.relation for p in question.propositions if p.relation in _OVER and p.canonical), "")
    own = question.comparison.relation if question.comparison else ""
    thing = await typed(name, solver)
    if not over or over == own or over in _SAME.get(own, ()):
        return thing, [], None
    lookup = await look_up(solver, thing, [over])
    if lookup is None:
        return thing, [], None
    return entity(lookup.value.label, "Person"), [_looked_up(name.label, lookup)], lookup


def _looked_up(name: str, lookup: Lookup, uses: tuple[int, ...] = ()) -> Step:
    known = vocabulary()
    label = known[lookup.relation].label if lookup.relation in known else lookup.relation
    match = lookup.match
    cited = (
        support(match.passage, match.proposition, match.value)
        if match.proposition is not None
        else support_at(match.passage, lookup.value.span)
    )
    return Step("look up", lookup.value.label, f"{name} {label} {lookup.value.label}.", (cited,), uses)


async def _ordered(
    question: QuestionReading, names: Sequence[Argument], solver: Solver
) -> Derived | Incomplete | None:
    assert question.comparison is not None
    relations = _relations(question)
    steps: list[Step] = []
    values: list[tuple[Argument, Argument, int]] = []
    for name in names:
        thing, before, _ = await _reached(question, name, solver)
        steps += before
        lookup = await look_up(solver, thing, relations)
        if lookup is None or lookup.value.value is None:
            return Incomplete(tuple(steps), f"No document says {_asked_value(relations)} of {thing.label}.")
        relations = (lookup.relation, *(r for r in relations if r != lookup.relation))
        steps.append(_looked_up(thing.label, lookup, (len(steps) - 1,) if before else ()))
        values.append((name, lookup.value, len(steps) - 1))
    if _are_one_place([steps[index] for _, _, index in values]):
        return None
    best = values[0]
    wanted = -1 if question.comparison.direction == "least" else 1
    for each in values[1:]:
        assert each[1].value is not None
        assert best[1].value is not None
        relation = order(each[1].value, best[1].value)
        if relation is None:
            return Incomplete(tuple(steps), "The values cannot be compared.")
        if relation == wanted:
            best = each
    if any(
        order(v.value, best[1].value) == 0
        for n, v, _ in values
        if n is not best[0] and v.value and best[1].value
    ):
        return Incomplete(tuple(steps), "The values are the same.")
    said = "; ".join(f"{name.label}: {value.label}" for name, value, _ in values)
    steps.append(Step("compare", best[0].label, f"{said}.", (), tuple(i for _, _, i in values)))
    return Derived(best[0].label, "entity", tuple(steps), 0.85)


def _are_one_place(steps: Sequence[Step]) -> bool:
    """Whether what was found of two things is the same words, which cannot be the value of both: "480 people: 125 in
    the Netherlands and 45 in Porto"."""
    places = [(support.passage.key, support.words.start) for step in steps for support in step.supports]
    return len(set(places)) < len(places)


async def compared_by_dates(question: QuestionReading, answers: Proposing) -> Derived | None:
    """The answer of a question for the first or last of two, where the date of each is an answer to a question: "When
    was X formed?"; None where one is not told."""
    names = [argument for argument in question.alternatives if argument.is_named]
    asked = _date_question(question)
    if len(names) < _TWO or not asked or question.comparison is None:
        return None
    steps, dates, chance = list[Step](), list[tuple[Value, str, int]](), 1.0
    for name in names:
        best = next(iter(await answers.proposed(asked.format(name.label), 1)), None)
        value = (
            next((v.value for v in find_values(best.text) if isinstance(v.value, Date)), None)
            if best
            else None
        )
        if best is None or value is None or best.confidence < LEAST_OF_DATE:
            return None
        steps = [*joined_steps(steps, best.steps, leads=False)]
        dates.append((value, name.label, len(steps) - 1))
        chance = min(chance, best.confidence)
    wanted = -1 if question.comparison.direction == "least" else 1
    first = [d for d in dates if all(d is other or order(d[0], other[0]) == wanted for other in dates)]
    if len(first) != 1:
        return None
    label = first[0][1]
    said = "; ".join(f"{name}: {steps[at].value}" for _, name, at in dates)
    steps.append(Step("compare", label, f"{said}.", (), tuple(at for *_, at in dates)))
    return Derived(label, "entity", tuple(steps), chance)


_TWO: Final = 2
LEAST_OF_DATE: Final = 0.4
"""How likely each of the dates that are compared must be right."""


def _date_question(question: QuestionReading) -> str:
    """The question for the date of one, with {} for its name: "Which band was formed first, …" asks when each was
    formed; empty where no date is compared."""
    if question.comparison is None or question.answer is None:
        return ""
    relation = question.comparison.relation
    if relation == "born-on-date":
        return "When was {} born?"
    said = question.text[question.answer.span.end : question.comparison.word.start].strip()
    verb = said.removeprefix("was ").removeprefix("were ")
    is_date = relation == "date" or (relation in vocabulary() and "Date" in vocabulary()[relation].range)
    return f"When was {{}} {verb}?" if is_date and verb != said and verb.isalpha() else ""


async def _first_of_two(question: QuestionReading, solver: Solver) -> Derived | Incomplete | None:
    """ "Is X older than Y?" """
    names = [name for name in question.names if name.value is None][:2]
    if len(names) < 2:
        return None
    found = await _ordered(question, names, solver)
    if not isinstance(found, Derived):
        return found
    text = "yes" if found.text == names[0].label else "no"
    last = replace(found.steps[-1], value=text)
    return Derived(text, "yes-no", (*found.steps[:-1], last), found.confidence)


def _relations(question: QuestionReading) -> tuple[str, ...]:
    assert question.comparison is not None
    relation = question.comparison.relation
    if relation == "date":
        return _DATES
    if relation == "born-on-date":
        return ("born-on-date", "founded-on-date", "release-date", "built-on-date")
    if relation == "area":
        return ("area", "population", "height", "length")
    if relation == "length":
        return ("length", "duration")
    if relation == "number":
        counted = next((p.relation for p in question.propositions if p.relation in vocabulary()), "")
        return tuple(filter(None, (counted, "population", "employees", "revenue", "cost")))
    known = vocabulary()
    if relation in known and "Date" in known[relation].range:
        return (relation, *(r for r in _DATES if r != relation))
    return (relation,)


def _asked_value(relations: Sequence[str]) -> str:
    known = vocabulary()
    first = relations[0]
    if first in known and "Date" in known[first].range:
        return "when: " + known[first].label
    return f"the {first.replace('-', ' ')}"


async def _same(
    question: QuestionReading, names: Sequence[Argument], solver: Solver
) -> Derived | Incomplete | None:
    assert question.comparison is not None
    relations = _SAME.get(question.comparison.relation, (question.comparison.relation,))
    steps: list[Step] = []
    values: list[tuple[frozenset[str], str, int]] = []
    for name in names:
        thing, before, _ = await _reached(question, name, solver)
        steps += before
        lookup = await look_up(solver, thing, relations)
        if lookup is None:
            return Incomplete(
                tuple(steps), f"No document says which {question.comparison.relation} {thing.label} has."
            )
        steps.append(_looked_up(thing.label, lookup, (len(steps) - 1,) if before else ()))
        values.append((_places(lookup), lookup.value.label, len(steps) - 1))
    first = values[0]
    alike = all(_alike(first, other) for other in values[1:])
    text = "yes" if alike else "no"
    said = ", ".join(label for _, label, _ in values)
    steps.append(
        Step(
            "compare",
            text,
            f"{'The same' if alike else 'Not the same'}: {said}.",
            (),
            tuple(i for *_, i in values),
        )
    )
    return Derived(text, "yes-no", tuple(steps), 0.8)


def _alike(one: tuple[frozenset[str], str, int], other: tuple[frozenset[str], str, int]) -> bool:
    return bool(one[0] & other[0]) or likeness(one[1], other[1]) >= 0.85


def _places(lookup: Lookup) -> frozenset[str]:
    """A place's name, its country's where it is a demonym, and the places that the same sentence says it lies in."""
    countries = demonyms()
    label = lookup.value.label
    folded = " ".join(words_of(label))
    names = {folded, countries.get(label, countries.get(label.casefold(), folded)).casefold()}
    proposition = lookup.match.proposition
    if proposition is not None:
        later = [
            p
            for p in lookup.match.passage.reading.propositions
            if p.relation == "located-in" and p.sentence == proposition.sentence
        ]
        for each in later:
            if each.object is not None:
                names.add(" ".join(words_of(each.object.label)))
    return frozenset(names)
