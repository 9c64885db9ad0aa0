"""Which type a name of a passage has, where its text or the name itself proves it.

A parser's class alone is no proof. What is said of a thing is ("a lake", "was born"), and so is a name that shows its
type ("Lake Tahoe", "University of Graz"); where proofs contradict each other, the thing has no type.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from provgraph.extraction.by_reading.kinds import is_thing, type_of_kind
from provgraph.rdf.vocabulary import ENTITY_CLASSES
from provgraph.reading.document_titles import plain_title
from provgraph.reading.entity_types import places, type_of_name
from provgraph.reading.propositions import Argument, Proposition
from provgraph.reading.relations import vocabulary

_TYPES: Final = {named_node.value.rpartition("/")[2].rpartition("#")[2] for named_node in ENTITY_CLASSES}
_BY_NAME: Final = 3
_BY_NOUN: Final = 4
_BY_RELATION: Final = 2
_BY_PARSER: Final = 1
_SURE: Final = 0.6
"""The attachment that a proposition must have to prove a type."""
_KINDS: Final = frozenset({"instance-of", "occupation", "is", "position"})
_HE_OR_SHE: Final = frozenset("he she him her his".split())
_OF_SEVERAL: Final = frozenset("series franchise station label show branch project line scene".split())
"""Nouns for things of more than one type: a radio station, a railway station."""
_OTHER: Final = "of another kind"
_PROVE: Final = frozenset(
    "born-in-place born-on-date died-in-place died-on-date buried-in father mother parent child son daughter sibling "
    "brother sister spouse wife husband divorced grandparent grandchild uncle-or-aunt nephew-or-niece cousin "
    "educated-at graduated-from student-of married-on-date capital-of borders flows-into flows-through".split()
)
"""Relations that hold between things of their types only."""


class _Vote(NamedTuple):
    """`source` says by what: the same is counted once, however often the text repeats it."""

    label: str
    kind: str
    weight: int
    source: str


class TypedNames:
    """The types of what the propositions of one passage name."""

    def __init__(self, propositions: Sequence[Proposition], title: str = "") -> None:
        self._title = plain_title(title).casefold()
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for vote in dict.fromkeys(vote for proposition in propositions for vote in _votes(proposition)):
            votes[vote.label][vote.kind] += vote.weight
        self._types = {label: _elected(label, found) for label, found in votes.items()}

    def type_of(self, label: str) -> str:
        """One of `rdf.entity_classes` by its name, "Group" for a people; empty where nothing proves one."""
        return self._types.get(label) or type_of_name(label)

    def is_topic(self, label: str) -> bool:
        """Whether it is what the document is called, so that a common noun ("The Irishman") is a name there."""
        name = label.casefold().removeprefix("the ")
        return name in (self._title.removeprefix("the "), self._title.partition(",")[0])


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
    if kind == "Person" and any(map(str.isdigit, label)):
        return ""
    proved = found[kind] > found.total() - found[kind] and most >= _BY_RELATION
    return kind if proved and (kind != "Person" or most > _BY_RELATION or _is_full_name(label)) else ""


def _is_full_name(label: str) -> bool:
    words = label.split()
    return (
        2 <= len(words) <= 4
        and all(w[:1].isupper() and w.isalpha() for w in words)
        and not places() & {*words, label}
        and not (len(words) > 2 and is_thing(words[-1].lower()))
    )


def _votes(proposition: Proposition) -> Iterator[_Vote]:
    ends = [
        argument
        for argument in (proposition.subject, proposition.object)
        if argument is not None and argument.is_named
    ]
    for argument in ends:
        if kind := _by_parser(argument):
            yield _Vote(argument.label, kind, _BY_PARSER, "parser")
    if not proposition.polarity or not proposition.subject.is_named or proposition.attachment < _SURE:
        return
    yield from _of_kind(proposition)
    for argument in ends:
        if argument.resolution is not None and argument.text.lower() in _HE_OR_SHE:
            yield _Vote(argument.label, "Person", _BY_PARSER, "pronoun")
    if proposition.canonical:
        yield from _of_ends(proposition)


def _of_kind(proposition: Proposition) -> Iterator[_Vote]:
    """What a noun says of the subject: "a lake", and of a place within a place that it is one."""
    subject, target = proposition.subject, proposition.object
    if target is not None and target.kind == "concept" and proposition.relation in _KINDS:
        kind = "Person" if proposition.relation == "occupation" else _type_of(target)
        if kind or proposition.relation == "instance-of":
            yield _Vote(subject.label, kind or _OTHER, _BY_NOUN, target.lemma)
    if proposition.relation == "located-in" and proposition.derived and subject.parsed_type == "Place":
        yield _Vote(subject.label, "Place", _BY_PARSER, "place within a place")


def _of_ends(proposition: Proposition) -> Iterator[_Vote]:
    """What the relation asks of its ends, none of it of what a pronoun stands for."""
    relation = vocabulary()[proposition.relation]
    weight = _BY_RELATION if proposition.relation in _PROVE else _BY_PARSER
    if proposition.subject.kind != "pronoun":
        yield from _of_relation(proposition.subject, relation.domain, weight, proposition.relation)
    if proposition.object is not None:
        yield from _of_relation(proposition.object, relation.range, weight, proposition.relation)


def _type_of(target: Argument) -> str:
    """The type that a noun tells: none by one that things of several types are called."""
    return "" if target.lemma in _OF_SEVERAL else type_of_kind(target.lemma)


def _by_parser(argument: Argument) -> str:
    """The class that the parser gives the name itself, none of it to what stands for it."""
    if argument.resolution is not None:
        return "Person" if argument.entity_type == "Person" else ""
    return argument.parsed_type if argument.parsed_type in _TYPES else ""


def _of_relation(argument: Argument, types: frozenset[str], weight: int, source: str) -> Iterator[_Vote]:
    kinds = types - {"Group", "Role"}
    if not argument.is_named:
        return
    only = next(iter(kinds)) if len(kinds) == 1 else ""
    if only and only not in ("-", "Concept", "Date", "Number", "Work", "Organization"):
        yield _Vote(argument.label, only, weight, source)
    elif argument.parsed_type in kinds and "-" not in kinds and not kinds >= {"Person", "Organization"}:
        yield _Vote(argument.label, argument.parsed_type, _BY_PARSER, "parser and relation")
