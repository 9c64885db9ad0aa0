"""Groups of edges in words: by templates, from nothing but the labels of the edges and the pair's own answer."""

from __future__ import annotations

from typing import Final

from provgraph.flows.kgqa.graph import ABOUT, GIVES, MENTIONS, PART_OF, SAYS, EdgeGroup, GraphEdge
from provgraph.language.terms import content_terms, terms

_DETERMINERS: Final = frozenset(
    "the a an this that these those his her it their our my your such some ani each everi both all anoth".split()
)
"""What the name of a node is cleaned of, as terms."""

LEAST_NEW: Final = 3
"""Content words that a further edge must add to be said too."""

_WHERE: Final = frozenset((PART_OF, ABOUT, GIVES, MENTIONS))
_STOPS: Final = ".;:,! "


def worded(group: EdgeGroup) -> str:
    """One sentence: the clause, and what its edges say; the first of them says most.

    "Clause 3.1(a): Supplier shall deliver the Goods within 30 days."
    """
    telling = [edge for edge in group.edges if not edge.is_structure] or [
        edge for edge in group.edges if edge.labels.relation not in _WHERE
    ]
    told: list[str] = []
    known: set[str] = set()
    for edge in telling:
        words = _said(group, edge)
        own = set(content_terms(words))
        if len(own - known) >= LEAST_NEW or not told:
            told.append(words.strip(_STOPS))
            known |= own
    text = "; ".join(told)
    text = f"{text[0].upper()}{text[1:]}." if text else ""
    return f"Clause {group.clause}: {text}" if group.clause and not text.startswith("Clause ") else text


def _said(group: EdgeGroup, edge: GraphEdge) -> str:
    """An edge in words; an object that is the pair's answer as the answer spells it, with its articles."""
    labels = edge.labels
    object_ = labels.object
    if labels.relation == SAYS:
        return object_
    own = [term for term in terms(object_) if term not in _DETERMINERS]
    whole = terms(group.answer)
    if own and own == [term for term in whole if term not in _DETERMINERS]:
        object_ = group.answer.strip(_STOPS)
    return f"{labels.subject} {labels.relation} {object_}"
