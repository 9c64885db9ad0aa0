"""Documents as a person names them, by id, file name or title → the documents of a collection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final
from urllib.parse import unquote

from provgraph.catalogue.documents import DocumentCatalogue, DocumentSummary
from provgraph.errors import Conflict, DocumentChoice, NotFound
from provgraph.ports.quad_store import QuadStore
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import given_iri
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import RDF, TG

_MOST_LISTED: Final = 10


@dataclass(frozen=True)
class DocumentNames:
    """The names of one collection's documents."""

    store: QuadStore
    graphs: CollectionGraphs

    async def resolved(self, names: Sequence[str]) -> tuple[NamedNode, ...]:
        """The document of each name, each document once.

        Raises `NotFound` for a name that no document has, and `Conflict` for one that several have.
        """
        if not names:
            return ()
        catalogue = DocumentCatalogue(self.store, self.graphs)
        documents = await catalogue.documents()
        return tuple(dict.fromkeys(named(documents, name) for name in names))


def named(documents: Sequence[DocumentSummary], name: str) -> NamedNode:
    """The document of a name. Raises `NotFound` where none has it, and `Conflict` where several have."""
    iri = given_iri(name.strip())
    if any(document.iri == iri for document in documents):
        return iri
    wanted = plain(name)
    matches = [document.iri for document in documents if wanted in names_of_document(document)]
    if not matches:
        raise _unknown(documents, name)
    if len(matches) > 1:
        raise _ambiguous([document for document in documents if document.iri in matches], name)
    return matches[0]


async def named_document(catalogue: DocumentCatalogue, name: str) -> NamedNode:
    """The document of this id, else the one whose file or title has this name, in whatever case.

    What names no document is given back as an id, for the caller to say that there is none. Raises `Conflict` where
    several have the name, and lists them.
    """
    node = given_iri(name)
    marker = Quad(node, RDF.type, TG.Document, catalogue.graphs.source)
    if (await catalogue.store.contains([marker]))[0] or name.startswith("urn:"):
        return node
    matches = [each for each in await catalogue.documents() if plain(name) in names_of_document(each)]
    if len(matches) > 1:
        raise _ambiguous(matches, name)
    return matches[0].iri if matches else node


def _unknown(documents: Sequence[DocumentSummary], name: str) -> NotFound:
    """With the documents whose names are most like this one."""
    by_name = {own: each for each in documents for own in names_of_document(each)}
    close = [by_name[own] for own in get_close_matches(plain(name), by_name, n=_MOST_LISTED, cutoff=0.6)]
    close += [each for each in documents if any(plain(name) in own for own in names_of_document(each))]
    similar = list({each.iri: each for each in close}.values())[:_MOST_LISTED]
    said = f"There is no document {name[:120]!r} in this collection, by id, file name or title."
    if not similar:
        return NotFound(f"{said} Look up the ids with 'provgraph documents'.")
    error = NotFound(f"{said} Is it one of these?\n{_lines(similar)}")
    error.choices = tuple(map(_choice, similar))
    return error


def _ambiguous(documents: Sequence[DocumentSummary], name: str) -> Conflict:
    more = f"\n  and {len(documents) - _MOST_LISTED} more" if len(documents) > _MOST_LISTED else ""
    error = Conflict(
        f"{len(documents)} documents are named {name[:120]!r}. Choose one by its id:\n{_lines(documents)}{more}"
    )
    error.choices = tuple(map(_choice, documents[:_MOST_LISTED]))
    return error


def _lines(documents: Sequence[DocumentSummary]) -> str:
    return "\n".join(f"  {each.iri.value}  {each.title} ({each.source})" for each in documents[:_MOST_LISTED])


def _choice(document: DocumentSummary) -> DocumentChoice:
    return DocumentChoice(document.iri.value, document.title, document.source)


def names_of_document(document: DocumentSummary) -> set[str]:
    """Its title, and its file name with and without the folders before it and the ending behind."""
    files = [unquote(each.rstrip("/").rpartition("/")[2]) for each in (document.title, document.source)]
    stems = [file.rpartition(".")[0] for file in files]
    return {plain(name) for name in (document.title, document.source, *files, *stems)} - {""}


def plain(name: str) -> str:
    return " ".join(name.casefold().split())
