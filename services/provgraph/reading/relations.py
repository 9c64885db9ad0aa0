"""The vocabulary of relations: what each means, what it holds between, and the words that say it.

The data is `relations.txt`, published as Turtle in `ontology/relations.ttl`. Knows nothing of trees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Final, Literal

TriggerKind = Literal["verb", "noun", "event", "adj", "count"]
_DATA: Final = Path(__file__).with_name("relations.txt")
_NAMESPACE: Final = "https://trustgraph.ai/ns/relation/"


@dataclass(frozen=True, slots=True)
class Trigger:
    """A word that says a relation: the roles from which subject and object are taken, each with alternatives."""

    kind: TriggerKind
    lemma: str
    subject: tuple[str, ...]
    object: tuple[str, ...]
    relation: str


@dataclass(frozen=True)
class Relation:
    """`domain` and `range` are the types that subject and object may have, empty for any; `never_of` and `never_to`
    those that they cannot have where any are allowed. `implies` are the ids of relations that follow from it,
    `excludes` those that cannot hold of the same two. A `functional` relation has one value for a subject; `open` ones
    are no proof of their arguments' types, `alike` ones hold between things of one type, of `named` ones the name of
    the object must show its type."""

    id: str
    label: str
    domain: frozenset[str]
    range: frozenset[str]
    functional: bool = False
    symmetric: bool = False
    open: bool = False
    alike: bool = False
    named: bool = False
    inverse_label: str = ""
    aligned: tuple[str, ...] = ()
    implies: frozenset[str] = frozenset()
    inverse: str = ""
    excludes: frozenset[str] = frozenset()
    never_of: frozenset[str] = frozenset()
    never_to: frozenset[str] = frozenset()
    triggers: tuple[Trigger, ...] = ()

    @property
    def iri(self) -> str:
        return _NAMESPACE + self.id


@dataclass(frozen=True)
class Vocabulary:
    """All relations by id, and their triggers by kind and lemma."""

    relations: Mapping[str, Relation]
    triggers: Mapping[tuple[TriggerKind, str], tuple[Trigger, ...]] = field(default_factory=dict)

    def __getitem__(self, relation: str) -> Relation:
        return self.relations[relation]

    def __contains__(self, relation: str) -> bool:
        return relation in self.relations

    def find(self, kind: TriggerKind, lemma: str) -> tuple[Trigger, ...]:
        return self.triggers.get((kind, lemma), ())

    def implied(self, relation: str) -> frozenset[str]:
        """The relation itself and all that follow from it, step by step."""
        known, waiting = {relation}, [relation]
        while waiting:
            found = self.relations.get(waiting.pop())
            following = found.implies - known if found is not None else frozenset()
            known |= following
            waiting.extend(following)
        return frozenset(known)

    def inverse_of(self, relation: str) -> str:
        """The id of the relation that holds the other way round; itself where symmetric, empty where it has none."""
        found = self.relations.get(relation)
        return "" if found is None else relation if found.symmetric else found.inverse


@cache
def vocabulary() -> Vocabulary:
    """The vocabulary that comes with the package."""
    relations = {relation.id: relation for relation in _parse(_DATA.read_text("utf-8"))}
    for relation in list(relations.values()):
        if relation.inverse and not relations[relation.inverse].inverse:
            relations[relation.inverse] = replace(relations[relation.inverse], inverse=relation.id)
    triggers: dict[tuple[TriggerKind, str], list[Trigger]] = defaultdict(list)
    for relation in relations.values():
        for trigger in relation.triggers:
            triggers[trigger.kind, trigger.lemma].append(trigger)
    for name in relations:
        if not triggers.get(("noun", name)) and not triggers.get(("event", name)):
            triggers["event", name] = [Trigger("event", name, ("of",), ("@of",), name)]
    return Vocabulary(relations, {key: tuple(value) for key, value in triggers.items()})


def _parse(data: str) -> Iterator[Relation]:
    block: list[str] = []
    for line in data.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" ") and block:
            yield _relation(block)
            block = []
        block.append(line.strip())
    if block:
        yield _relation(block)


def _relation(block: list[str]) -> Relation:
    name, label, domain, range_, traits, inverse_label, aligned = (
        part.strip() for part in (block[0] + " |" * 6).split("|")[:7]
    )
    never_of, _, never_to = next((line[6:] for line in block if line.startswith("never ")), "").partition(">")
    notes = {word: rest for word, _, rest in (line.partition(" ") for line in block[1:]) if ":" not in rest}
    return Relation(
        name, label, _types(domain), _types(range_),
        "functional" in traits, "symmetric" in traits, "open" in traits, "alike" in traits, "named" in traits,
        inverse_label, tuple(aligned.split()), _names(notes.get("implies", "")), notes.get("inverse", ""),
        _names(notes.get("excludes", "")), _names(never_of), _names(never_to),
        tuple(trigger for line in block[1:] for trigger in _triggers(line, name)),
    )  # fmt: skip


def _types(words: str) -> frozenset[str]:
    types = frozenset(words.split("/"))
    return frozenset() if words in ("", "-") else types


def _names(words: str) -> frozenset[str]:
    return frozenset(word.strip() for word in words.split(",") if word.strip())


def _triggers(line: str, relation: str) -> Iterator[Trigger]:
    head, found, roles = line.partition(" : ")
    kind, _, lemmas = head.partition(" ")
    if not found or kind not in ("verb", "noun", "event", "adj", "count"):
        return
    subject, _, target = (part.strip() for part in roles.partition(">"))
    for lemma in lemmas.split(","):
        name = lemma.strip().replace("·", " ")
        yield Trigger(kind, name, tuple(subject.split("/")), tuple(target.split("/")), relation)  # type: ignore[arg-type]
