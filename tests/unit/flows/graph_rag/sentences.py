"""Sentences as sources, each in a document of its own unless a page is named."""

from __future__ import annotations

from pyoxigraph import NamedNode

from provgraph.catalogue.sources import ChunkLocation, Source


def sentence(text: str, document: str = "urn:d", start: int = 0) -> Source:
    page = NamedNode(f"{document}/page")
    place = ChunkLocation(NamedNode(f"{document}/chunk"), 0, page, 1, NamedNode(document), "Title")
    quotation, subgraph = NamedNode(f"{document}/q{start}"), NamedNode(f"{document}/s")
    return Source(place, page, 1, start, start + len(text), text, quotation, subgraph, 0.8)
