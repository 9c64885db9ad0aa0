"""Which of the entities that ties would join are one, and which stay apart: a pure function of what is told of them.

Nothing here depends on the order in which things were read, or on which of the entities was asked for.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from provgraph.catalogue.decisions import Decisions
from provgraph.provenance.resolution import Verdict
from provgraph.retrieval.identity.profiles import Profile, contradiction, own_contradiction
from provgraph.retrieval.identity.ties import Tie, components

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
    standing = [each for each in ties if not decisions.say(Verdict.APART, *each.pair)]
    found = {}
    for members in components(profiles, standing):
        own = [each for each in standing if each.one in members]
        parted = {each.pair: "decided" for each in ties if each.one in members and each not in standing}
        for identity in _judged(_Case({node: profiles[node] for node in members}, own, decisions), parted):
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
            if self.decisions.say(Verdict.APART, one, other):
                yield (one, other), "decided"
            elif not self.decisions.say(Verdict.SAME, one, other) and (
                reason := contradiction(self.profiles[one], self.profiles[other])
            ):
                yield (one, other), reason

    def _doubt(self, node: str) -> str:
        if self.decisions.say(Verdict.SAME, node):
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
