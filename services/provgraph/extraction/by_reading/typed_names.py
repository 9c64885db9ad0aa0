"""Which type a name of a passage has, where its text or the name itself proves it.

A parser's class alone is no proof. What is said of a thing is ("a lake", "was born"), and so is a name that shows its
type ("Lake Tahoe", "University of Graz"); where proofs contradict each other, the thing has no type.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from provgraph.rdf.vocabulary import ENTITY_CLASSES
from provgraph.reading.entity_types import places, type_of_name, type_of_noun
from provgraph.reading.propositions import Argument, Proposition
from provgraph.reading.relations import vocabulary

_TYPES: Final = {each.value.rpartition("/")[2].rpartition("#")[2] for each in ENTITY_CLASSES}
_BY_NAME: Final = 3
_BY_NOUN: Final = 4
_BY_RELATION: Final = 2
_BY_PARSER: Final = 1
_OTHER: Final = "of another kind"
_PROVE: Final = frozenset(
    "born-in-place born-on-date died-in-place died-on-date buried-in father mother parent child son daughter sibling "
    "brother sister spouse wife husband divorced grandparent grandchild uncle-or-aunt nephew-or-niece cousin "
    "educated-at graduated-from student-of married-on-date capital-of borders flows-into flows-through".split()
)
"""Relations that hold between things of their types only."""


class TypedNames:
    """The types of what the propositions of one passage name."""

    def __init__(self, propositions: Sequence[Proposition]) -> None:
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for each in propositions:
            for label, kind, weight in _votes(each):
                votes[label][kind] += weight
        self._types = {label: _elected(label, found) for label, found in votes.items()}

    def type_of(self, label: str) -> str:
        """One of `rdf.entity_classes` by its name, "Group" for a people; empty where nothing proves one."""
        return self._types.get(label) or type_of_name(label)


def stored(kind: str) -> str:
    """The class that is stored for a type of the reading, empty where there is none."""
    return kind if kind in _TYPES and kind != "Concept" else ""


def _elected(label: str, found: Counter[str]) -> str:
    own = type_of_name(label)
    if own:
        found = found + Counter({own: _BY_NAME})
    (kind, most), *others = found.most_common()
    second = others[0][1] if others else 0
    if most == second or kind == _OTHER:
        return ""
    proved = found[kind] > found.total() - found[kind] and most >= _BY_RELATION
    return kind if proved and (kind != "Person" or most > _BY_RELATION or _is_full_name(label)) else ""


def _is_full_name(label: str) -> bool:
    words = label.split()
    return (
        2 <= len(words) <= 4
        and all(w[:1].isupper() and w.isalpha() for w in words)
        and not places() & {*words, label}
    )


def _votes(each: Proposition) -> Iterator[tuple[str, str, int]]:
    target = each.object
    for argument in (each.subject, target):
        if argument is not None and argument.is_named and argument.entity_type == "Person":
            yield argument.label, "Person", _BY_PARSER
    if not each.polarity or not each.subject.is_named:
        return
    if target is not None and target.kind == "concept" and each.relation in ("instance-of", "occupation"):
        kind = "Person" if each.relation == "occupation" else type_of_noun(target.lemma)
        yield each.subject.label, kind or _OTHER, _BY_NOUN
    if each.canonical:
        relation = vocabulary()[each.relation]
        weight = _BY_RELATION if each.relation in _PROVE else _BY_PARSER
        yield from _of_relation(each.subject, relation.domain, weight)
        if target is not None:
            yield from _of_relation(target, relation.range, weight)


def _of_relation(argument: Argument, types: frozenset[str], weight: int) -> Iterator[tuple[str, str, int]]:
    people = types - {"Group", "Role"}
    if argument.is_named and len(people) == 1:
        kind = next(iter(people))
        if kind not in ("-", "Concept", "Date", "Number", "Work", "Organization"):
            yield argument.label, kind, weight
