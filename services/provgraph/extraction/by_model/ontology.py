"""An OWL or RDFS ontology: what a model is told of it, and whether a fact conforms to it.

Understood are classes, their hierarchy, properties, domains, ranges (a class or a union of classes) and datatypes. Of
more than that, such as restrictions, nothing is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from provgraph.rdf.iris import local_name
from provgraph.rdf.terms import NamedNode

Unions = tuple[frozenset[NamedNode], ...]
"""Each is a union of classes; a thing must be of all of them."""


@dataclass(frozen=True)
class OntologyClass:
    """`ancestors` are the class itself and all that it is a subclass of."""

    iri: NamedNode
    label: str
    comment: str
    ancestors: frozenset[NamedNode]

    def is_in(self, unions: Unions) -> bool:
        return all(self.ancestors & union for union in unions)


@dataclass(frozen=True)
class OntologyProperty:
    """`datatype` is of the values that the property leads to; None where it leads to things."""

    iri: NamedNode
    label: str
    comment: str
    domains: Unions
    ranges: Unions
    datatype: NamedNode | None


@dataclass(frozen=True)
class Ontology:
    """`classes` and `properties` are by every name they may be called: see `by_name`."""

    iri: NamedNode
    hash: str
    classes: dict[str, OntologyClass]
    properties: dict[str, OntologyProperty]

    def class_called(self, name: str) -> OntologyClass | None:
        return self.classes.get(_key(name))

    def property_called(self, name: str) -> OntologyProperty | None:
        return self.properties.get(_key(name))

    def described(self) -> str:
        """The ontology in plain words, for a prompt."""
        classes = [
            _line(class_name, _either("a kind of", class_name.ancestors - {class_name.iri}))
            for class_name in dict.fromkeys(self.classes.values())
        ]
        properties = [
            _line(
                ontology_property,
                *(_either("from", union) for union in ontology_property.domains),
                *_targets(ontology_property),
            )
            for ontology_property in dict.fromkeys(self.properties.values())
        ]
        return "\n".join(["Classes:", *classes, "", "Properties:", *properties])


Named = TypeVar("Named", OntologyClass, OntologyProperty)


def by_name(named: Iterable[Named]) -> dict[str, Named]:
    """Each by its local name, its IRI and its label, case and spacing folded; of two, the first by the first."""
    everything = list(named)
    keys: tuple[Callable[[Named], str], ...] = (
        lambda ontology_property: local_name(ontology_property.iri.value),
        lambda ontology_property: ontology_property.iri.value,
        lambda ontology_property: ontology_property.label,
    )
    found: dict[str, Named] = {}
    for key in keys:
        for ontology_property in everything:
            if key(ontology_property):
                found.setdefault(_key(key(ontology_property)), ontology_property)
    return found


def _key(name: str) -> str:
    return " ".join(name.replace("_", " ").casefold().split())


def _line(each: OntologyClass | OntologyProperty, *more: str) -> str:
    gloss = f": {each.comment or each.label}" if each.comment or each.label else ""
    notes = "; ".join(part for part in more if part)
    return f"- {local_name(each.iri.value)}{gloss}" + (f" ({notes})" if notes else "")


def _targets(ontology_property: OntologyProperty) -> list[str]:
    if ontology_property.datatype:
        return [f"to a value of type {local_name(ontology_property.datatype.value)}"]
    return [_either("to", union) for union in ontology_property.ranges]


def _either(word: str, classes: frozenset[NamedNode]) -> str:
    return (
        f"{word} {' or '.join(sorted(local_name(class_name.value) for class_name in classes))}"
        if classes
        else ""
    )
