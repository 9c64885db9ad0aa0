"""Groups of edges in words: by templates, from nothing but the labels of the edges and the pair's own answer."""

from __future__ import annotations

from typing import Final

from provgraph.kgqa.graph import CONCERNS, PART_OF, STATES, EdgeGroup, GraphEdge
from provgraph.language.terms import terms

_DETERMINERS: Final = frozenset(
    term
    for word in "the a an this that these those his her its their our my your such some any each every both all another"
    .split()
    for term in terms(word)
)
"""What the name of a node is cleaned of."""

_STOPS: Final = ".;:,! "


def worded(group: EdgeGroup) -> str:
    """One sentence: the clause, what it says whole, and what its other edges say beside that.

    "Clause 3.1(a): Supplier shall deliver the Goods within 30 days."
    """
    said = [
        _said(group, edge) for edge in group.edges if edge.labels.relation not in (PART_OF, CONCERNS, STATES)
    ]
    told: list[str] = []
    known: set[str] = set()
    for words in said:
        if not set(terms(words)) <= known:
            told.append(words.strip(_STOPS))
            known |= set(terms(words))
    numbers = [edge.labels.object for edge in group.edges if edge.labels.relation == STATES]
    told += [f"states {number}" for number in numbers if not set(terms(number)) <= known]
    text = "; ".join(told) or "; ".join(edge.words for edge in group.edges)
    text = f"{text[0].upper()}{text[1:]}." if text else ""
    return f"Clause {group.clause}: {text}" if group.clause and not text.startswith("Clause ") else text


def _said(group: EdgeGroup, edge: GraphEdge) -> str:
    """An edge in words; an object that is the pair's answer as the answer spells it, with its articles."""
    labels = edge.labels
    object_ = labels.object
    own = [term for term in terms(object_) if term not in _DETERMINERS]
    whole = terms(group.answer)
    if own and own == [term for term in whole if term not in _DETERMINERS]:
        object_ = group.answer.strip(_STOPS)
    return f"{labels.subject} {labels.relation} {object_}"
