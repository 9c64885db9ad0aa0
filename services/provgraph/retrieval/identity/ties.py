"""What may make two entities one: a decision, a sentence that gives another name, or the two names themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Final

from provgraph.rdf.terms import Triple
from provgraph.retrieval.identity.marks import SAME

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
