"""Words of old versions that a trace has kept, read back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from pyoxigraph import Literal, NamedNode, Quad

from provgraph.provenance.change import PastQuotation
from provgraph.rdf.terms import Term
from provgraph.rdf.vocabulary import DC, PROV, TG


def read_past(quads: Iterable[Quad]) -> dict[NamedNode, list[PastQuotation]]:
    """From quads of a trace, what each selected edge stood on that its document no longer says, by place."""
    said: dict[Term, dict[NamedNode, Term]] = defaultdict(dict)
    for quad in quads:
        said[quad.subject][quad.predicate] = quad.object
    past = [_past(values) for values in said.values() if TG.quoted_for in values]
    by_edge: dict[NamedNode, list[PastQuotation]] = defaultdict(list)
    for quotation in sorted(past, key=lambda each: (each.document.value, each.page_number, each.offset)):
        by_edge[quotation.edge].append(quotation)
    return by_edge


def _past(said: dict[NamedNode, Term]) -> PastQuotation:
    return PastQuotation(
        edge=_node(said[TG.quoted_for]),
        quotation=_node(said[TG.quotation]),
        page=_node(said[PROV.was_quoted_from]),
        page_number=int(_text(said[TG.page_number])),
        document=_node(said[TG.source_document]),
        title=_text(said[DC.title]),
        offset=int(_text(said[TG.source_char_offset])),
        text=_text(said[TG.source_text]),
        confidence=_text(said[TG.confidence]),
    )


def _node(term: Term) -> NamedNode:
    assert isinstance(term, NamedNode)
    return term


def _text(term: Term) -> str:
    assert isinstance(term, Literal)
    return term.value
