"""Words of old versions that a trace has kept, read back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from provgraph.provenance.change import PastQuotation
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term
from provgraph.rdf.vocabulary import DC, PROV, TG


def read_past(quads: Iterable[Quad]) -> dict[NamedNode, list[PastQuotation]]:
    """From quads of a trace, what each selected edge stood on that its document no longer says, by place."""
    said: dict[Term, dict[NamedNode, Term]] = defaultdict(dict)
    for quad in quads:
        said[quad.subject][quad.predicate] = quad.object
    by_edge: dict[NamedNode, list[PastQuotation]] = defaultdict(list)
    for values in said.values():
        if edge := values.get(TG.quoted_for):
            by_edge[_node(edge)].append(_past(values))
    return {edge: sorted(past, key=_place) for edge, past in by_edge.items()}


def _place(past: PastQuotation) -> tuple[str, int, int]:
    return past.document.value, past.page_number, past.offset


def _past(said: dict[NamedNode, Term]) -> PastQuotation:
    return PastQuotation(
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
