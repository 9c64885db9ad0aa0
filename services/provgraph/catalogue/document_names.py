"""Documents as a person names them, by id, file name or title → the documents of a collection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from provgraph.catalogue.documents import DocumentCatalogue, DocumentSummary
from provgraph.errors import InvalidInput, NotFound
from provgraph.ports.quad_store import QuadStore
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import given_iri
from provgraph.rdf.terms import NamedNode


@dataclass(frozen=True)
class DocumentNames:
    """The names of one collection's documents."""

    store: QuadStore
    graphs: CollectionGraphs

    async def resolved(self, names: Sequence[str]) -> tuple[NamedNode, ...]:
        """The document of each name, each document once.

        Raises `NotFound` for a name that no document has, and `InvalidInput` for one that several have.
        """
        if not names:
            return ()
        catalogue = DocumentCatalogue(self.store, self.graphs)
        documents = await catalogue.documents()
        return tuple(dict.fromkeys(_named(documents, name) for name in names))

    async def others(self, documents: Sequence[NamedNode]) -> tuple[NamedNode, ...]:
        """All documents of the collection but these."""
        catalogue = DocumentCatalogue(self.store, self.graphs)
        return tuple(each.iri for each in await catalogue.documents() if each.iri not in documents)


def _named(documents: Sequence[DocumentSummary], name: str) -> NamedNode:
    iri = given_iri(name.strip())
    if any(document.iri == iri for document in documents):
        return iri
    wanted = _plain(name)
    matches = [document.iri for document in documents if wanted in _names(document)]
    if not matches:
        raise NotFound(
            f"There is no document {name[:120]!r} in this collection, by id, file name or title. Look up the ids with "
            "'provgraph documents'."
        )
    if len(matches) > 1:
        raise InvalidInput(
            f"{len(matches)} documents are named {name[:120]!r}. Choose one by its id, as 'provgraph documents' "
            "lists it."
        )
    return matches[0]


def _names(document: DocumentSummary) -> set[str]:
    """Its title, and its file name with and without the folders before it and the ending behind."""
    files = [unquote(each.rstrip("/").rpartition("/")[2]) for each in (document.title, document.source)]
    stems = [file.rpartition(".")[0] for file in files]
    return {_plain(name) for name in (document.title, document.source, *files, *stems)} - {""}


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())
