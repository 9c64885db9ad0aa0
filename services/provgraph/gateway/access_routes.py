"""HTTP face of access: tokens of principals, readers of documents, and who one is."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from provgraph.access.document_rules import DocumentRules
from provgraph.access.principals import AccessRole, Principal, Principals
from provgraph.catalogue.collections import Collections
from provgraph.catalogue.document_names import named_document
from provgraph.catalogue.documents import DocumentCatalogue, titles_of
from provgraph.late_routes import LateRouter
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import RDF, TG
from provgraph.wire.access import (
    DocumentReaders,
    NewToken,
    ReadersRequest,
    SeenCollection,
    TokenRequest,
    TokenView,
    WhoAmI,
)


def token_router(principals: Principals, has_service_token: bool) -> APIRouter:
    """With `has_service_token` there is a way in beside the tokens of principals."""
    router = LateRouter(prefix="/api/v1", tags=["access"])

    @router.get("/tokens")
    async def tokens() -> list[TokenView]:
        """Who has a token, and what for."""
        return [TokenView.model_validate(_told(each)) for each in await principals.all()]

    @router.post("/tokens", status_code=201)
    async def create(body: TokenRequest) -> NewToken:
        """Make a token. It is shown once; what is kept is its SHA-256."""
        principal = Principal(
            body.name, AccessRole(body.role), tuple(body.collections), tuple(body.groups), body.expires
        ).checked()
        token = await principals.add(principal, others_come_in=has_service_token)
        return NewToken(**_told(principal), token=token)

    @router.post("/tokens/{name}/rotate")
    async def rotate(name: str) -> NewToken:
        """Another token in the place of the one there is, which opens nothing from here on."""
        token = await principals.rotate(name)
        return NewToken(**_told(await principals.named(name)), token=token)

    @router.delete("/tokens/{name}")
    async def revoke(name: str) -> TokenView:
        """Let a token open nothing from here on."""
        return TokenView.model_validate(_told(await principals.revoke(name)))

    return router


def reader_router(collections: Collections, principal: Principal | None) -> APIRouter:
    """`principal` is who asks, where that is known."""
    router = LateRouter(prefix="/api/v1", tags=["access"])

    @router.get("/documents/readers")
    async def readers(
        id: Annotated[
            list[str], Query(description="Ids, file names or titles; all where none is given.")
        ] = [],  # noqa: B006
        collection: str = DEFAULT_COLLECTION,
    ) -> list[DocumentReaders]:
        """Who may read the documents of a collection."""
        graphs = await collections.require(collection)
        catalogue = DocumentCatalogue(collections.store, graphs)
        if id:
            nodes = [await named_document(catalogue, each) for each in id]
        else:
            nodes = [each.iri for each in await catalogue.documents()]
        return await _readers(collection, nodes)

    @router.put("/documents/readers")
    async def set_readers(body: ReadersRequest) -> list[DocumentReaders]:
        """Say who may read documents: these groups and principals, and nobody else. Counts from the next request on."""
        graphs = await collections.require(body.collection)
        catalogue = DocumentCatalogue(collections.store, graphs)
        nodes = [await named_document(catalogue, each) for each in body.documents]
        await DocumentRules(collections.store, graphs.source).set(nodes, body.readers)
        return await _readers(body.collection, nodes)

    async def _readers(collection: str, nodes: list[NamedNode]) -> list[DocumentReaders]:
        graphs = await collections.require(collection)
        titles = await titles_of(collections.store, graphs.source, nodes)
        rules = await DocumentRules(collections.store, graphs.source).readers(nodes)
        return [
            DocumentReaders(id=node.value, title=titles.get(node, ""), readers=names)
            for node, names in zip(nodes, rules, strict=True)
        ]

    @router.get("/whoami")
    async def whoami() -> WhoAmI:
        """Who asks, and what may be seen."""
        return WhoAmI(
            name=principal.name if principal else "",
            role=principal.role.value if principal else "admin",
            groups=list(principal.groups) if principal else [],
            collections=[await _seen(name) for name in await collections.names()],
        )

    async def _seen(name: str) -> SeenCollection:
        graphs = await collections.require(name)
        (found,) = await collections.store.match([QuadPattern(None, RDF.type, TG.Document, graphs.source)])
        return SeenCollection(collection=name, documents=len(found))

    return router


def _told(principal: Principal) -> dict[str, object]:
    return {
        "name": principal.name,
        "role": principal.role.value,
        "collections": list(principal.collections),
        "groups": list(principal.groups),
        "expires": principal.expires,
    }
