"""Which entities are one: what may tie two together, what excludes it, and the groups that follow, as pure
functions of what is known of them."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby
from typing import Final

from provgraph.catalogue.contradictions import excludes
from provgraph.catalogue.decisions import Decisions
from provgraph.provenance.resolution import ResolutionVerdict
from provgraph.rdf.terms import Literal, Triple
from provgraph.retrieval.identity.marks import SAME

_EXCLUSIVE: Final = frozenset(
    frozenset(pair.split())
    for pair in (
        "Person Organization",
        "Person Place",
        "Person Work",
        "Person Event",
        "Place Work",
        "Place Event",
    )
)
"""A country is a place and an organization, a festival is an event and an organization, a newspaper a work and one."""


@dataclass(frozen=True)
class AttributeValue:
    """A value of an attribute that has one at most, as one document tells it."""

    attribute: str
    value: Literal
    document: str


@dataclass
class Profile:
    """An entity with its names, and the types and values that each document tells of it."""

    iri: str
    labels: set[str] = field(default_factory=set)
    types: set[tuple[str, str]] = field(default_factory=set)
    values: set[AttributeValue] = field(default_factory=set)

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(kind for kind, _ in self.types)


def own_contradiction(profile: Profile) -> str:
    """Why an entity may be two: what different documents tell of it that excludes each other, or nothing."""
    kinds = profile.kinds
    if any(pair <= kinds for pair in _EXCLUSIVE):  # a name that many documents type has thousands of pairs
        for one, other in combinations(sorted(profile.types), 2):
            if one[1] != other[1] and frozenset((one[0], other[0])) in _EXCLUSIVE:
                return f"one document calls it a {one[0].lower()}, another a {other[0].lower()}"
    ordered = sorted(profile.values, key=_value_order)
    for _, same in groupby(ordered, key=lambda value: value.attribute):
        for first, second in combinations(same, 2):
            if first.document != second.document and _exclude(first, second):
                return _two_values(first, second)
    return ""


def contradiction(one: Profile, other: Profile) -> str:
    """Why two entities cannot be one, or nothing; the order of the two does not matter."""
    mine, theirs = one.kinds, other.kinds
    if not mine & theirs:
        for pair in sorted((a, b) for a in mine for b in theirs):
            if frozenset(pair) in _EXCLUSIVE:
                kinds = sorted(pair)
                return f"one is a {kinds[0].lower()}, the other a {kinds[1].lower()}"
    for first in sorted(one.values, key=_value_order):
        for second in sorted(other.values, key=_value_order):
            if _exclude(first, second):
                return _two_values(*sorted((first, second), key=_value_order))
    return ""


def _exclude(one: AttributeValue, other: AttributeValue) -> bool:
    return one.attribute == other.attribute and excludes(one.value, other.value)


def _two_values(one: AttributeValue, other: AttributeValue) -> str:
    return f"two values of {one.attribute}: {one.value.value} and {other.value.value}"


def _value_order(value: AttributeValue) -> tuple[str, str, str]:
    return value.attribute, value.value.value, value.document


DECIDED: Final = "decision"


@dataclass(frozen=True)
class Said:
    """The fact that gives `holder` another name, and the documents that say it, by IRI and title, in order."""

    fact: Triple
    holder: str
    documents: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Tie:
    """Two entities, in order of their IRIs, that are one by a `rule`.

    `within` names the documents in which alone it counts; empty where it counts everywhere.
    """

    one: str
    other: str
    names: tuple[str, str]
    rule: str
    said: Said | None = None
    decision: str = ""
    within: frozenset[str] = frozenset()

    @property
    def pair(self) -> tuple[str, str]:
        return self.one, self.other

    @property
    def bearer(self) -> str:
        """The entity that the other one is said to be called; nothing where both are called so alike."""
        if self.said is None or self.rule == SAME:
            return ""
        return self.other if self.said.holder == self.one else self.one

    def beyond(self, node: str) -> str:
        return self.other if node == self.one else self.one

    def told(self, node: str = "", *, asked: bool = False) -> str:
        """In words, from `node` on: "WHO = World Health Organization (abbreviation, read in “Health”)".

        One that counts in some documents only says so, or, where `asked` for by its name, that it is ambiguous.
        """
        names = self.names if node in ("", self.one) else self.names[::-1]
        read = f", read in “{self.said.documents[0][1]}”" if self.said else ""
        limit = "; one of several that are called so" if asked else ", in it only"
        only = limit if self.within else ""
        return f"{names[0]} = {names[1]} ({self.rule}{read}{only})"

    def restricted(self) -> Tie:
        """The same, for the documents alone that say it."""
        assert self.said is not None
        return replace(self, within=frozenset(document for document, _ in self.said.documents))


def tie(ends: tuple[tuple[str, str], tuple[str, str]], rule: str, **why: object) -> Tie:
    """A tie of two entities, each an IRI and a name, in whichever order they are given."""
    (one, name), (other, other_name) = sorted(ends)
    return Tie(one, other, (name, other_name), rule, **why)  # type: ignore[arg-type]


def merged(ties: Iterable[Tie]) -> list[Tie]:
    """One tie for each pair and kind of evidence, in order: sentences that say the same are one tie's documents."""
    found: dict[tuple[str, str, bool, bool], list[Tie]] = defaultdict(list)
    for each in ties:
        found[*each.pair, each.said is not None, bool(each.decision)].append(each)
    return [_one_of(alike) for _, alike in sorted(found.items(), key=lambda item: item[0])]


def _one_of(ties: list[Tie]) -> Tie:
    best = min(ties, key=lambda each: (each.rule, str(each.said.fact) if each.said else "", each.names))
    if best.said is None:
        return best
    documents = {document for each in ties if each.said for document in each.said.documents}
    ordered = tuple(sorted(documents, key=lambda document: (document[1], document[0])))
    return replace(best, said=replace(best.said, documents=ordered))


def components(nodes: Collection[str], ties: Iterable[Tie]) -> list[list[str]]:
    """The nodes that ties hold together, each group in order."""
    neighbours: dict[str, set[str]] = {node: set() for node in nodes}
    for each in ties:
        if each.one in neighbours and each.other in neighbours:
            neighbours[each.one].add(each.other)
            neighbours[each.other].add(each.one)
    groups, seen = [], set[str]()
    for node in sorted(nodes):
        if node not in seen:
            group, level = {node}, {node}
            while level:
                level = {other for each in level for other in neighbours[each]} - group
                group |= level
            seen |= group
            groups.append(sorted(group))
    return groups


MOST_MEMBERS: Final = 16
"""More entities than these are not one by rules, whatever their names."""


@dataclass(frozen=True)
class Identity:
    """Entities that are one, held together by `ties`.

    `near` are ties that count within documents only. `doubts` says of an entity why it may be two things; `apart`
    says of two entities that a name would join why they are not.
    """

    members: tuple[str, ...]
    ties: tuple[Tie, ...] = ()
    near: tuple[Tie, ...] = ()
    doubts: Mapping[str, str] = field(default_factory=dict)
    apart: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What stands for all of them."""
        return self.members[0]

    def ways(self, node: str) -> dict[str, tuple[Tie, ...]]:
        """The others that are one with `node`, each by the shortest way; those of `near` by their one tie."""
        by_node: dict[str, list[Tie]] = defaultdict(list)
        for each in self.ties:
            by_node[each.one].append(each)
            by_node[each.other].append(each)
        ways: dict[str, tuple[Tie, ...]] = {node: ()}
        waiting = deque([node])
        while waiting:
            here = waiting.popleft()
            for each in by_node[here]:
                if (other := each.beyond(here)) not in ways:
                    ways[other] = (*ways[here], each)
                    waiting.append(other)
        del ways[node]
        return {each.beyond(node): (each,) for each in self.near if node in each.pair} | ways


def settled(
    profiles: Mapping[str, Profile], ties: Sequence[Tie], decisions: Decisions
) -> dict[str, Identity]:
    """The identity of each entity. `ties` are merged, and have both ends among the profiles."""
    standing, apart = list[Tie](), list[Tie]()
    for each in ties:
        (apart if decisions.say(ResolutionVerdict.APART, *each.pair) else standing).append(each)
    groups = components(profiles, standing)
    group_of = {node: number for number, members in enumerate(groups) for node in members}
    own, parted = defaultdict[int, list[Tie]](list), defaultdict[int, dict[tuple[str, str], str]](dict)
    for each in standing:
        own[group_of[each.one]].append(each)
    for each in apart:
        parted[group_of[each.one]][each.pair] = "decided"
    found = {}
    for number, members in enumerate(groups):
        case = _Case({node: profiles[node] for node in members}, own[number], decisions)
        for identity in _judged(case, parted[number]):
            found.update(dict.fromkeys(identity.members, identity))
    return found


@dataclass(frozen=True)
class _Case:
    """Entities that ties hold together, some of which may speak against it."""

    profiles: Mapping[str, Profile]
    ties: Sequence[Tie]
    decisions: Decisions

    def doubts(self) -> dict[str, str]:
        reasons = {node: self._doubt(node) for node in self.profiles}
        return {node: reason for node, reason in reasons.items() if reason}

    def conflicts(self) -> Iterator[tuple[tuple[str, str], str]]:
        for one, other in combinations(sorted(self.profiles), 2):
            if self.decisions.say(ResolutionVerdict.APART, one, other):
                yield (one, other), "decided"
            elif not self.decisions.say(ResolutionVerdict.SAME, one, other) and (
                reason := contradiction(self.profiles[one], self.profiles[other])
            ):
                yield (one, other), reason

    def _doubt(self, node: str) -> str:
        if self.decisions.say(ResolutionVerdict.SAME, node):
            return ""
        reason = own_contradiction(self.profiles[node])
        return reason or (self._held_by_two(node) if self.ties else "")

    def _held_by_two(self, node: str) -> str:
        """Why a name is ambiguous: it is another name of entities that nothing else joins."""
        holders = {each.beyond(node): each for each in self.ties if each.bearer == node}
        decided = {each.pair for each in self.ties if each.decision}
        holders = {h: each for h, each in holders.items() if each.pair not in decided}
        rest = [other for other in self.profiles if other != node]
        groups = [group for group in components(rest, self.ties) if holders.keys() & set(group)]
        if len(groups) < 2:
            return ""
        names = sorted(min(self._name(holders[h], h) for h in group if h in holders) for group in groups)
        return f"another name of {' and of '.join(names)}"

    @staticmethod
    def _name(each: Tie, node: str) -> str:
        return each.names[0] if each.one == node else each.names[1]


def _judged(case: _Case, parted: Mapping[tuple[str, str], str]) -> Iterator[Identity]:
    members = sorted(case.profiles)
    too_many = len(members) > MOST_MEMBERS
    doubts = case.doubts()
    conflicts = {} if too_many or len(members) == 1 else dict(case.conflicts())
    apart = {**parted, **conflicts}
    if len(members) == 1 or not (doubts or conflicts or too_many):
        yield Identity(tuple(members), tuple(case.ties), (), doubts, apart)
        return
    decided = [each for each in case.ties if each.decision]
    if any(reason == "decided" and pair in _joined(members, decided) for pair, reason in conflicts.items()):
        decided = []
    near = tuple(each.restricted() for each in case.ties if each.said and not each.decision)
    for group in components(members, decided):
        yield Identity(
            tuple(group),
            tuple(each for each in decided if each.one in group),
            tuple(each for each in near if each.one in group or each.other in group),
            {node: doubts[node] for node in group if node in doubts},
            {pair: reason for pair, reason in apart.items() if set(pair) & set(group)},
        )


def _joined(members: Sequence[str], ties: Sequence[Tie]) -> set[tuple[str, str]]:
    return {pair for group in components(members, ties) for pair in combinations(group, 2)}
