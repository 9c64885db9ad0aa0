"""The document that a person means: by its id, its file's name or its title."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from provgraph.catalogue.documents import DocumentCatalogue, DocumentSummary
from provgraph.errors import Conflict
from provgraph.rdf.iris import given_iri
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import RDF, TG

_MOST_LISTED: Final = 10


async def named_document(catalogue: DocumentCatalogue, said: str) -> NamedNode:
    """The document of this id, else the one whose file or title is called so, in whatever case.

    A file may be named with its folder or without, and without its extension. What names no document is given back as
    an id, for the caller to say that there is none. Raises `Conflict` where several are called so, and lists them.
    """
    node = given_iri(said)
    marker = Quad(node, RDF.type, TG.Document, catalogue.graphs.source)
    if (await catalogue.store.contains([marker]))[0] or said.startswith("urn:"):
        return node
    documents = await catalogue.documents()
    for names in (_files, _file_stems, _titles):
        if found := [each for each in documents if _folded(said) in names(each)]:
            return _only(found, said)
    return node


def _only(found: Sequence[DocumentSummary], said: str) -> NamedNode:
    if len(found) == 1:
        return found[0].iri
    listed = "\n".join(f"  {each.iri.value}  {each.title} ({each.source})" for each in found[:_MOST_LISTED])
    more = f"\n  and {len(found) - _MOST_LISTED} more" if len(found) > _MOST_LISTED else ""
    raise Conflict(
        f"{len(found)} documents are called {said[:120]!r}. Name one of them by its id:\n{listed}{more}"
    )


def _files(document: DocumentSummary) -> set[str]:
    source = _folded(document.source)
    return {source, source.replace("\\", "/").rsplit("/", 1)[-1]} - {""}


def _file_stems(document: DocumentSummary) -> set[str]:
    return {name.rsplit(".", 1)[0] for name in _files(document)} - {""}


def _titles(document: DocumentSummary) -> set[str]:
    return {_folded(document.title)}


def _folded(words: str) -> str:
    return " ".join(words.casefold().split())
