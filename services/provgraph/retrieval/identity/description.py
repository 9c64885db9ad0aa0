"""What is known of an entity's identity, for people who look: its names, what it is one with and why, and doubts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.decisions import Decisions
from provgraph.language.name_forms import name_forms
from provgraph.ports.retriever import TakenAsOne
from provgraph.rdf.iris import local_name
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.entries import label_key
from provgraph.retrieval.identity.recognition import told_ties
from provgraph.retrieval.identity.resolver import Resolver
from provgraph.retrieval.keyword_index import KeywordIndex

MOST_NAMED: Final = 50
AT_ONCE: Final = 100


@dataclass(frozen=True)
class OneWith:
    """Another entity that an entity is one with, and by which steps."""

    entity: str
    label: str
    ties: tuple[TakenAsOne, ...]


@dataclass(frozen=True)
class EntityIdentity:
    """An entity with its labels and types; `doubt` says why it may be two things, `apart` what it is not one with."""

    entity: str
    labels: tuple[str, ...]
    types: tuple[str, ...]
    one_with: tuple[OneWith, ...]
    doubt: str
    apart: tuple[tuple[str, str, str], ...]
    """IRI, label and reason of each."""

    @property
    def is_ambiguous(self) -> bool:
        return bool(self.doubt or self.apart)


def named_entities(index: CollectionIndex, decisions: Decisions, name: str) -> list[EntityIdentity]:
    """The entities of this label, case apart, or with a name that shares a form with it, or of this IRI."""
    entities = set(_entities(index.entities, "label", [label_key(name)]))
    entities.update(_entities(index.entities, "form", list(name_forms(name))))
    entities.update(_entities(index.entities, "entity", [name]))
    return _described(index, decisions, sorted(entities)[:MOST_NAMED])


def ambiguous_entities(index: CollectionIndex, decisions: Decisions, limit: int) -> list[EntityIdentity]:
    """All entities of doubtful identity, up to a limit; reads the whole index of names, so no question asks for it."""
    ambiguous: list[EntityIdentity] = []
    for nodes in _batches(sorted(_candidates(index))):
        ambiguous += [identity for identity in _described(index, decisions, nodes) if identity.is_ambiguous]
        if len(ambiguous) >= limit:
            break
    return ambiguous[:limit]


def _candidates(index: CollectionIndex) -> set[str]:
    """Entities of which several documents tell types or values, that share a name, or have another name."""
    marks, entities = index.marks, index.entities
    told = {node for node in marks.values("told") if marks.count("told", node) > 1}
    shared = [form for form in entities.values("form") if entities.count("form", form) > 1]
    alike = {node for forms in _batches(shared) for node in _entities(entities, "form", forms)}
    return told | alike | set(marks.values("node"))


def _described(index: CollectionIndex, decisions: Decisions, nodes: Iterable[str]) -> list[EntityIdentity]:
    resolver = Resolver(index, decisions)
    nodes = list(nodes)
    resolver.know(nodes)
    return [_identity(resolver, node) for node in nodes]


def _identity(resolver: Resolver, node: str) -> EntityIdentity:
    identity, profile = resolver.identity(node), resolver.profile(node)
    others = sorted(identity.ways(node).items())
    return EntityIdentity(
        entity=node,
        labels=tuple(sorted(profile.labels)) or (local_name(node),),
        types=tuple(sorted(profile.kinds)),
        one_with=tuple(OneWith(o, resolver.name(o), tuple(told_ties(node, way))) for o, way in others),
        doubt=identity.doubts.get(node, ""),
        apart=tuple(
            (other, resolver.name(other), reason)
            for pair, reason in sorted(identity.apart.items())
            if node in pair
            for other in pair
            if other != node
        ),
    )


def _batches(values: Sequence[str]) -> Iterator[Sequence[str]]:
    return (values[start : start + AT_ONCE] for start in range(0, len(values), AT_ONCE))


def _entities(index: KeywordIndex, key: str, values: Iterable[str]) -> Iterator[str]:
    wanted = [value for value in values if value]
    found = index.search(index.having_any(key, wanted), 1_000) if wanted else []
    return (index.payload(address)["entity"] for _, address in found)
