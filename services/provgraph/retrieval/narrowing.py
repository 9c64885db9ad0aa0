"""Asking without something: the indexes and what was found in them, as if documents and edges were not there."""

from __future__ import annotations

from dataclasses import replace

from provgraph.ports.retriever import Without
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.entries import fact_key
from provgraph.retrieval.methods.method import Found


def narrowed(index: CollectionIndex, without: Without) -> CollectionIndex:
    """The indexes without what is left out; every search, count and frequency in them knows nothing of it."""
    if not without:
        return index
    documents = [document.value for document in without.documents]
    return index.without(documents, [fact_key(edge) for edge in without.edges])


def kept(found: Found, without: Without) -> Found:
    """Nothing of what is left out, also where a method looks elsewhere than in the indexes that were narrowed."""
    if not without:
        return found
    documents, edges = {document.value for document in without.documents}, set(without.edges)
    return replace(
        found,
        passages=[passage for passage in found.passages if passage.payload["document"] not in documents],
        edges=[edge for edge in found.edges if edge.support and edge.triple not in edges],
    )
