"""Who may see what: principals, the readers of a document, and who asked over which view. Examples as in `trace`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from provgraph.provenance.trace import TraceScope
from provgraph.rdf import literals
from provgraph.rdf.iris import principal_iri, view_iri
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, RDF, RDFS, TG

ACCESS: Final = NamedNode("urn:graph:access")
"""Beside the graphs of the collections: not queried by users, not exported."""


def principal_quads(name: str, grant: str) -> list[Quad]:
    """Who has a token, and what for: `grant` is JSON.

    <urn:trustgraph:principal:ada> a tg:Principal ; rdfs:label "ada" ; tg:grant "{}" .
    """
    node = principal_iri(name)
    return [
        Quad(node, RDF.type, TG.Principal, ACCESS),
        Quad(node, RDFS.label, literals.text(name), ACCESS),
        Quad(node, TG.grant, literals.text(grant), ACCESS),
    ]


def reader_quads(document: NamedNode, readers: Iterable[str], graph: NamedNode) -> list[Quad]:
    """The groups and principals that may read a document; nobody named is everybody who may read its collection.

    <doc> tg:readableBy "cardiology" .
    """
    return [Quad(document, TG.readable_by, literals.text(name), graph) for name in dict.fromkeys(readers)]


@dataclass(frozen=True)
class Asker:
    """Who asks: the name of a principal, and the documents that it sees where those are not all of a collection."""

    principal: str
    documents: frozenset[NamedNode] | None = None

    @property
    def view(self) -> NamedNode | None:
        if self.documents is None:
            return None
        names = "\n".join(sorted(document.value for document in self.documents))
        return view_iri(hashlib.sha256(names.encode()).hexdigest())


def asker_quads(scope: TraceScope, asker: Asker) -> list[Quad]:
    """Who asked the question of a session, and which documents the answer could stand on.

    <urn:trustgraph:session:1> tg:askedBy <urn:trustgraph:principal:ada> ;
        tg:askedOver <urn:trustgraph:view:11d745bf0c3619cc07be2ce09f89322289b648ebf30910c9ba38b84049787f0b> .
    <urn:trustgraph:view:11d745bf0c3619cc07be2ce09f89322289b648ebf30910c9ba38b84049787f0b> a prov:Entity, tg:View ;
        tg:viewDocument <doc> .
    """
    session, graph, view = scope.names.session, scope.graph, asker.view
    quads = [Quad(session, TG.asked_by, principal_iri(asker.principal), graph)]
    if view:
        quads += [
            Quad(session, TG.asked_over, view, graph),
            Quad(view, RDF.type, PROV.Entity, graph),
            Quad(view, RDF.type, TG.View, graph),
            *(Quad(view, TG.view_document, document, graph) for document in sorted(asker.documents or (), key=str)),
        ]
    return quads
