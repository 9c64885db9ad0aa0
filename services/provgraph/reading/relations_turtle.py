"""The vocabulary of relations as Turtle, for people and programs that query the graph: `ontology/relations.ttl`.

python -m provgraph.reading.relations_turtle > ontology/relations.ttl
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from provgraph.reading.relations import Relation, vocabulary

_HEADER: Final = """# The relations that facts are stored with, derived from the data of the reader: do not edit.
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <https://schema.org/> .
@prefix tg: <https://trustgraph.ai/ns/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix : <https://trustgraph.ai/ns/relation/> .

<https://trustgraph.ai/ns/relation> a owl:Ontology ;
    rdfs:label "Relations"@en ;
    rdfs:comment "What holds between the things that documents speak of."@en .
"""
_CLASSES: Final = ("Concept", "Event", "Organization", "Person", "Place", "Work")
_VALUES: Final = frozenset({"Date", "Number"})


def turtle() -> str:
    """The whole vocabulary, each class and property declared, as editors of OWL need it.

    Domains and ranges stand where there is one class only.
    """
    classes = "\n".join(f'tg:{name} a owl:Class ; rdfs:label "{name.casefold()}"@en .' for name in _CLASSES)
    return "\n".join(
        [_HEADER, f"{classes}\n", *(_block(relation) for relation in vocabulary().relations.values())]
    )


def _block(relation: Relation) -> str:
    return f":{relation.id} " + " ;\n    ".join(_statements(relation)) + " .\n"


def _statements(relation: Relation) -> Iterator[str]:
    of_values = bool(relation.range) and relation.range <= _VALUES
    kinds = ["owl:DatatypeProperty" if of_values else "owl:ObjectProperty"]
    kinds += ["owl:FunctionalProperty"] if relation.functional else []
    kinds += ["owl:SymmetricProperty"] if relation.symmetric else []
    yield "a " + " , ".join(kinds)
    yield f'rdfs:label "{relation.label}"@en'
    for predicate, types in (("domain", relation.domain), ("range", relation.range)):
        if len(types) == 1 and types <= set(_CLASSES):
            yield f"rdfs:{predicate} tg:{next(iter(types))}"
    if relation.implies:
        yield "rdfs:subPropertyOf " + " , ".join(f":{imply}" for imply in sorted(relation.implies))
    if relation.inverse:
        yield f"owl:inverseOf :{relation.inverse}"
    if relation.aligned:
        yield "rdfs:seeAlso " + " , ".join(relation.aligned)


if __name__ == "__main__":
    sys.stdout.write(turtle())
