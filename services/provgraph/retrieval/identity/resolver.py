"""Looks up for one question which entities are one: only those that it comes by, and what is tied to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from provgraph.catalogue.decisions import Decisions
from provgraph.language.name_forms import LEGAL_FORM, is_bare_company, name_forms, shared_rule
from provgraph.provenance.resolution import ResolutionVerdict
from provgraph.rdf.iris import local_name
from provgraph.rdf.json_terms import term_from_json, triple_from_json
from provgraph.rdf.terms import Literal
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.identity.entity_resolution import (
    DECIDED,
    MOST_MEMBERS,
    AttributeValue,
    Identity,
    Profile,
    Said,
    Tie,
    components,
    merged,
    settled,
    tie,
)
from provgraph.retrieval.keyword_index import KeywordIndex, Payload

MOST_ENTRIES: Final = 400
"""So many entries are read for one step of a look-up; a name that more entities share joins none of the others."""


class Resolver:
    """One question's identities. What it has looked up it does not look up again."""

    def __init__(self, index: CollectionIndex, decisions: Decisions) -> None:
        self._index = index
        self._decisions = decisions
        self._profiles: dict[str, Profile] = {}
        self._ties: list[Tie] = []
        self._settled: dict[str, Identity] = {}

    def identity(self, node: str) -> Identity:
        """What an entity is one with."""
        self.know([node])
        return self._settled[node]

    def know(self, nodes: Iterable[str]) -> None:
        """Look these entities up together, with all that they are tied to."""
        level = {node for node in nodes if node not in self._profiles}
        if not level:
            return
        new = set(level)
        while level:
            self._look_up(sorted(level))
            tied = {node for each in self._ties for node in each.pair}
            level = tied - self._profiles.keys() - self._crowded(tied)
        known = [each for each in self._ties if each.one in self._profiles and each.other in self._profiles]
        tied = {node for each in known for node in each.pair}
        self._settle(new - tied, [])
        self._settle(tied, merged(known))

    def _settle(self, nodes: Iterable[str], ties: list[Tie]) -> None:
        profiles = {node: self._profiles[node] for node in nodes}
        self._settled.update(settled(profiles, ties, self._decisions))

    def name(self, node: str) -> str:
        """How an entity is shown."""
        return min(self._profiles[node].labels, default="") or local_name(node)

    def _label(self, node: str) -> str:
        found = _having(self._index.entities, "entity", [node])
        return min((payload["label"] for payload in found), default="") or local_name(node)

    def profile(self, node: str) -> Profile:
        return self._profiles[node]

    def _crowded(self, tied: set[str]) -> set[str]:
        """Of the ends of ties those in groups that have too many members already to be one."""
        groups = (set(group) for group in components(tied, self._ties))
        return {n for group in groups if len(group & self._profiles.keys()) > MOST_MEMBERS for n in group}

    def _look_up(self, nodes: list[str]) -> None:
        entities, marks = self._index.entities, self._index.marks
        for node in nodes:
            self._profiles[node] = Profile(node)
        for payload in _having(entities, "entity", nodes):
            self._profiles[payload["entity"]].labels.add(payload["label"])
        for payload in _having(marks, "told", nodes):
            self._tell(payload)
        forms = {
            form for node in nodes for label in self._profiles[node].labels for form in name_forms(label)
        }
        shared = sorted(form for form in forms if entities.frequency("form", form) > 1)
        alike = list(_having(entities, "form", shared))
        given = [*_having(marks, "node", nodes), *_having(marks, "form", _known(marks, forms))]
        self._ties += self._by_names(nodes, alike)
        self._ties += self._by_sentences(given)
        self._ties += self._by_decisions(nodes)

    def _tell(self, payload: Payload) -> None:
        profile, document = self._profiles[payload["entity"]], payload["document"]
        profile.types.update((kind, document) for kind in payload["types"])
        for attribute, value in payload["values"]:
            term = term_from_json(value)
            assert isinstance(term, Literal)
            profile.values.add(AttributeValue(attribute, term, document))

    def _by_names(self, nodes: Iterable[str], alike: Iterable[Payload]) -> Iterator[Tie]:
        by_form: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for payload in alike:
            for form in name_forms(payload["label"]):
                by_form[form].append((payload["entity"], payload["label"]))
        for node in nodes:
            for label in self._profiles[node].labels:
                for end in dict.fromkeys(end for form in name_forms(label) for end in by_form[form]):
                    if end[0] != node and (rule := self._rule((node, label), end)):
                        yield tie(((node, label), end), rule)

    def _rule(self, one: tuple[str, str], other: tuple[str, str]) -> str:
        """The rule by which two names are one. "Apple Inc." is "Apple" only where that is an organization."""
        rule = shared_rule(one[1], other[1])
        if rule != LEGAL_FORM or not (is_bare_company(one[1]) or is_bare_company(other[1])):
            return rule
        bare = other if is_bare_company(one[1]) else one
        if is_bare_company(bare[1]):
            return rule
        told = _having(self._index.marks, "told", [bare[0]])
        return rule if any("Organization" in payload["types"] for payload in told) else ""

    def _by_sentences(self, given: Iterable[Payload]) -> Iterator[Tie]:
        for payload in given:
            (holder, name), fact = payload["names"], triple_from_json(payload["fact"])
            said = Said(fact, payload["holder"], ((payload["document"], payload["title"]),))
            bearers = [(payload["bearer"], name)] if payload["bearer"] else self._called(name)
            for bearer in bearers:
                if bearer[0] != payload["holder"]:
                    yield tie(((payload["holder"], holder), bearer), payload["rule"], said=said)

    def _called(self, name: str) -> list[tuple[str, str]]:
        """The entities that have a name as their label."""
        found = _having(self._index.entities, "form", list(name_forms(name)))
        return [(p["entity"], p["label"]) for p in found if shared_rule(name, p["label"])]

    def _by_decisions(self, nodes: Iterable[str]) -> Iterator[Tie]:
        for node in nodes:
            for decision in self._decisions.naming(node):
                if decision.verdict is ResolutionVerdict.SAME and len(decision.entities) == 2:
                    one, other = ((entity, self._label(entity)) for entity in decision.entities)
                    yield tie((one, other), DECIDED, decision=decision.iri.value)


def _having(index: KeywordIndex, key: str, values: list[str]) -> list[Payload]:
    if not values:
        return []
    return [
        index.payload(address) for _, address in index.search(index.having_any(key, values), MOST_ENTRIES)
    ]


def _known(index: KeywordIndex, values: Iterable[str]) -> list[str]:
    return sorted(value for value in values if index.frequency("form", value))
