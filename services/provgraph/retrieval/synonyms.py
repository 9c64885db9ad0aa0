"""Names of one thing that is called differently: "capex", "purchases of property, plant and equipment".

The list is `ontology/line-items.ttl`, in SKOS: each concept is a line item or a statement, with its labels. Knows
nothing of indexes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from provgraph.language.terms import terms
from provgraph.rdf.ontology_files import ontology_text
from provgraph.rdf.serialization import RdfFormat, parse
from provgraph.rdf.terms import Literal, NamedNode

FILE: Final = "line-items.ttl"

_SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
_LABELS: Final = frozenset(NamedNode(_SKOS + name) for name in ("prefLabel", "altLabel", "hiddenLabel"))

Name = tuple[str, ...]
"""The terms of a label, as an index has them."""


def synonyms_of(question: Sequence[str]) -> list[list[Name]]:
    """For each thing that the question's terms name, in their order, its other names."""
    named = _named(tuple(question))
    synonyms = []
    for names in _concepts() if named else ():
        others = [name for name in names if name not in named]
        if others and len(others) < len(names):
            synonyms.append(others)
    return synonyms


@cache
def _concepts() -> tuple[tuple[Name, ...], ...]:
    labels: dict[object, dict[Name, None]] = defaultdict(dict)
    for quad in parse(ontology_text(FILE).encode(), format=RdfFormat.TURTLE):
        if (
            quad.predicate in _LABELS
            and isinstance(quad.object, Literal)
            and (name := terms(quad.object.value))
        ):
            labels[quad.subject][tuple(name)] = None
    return tuple(tuple(names) for names in labels.values())


@cache
def _lengths() -> Mapping[Name, frozenset[int]]:
    """By the first term of a name, how long the names are that begin so."""
    lengths: dict[Name, set[int]] = defaultdict(set)
    for names in _concepts():
        for name in names:
            lengths[name[:1]].add(len(name))
    return {first: frozenset(found) for first, found in lengths.items()}


@cache
def _names() -> frozenset[Name]:
    return frozenset(name for names in _concepts() for name in names)


def _named(asked: Name) -> frozenset[Name]:
    """The names that stand in the terms of a question."""
    lengths = _lengths()
    return _names().intersection(
        asked[at : at + length] for at in range(len(asked)) for length in lengths.get(asked[at : at + 1], ())
    )
