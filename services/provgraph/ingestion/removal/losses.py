"""Which facts lose which words when subgraphs go: what old answers are judged by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from provgraph.catalogue.naming import is_statement
from provgraph.ingestion.removal.document_closure import Holdings
from provgraph.provenance.change import PastQuotation
from provgraph.rdf.terms import NamedNode, Triple
from provgraph.rdf.vocabulary import PROV, TG
from provgraph.traces.stale_answers import Loss


def losses(
    holdings: Holdings, facts_of: Mapping[NamedNode, Iterable[Triple]], gone: Collection[Triple]
) -> list[Loss]:
    """The statements among the facts that each subgraph no longer says; `gone` are those with no source left."""
    said = _quoted(holdings)
    found = []
    for subgraph, facts in facts_of.items():
        activities = holdings.activities.get(subgraph, ())
        read_at = next((holdings.text(activity, PROV.started_at_time) for activity in activities), "")
        for fact in facts:
            if is_statement(fact):
                words = tuple(_lost(holdings, node) for node in said[subgraph, fact])
                found.append(Loss(fact, read_at, fact in gone, words))
    return found


def _quoted(holdings: Holdings) -> dict[tuple[NamedNode, Triple], list[NamedNode]]:
    """The quotations of each fact, by subgraph."""
    said: dict[tuple[NamedNode, Triple], list[NamedNode]] = defaultdict(list)
    for quotation in holdings.quotations:
        for fact in holdings.facts(quotation):
            said[holdings.origin[quotation], fact].append(quotation)
    return said


def _lost(holdings: Holdings, quotation: NamedNode) -> PastQuotation:
    page = holdings.iri(quotation, PROV.was_quoted_from)
    return PastQuotation(
        quotation=quotation,
        page=page,
        page_number=holdings.integer(page, TG.page_number),
        document=holdings.document,
        title=holdings.title,
        offset=holdings.integer(quotation, TG.source_char_offset),
        text=holdings.text(quotation, TG.source_text),
        confidence=holdings.text(quotation, TG.confidence),
    )
