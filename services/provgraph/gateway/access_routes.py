"""HTTP face of access: tokens of principals, readers of documents, who one is, and the audit log."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Header, Query, Response

from provgraph.access.audit import AuditEntry, AuditLog
from provgraph.access.policy import CollectionPolicy, ReadDocuments
from provgraph.access.principals import AccessRole, Principal, Principals
from provgraph.access.scope import DocumentRules
from provgraph.catalogue.collections import Collections
from provgraph.catalogue.document_names import named, named_document
from provgraph.catalogue.documents import DocumentCatalogue, titles_of
from provgraph.errors import Forbidden, InvalidInput
from provgraph.late_routes import LateRouter
from provgraph.ports.quad_store import QuadPattern
from provgraph.provenance.access import AccessRecord, access_quads
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.iris import given_iri, principal_name
from provgraph.rdf.serialization import format_of_media_type
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import RDF, TG
from provgraph.traces.routes import rdf_reply
from provgraph.wire.access import (
    AccessPolicy,
    AccessTest,
    AuditedAccess,
    AuditReport,
    DocumentReaders,
    NewToken,
    PrincipalAccess,
    PrunedAudit,
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
        return [
            TokenView.model_validate(_principal_fields(principal)) for principal in await principals.all()
        ]

    @router.post("/tokens", status_code=201)
    async def create(body: TokenRequest) -> NewToken:
        """Make a token. It is shown once; what is kept is its SHA-256."""
        principal = Principal(
            body.name, AccessRole(body.role), tuple(body.collections), tuple(body.groups), body.expires
        ).checked()
        token = await principals.add(principal, others_come_in=has_service_token)
        return NewToken(**_principal_fields(principal), token=token)

    @router.post("/tokens/{name}/rotate")
    async def rotate(name: str) -> NewToken:
        """Another token in the place of the one there is, which opens nothing from here on."""
        token = await principals.rotate(name)
        return NewToken(**_principal_fields(await principals.named(name)), token=token)

    @router.delete("/tokens/{name}")
    async def revoke(name: str) -> TokenView:
        """Let a token open nothing from here on."""
        return TokenView.model_validate(_principal_fields(await principals.revoke(name)))

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
            nodes = [document.iri for document in await catalogue.documents()]
        return await _readers(collections, collection, nodes)

    @router.put("/documents/readers")
    async def set_readers(body: ReadersRequest) -> list[DocumentReaders]:
        """Say who may read documents: these groups and principals, and nobody else. Counts from the next request on.

        An id may be of a document that is deleted, as its rules outlive it; a name must be a document's.
        """
        graphs = await collections.require(body.collection)
        known = await DocumentCatalogue(collections.store, graphs).documents()
        nodes = [
            given_iri(document) if document.startswith("urn:") else named(known, document)
            for document in body.documents
        ]
        await DocumentRules(collections.store, graphs.source).set(nodes, body.readers)
        return await _readers(collections, body.collection, nodes)

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
        (quads,) = await collections.store.match([QuadPattern(None, RDF.type, TG.Document, graphs.source)])
        return SeenCollection(collection=name, documents=len(quads))

    return router


def policy_router(collections: Collections, principals: Principals) -> APIRouter:
    """`principals` are all who have tokens."""
    router = LateRouter(prefix="/api/v1", tags=["access"])

    @router.post("/documents/readers/test")
    async def test_policy(body: AccessPolicy) -> AccessTest:
        """Who would read which documents by a policy; nothing is changed."""
        graphs = await collections.require(body.collection)
        known = await DocumentCatalogue(collections.store, graphs).documents()
        documents = await _readers(collections, body.collection, [summary.iri for summary in known])
        given = {
            named(known, name).value: [principal_name(name) for name in names]
            for name, names in body.readers.items()
        }
        ruled = [
            document.model_copy(update={"readers": given.get(document.id, document.readers)})
            for document in documents
        ]
        policy = CollectionPolicy(
            body.collection, {NamedNode(readers.id): readers.readers for readers in ruled}
        )
        expected = {
            name: set(policy.readers) if "*" in names else {named(known, name) for name in names}
            for name, names in body.expect.items()
        }
        tested = policy.tested(await _principals(body), expected)
        return AccessTest(
            passed=not any(read_documents.missing or read_documents.unexpected for read_documents in tested),
            documents=ruled,
            principals=[_read_by(read_documents) for read_documents in tested],
        )

    async def _principals(body: AccessPolicy) -> list[Principal]:
        """Those of the policy, and those with tokens that may use something of its collection."""
        given = {
            name: Principal(
                name, AccessRole(each.role), tuple(each.collections), tuple(each.groups)
            ).checked()
            for name, each in body.principals.items()
        }
        now = {principal.name: principal for principal in await principals.all()}
        for name in body.expect.keys() - given.keys() - now.keys():
            raise InvalidInput(
                f"{name[:80]!r} is expected to read something, and has neither a token nor a place under 'principals'."
            )
        used = {
            name: each
            for name, each in now.items()
            if name in body.expect or not each.collections or body.collection in each.collections
        }
        return list({**used, **given}.values())

    return router


async def _readers(
    collections: Collections, collection: str, nodes: list[NamedNode]
) -> list[DocumentReaders]:
    graphs = await collections.require(collection)
    titles = await titles_of(collections.store, graphs.source, nodes)
    rules = await DocumentRules(collections.store, graphs.source).readers(nodes)
    return [
        DocumentReaders(id=node.value, title=titles.get(node, ""), readers=names)
        for node, names in zip(nodes, rules, strict=True)
    ]


def _read_by(read: ReadDocuments) -> PrincipalAccess:
    return PrincipalAccess(
        name=read.principal.name,
        role=read.principal.role.value,
        documents=_values(read.documents),
        missing=_values(read.missing),
        unexpected=_values(read.unexpected),
    )


def _values(nodes: Iterable[NamedNode]) -> list[str]:
    return sorted(node.value for node in nodes)


def _principal_fields(principal: Principal) -> dict[str, object]:
    return {
        "name": principal.name,
        "role": principal.role.value,
        "collections": list(principal.collections),
        "groups": list(principal.groups),
        "expires": principal.expires,
    }


def audit_router(log: AuditLog, principal: Principal | None = None) -> APIRouter:
    """`principal` is who asks, where that is known."""
    router = LateRouter(prefix="/api/v1", tags=["access"])

    @router.get("/audit", response_model=AuditReport)
    async def audit(
        since: Annotated[datetime | None, Query(description="Nothing older.")] = None,
        accept: Annotated[str, Header()] = "application/json",
    ) -> Response:
        """Who asked, read and wrote, from when anybody had a token of their own; as Turtle, N-Quads or JSON-LD in the
        words of PROV. `first_fault` is the first line that does not follow from the one before it."""
        if principal and principal.collections:
            raise Forbidden(
                "The audit log is of all collections, and this token is for some. Ask whoever keeps this service."
            )
        entries = await log.entries(since)
        if rdf_format := format_of_media_type(accept):
            return rdf_reply(
                [quad for entry in entries for quad in access_quads(_record(entry))], accept, rdf_format
            )
        report = AuditReport(
            first_fault=await log.first_fault(), entries=[_audited(entry) for entry in entries]
        )
        return Response(report.model_dump_json(), media_type="application/json")

    @router.delete("/audit")
    async def prune(
        before: Annotated[datetime, Query(description="Everything older is removed.")],
    ) -> PrunedAudit:
        """Remove what is older than a time, and than the service has to keep; the log says that it was."""
        return PrunedAudit(removed=await log.prune(before, principal.name if principal else ""))

    return router


def _record(entry: AuditEntry) -> AccessRecord:
    return AccessRecord(
        entry.hash, entry.at, entry.by, entry.right, entry.request, entry.status, entry.concerns
    )


def _audited(entry: AuditEntry) -> AuditedAccess:
    return AuditedAccess(
        at=entry.at,
        by=entry.by,
        right=entry.right,
        request=entry.request,
        status=entry.status,
        concerns=list(entry.concerns),
    )
