"""What a document says that tells entities apart or together: other names, types, and values that exclude others.

Marks are entries of an index of their own, added and removed with their document, as readings are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.contradictions import attributes, kind_of, relation_words
from provgraph.language.name_forms import name_forms
from provgraph.rdf.iris import digest, local_name
from provgraph.rdf.json_terms import term_to_json, triple_to_json
from provgraph.rdf.terms import Literal, NamedNode, Triple
from provgraph.rdf.vocabulary import PREFIXES
from provgraph.retrieval.contents import DocumentContents, ExtractorRun, SubgraphContents
from provgraph.retrieval.keyword_index import Entry, Fields

MARK_FIELDS: Final = Fields(keys=("document", "fact", "node", "form", "told"))
"""`node` and `form`: the holder and the bearer of another name, and the forms of that name; `told`: an entity whose
types or values are told."""

ABBREVIATION, ALIAS, FORMER, BIRTH, SAME = (
    "abbreviation",
    "alias",
    "former name",
    "name at birth",
    "declared the same",
)
TYPES: Final = ("Person", "Organization", "Place", "Work", "Event")
"""Types that may exclude each other; what a thing is said to be, a Concept, excludes nothing."""

_RELATIONS: Final = {
    words.strip(): rule
    for rule, listed in (
        (
            ALIAS,
            "also known as · known as · better known as · best known as · commonly known as · also called · aka",
        ),
        (
            ALIAS,
            "popularly known as · alias · nicknamed · also spelled · also written · alternate name · alt label",
        ),
        (FORMER, "formerly known as · formerly · formerly called · previously known as · previously called"),
        (FORMER, "originally known as · originally called · originally named · once known as"),
        (BIRTH, "née · nee · né · born as · birth name"),
        (ABBREVIATION, "abbreviated · abbreviated as · abbreviated to · shortened to"),
    )
    for words in listed.split("·")
}
_RENAMED: Final = frozenset(["renamed", "renamed as", "renamed to", "changed its name to", "changed name to"])
_STANDS_FOR: Final = frozenset(
    ["stands for", "short for", "acronym for", "abbreviation for", "abbreviation of", "acronym of"]
)
_SAME: Final = frozenset(
    [
        f"{PREFIXES['owl']}sameAs",
        f"{PREFIXES['skos']}exactMatch",
    ]
)


@dataclass(frozen=True)
class OtherName:
    """A fact that gives `holder` another name; where that is a node, it is the `bearer`."""

    fact: Triple
    holder: NamedNode
    bearer: NamedNode | None
    names: tuple[str, str]
    rule: str

    @property
    def key(self) -> str:
        return str(self.fact)


def mark_entries(document: DocumentContents) -> Iterator[Entry]:
    """The marks of one document: each other name that it gives, and what it tells of each entity."""
    given: dict[str, OtherName] = {}
    told: dict[str, dict[str, list[object]]] = defaultdict(lambda: {"types": [], "values": []})
    for part in document.parts:
        for subgraph in part.subgraphs:
            given |= {name.key: name for name in other_names(subgraph)}
            _tell(subgraph, told)
    for name in given.values():
        yield _other_name_entry(document, name)
    for node, marks in told.items():
        payload = {"document": document.iri.value, "title": document.title, "entity": node, **marks}
        yield Entry(payload, keys={"document": [document.iri.value], "told": [node]})


def other_names(subgraph: SubgraphContents) -> Iterator[OtherName]:
    """The facts of a subgraph that give a name to something that has a name."""
    for reading in subgraph.readings.values():
        if other_name := _other_name(reading):
            yield other_name
    for fact in subgraph.aliases:
        holder, name = fact.subject, fact.object
        if isinstance(holder, NamedNode) and isinstance(name, Literal) and name_forms(name.value):
            shown = min(subgraph.names.get(holder, ()), default="") or local_name(holder.value)
            yield OtherName(fact, holder, None, (shown, name.value), ALIAS)


def _other_name(reading: ExtractorRun) -> OtherName | None:
    fact, (subject, _, thing) = reading.fact, reading.labels
    words = relation_words(local_name(fact.predicate.value))
    if not isinstance(fact.subject, NamedNode) or not isinstance(fact.object, NamedNode | Literal):
        return None
    if fact.predicate.value in _SAME and isinstance(fact.object, NamedNode):
        return OtherName(fact, fact.subject, fact.object, (subject, thing), SAME)
    if not name_forms(subject) or not name_forms(thing):
        return None
    bearer = fact.object if isinstance(fact.object, NamedNode) else None
    if rule := _RELATIONS.get(words):
        rule = ABBREVIATION if rule == ALIAS and is_abbreviation(thing, subject) else rule
        return OtherName(fact, fact.subject, bearer, (subject, thing), rule)
    if words in _STANDS_FOR and bearer is not None:
        return OtherName(fact, bearer, fact.subject, (thing, subject), ABBREVIATION)
    if words in _RENAMED and bearer is not None:
        return OtherName(fact, bearer, fact.subject, (thing, subject), FORMER)
    return None


def is_abbreviation(short: str, name: str) -> bool:
    """Whether `short` is one word of capitals, each an initial of `name`, in order."""
    letters = short.replace(".", "")
    if not letters.isalpha() or not letters.isupper() or len(letters) < 2 or " " not in name:
        return False
    initials = iter(word[0].upper() for word in name.replace("-", " ").split())
    return all(letter in initials for letter in letters)


def _tell(subgraph: SubgraphContents, told: dict[str, dict[str, list[object]]]) -> None:
    for node, kinds in subgraph.types.items():
        for kind in kinds:
            if isinstance(node, NamedNode) and local_name(kind) in TYPES:
                _add(told[node.value]["types"], local_name(kind))
    for fact in subgraph.readings:
        kind_of_value = kind_of(fact.object)
        if isinstance(fact.subject, NamedNode) and isinstance(fact.object, Literal) and kind_of_value:
            for attribute in attributes(fact.predicate, kind_of_value):
                _add(told[fact.subject.value]["values"], [attribute.name, term_to_json(fact.object)])


def _add(items: list[object], item: object) -> None:
    if item not in items:
        items.append(item)


def _other_name_entry(document: DocumentContents, name: OtherName) -> Entry:
    nodes = [node.value for node in (name.holder, name.bearer) if node is not None]
    payload = {
        "document": document.iri.value,
        "title": document.title,
        "fact": triple_to_json(name.fact),
        "holder": name.holder.value,
        "bearer": name.bearer.value if name.bearer else "",
        "names": name.names,
        "rule": name.rule,
    }
    return Entry(
        payload,
        keys={
            "document": [document.iri.value],
            "fact": [digest(name.key.encode())],
            "node": list(dict.fromkeys(nodes)),
            "form": list(name_forms(name.names[1])),
        },
    )
