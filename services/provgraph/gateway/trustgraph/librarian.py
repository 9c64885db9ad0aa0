"""The service `librarian`: documents handed in, listed, read back, processed and removed.

The library of these clients has no collections; what it lists are the deposits and whatever else any collection holds.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from provgraph.catalogue.deposits import Deposits, content_hash
from provgraph.errors import InvalidInput, NotProvided
from provgraph.gateway.trustgraph import fields
from provgraph.gateway.trustgraph.fields import Body, decoded, encoded
from provgraph.gateway.trustgraph.processing import ProcessingDesk
from provgraph.gateway.trustgraph.services import ServiceReply
from provgraph.gateway.trustgraph.shelves import DepositShelves
from provgraph.gateway.trustgraph.uploads import Uploads
from provgraph.provenance.library import DepositRecord
from provgraph.rdf.iris import document_iri, given_iri
from provgraph.rdf.json_terms import JsonTerm, triple_from_json
from provgraph.rdf.terms import NamedNode, Triple

Operation = Callable[[Body], Awaitable[Mapping[str, Any]]]
DEFAULT_PART: Final = 1_000_000
MOST_IN_PART: Final = 10_000_000
_IRI: Final = re.compile(r"(https?://|urn:)[^\s<>\"{}|\\^`]+")


@dataclass(frozen=True)
class Librarian:
    deposits: Deposits
    shelves: DepositShelves
    desk: ProcessingDesk
    uploads: Uploads

    async def __call__(self, body: Body) -> AsyncGenerator[ServiceReply]:
        name = fields.text(body, "operation")
        operations = self._operations()
        if name not in operations:
            raise NotProvided(
                f"The library's operation {name[:80]!r} is not provided here. See docs/trustgraph.md."
            )
        yield ServiceReply(await operations[name](body))

    def _operations(self) -> Mapping[str, Operation]:
        return {
            "add-document": self._add,
            "list-documents": self._list,
            "get-document-metadata": self._one,
            "get-document": self._one,
            "get-document-content": self._content,
            "stream-document": self._part,
            "list-children": self._children,
            "remove-document": self._remove,
            "add-processing": self.desk.add,
            "list-processing": self.desk.list,
            "remove-processing": self.desk.remove,
            "begin-upload": self.uploads.begin,
            "upload-chunk": self.uploads.take,
            "get-upload-status": self.uploads.status,
            "list-uploads": self.uploads.list,
            "abort-upload": self.uploads.abort,
            "complete-upload": self._complete,
        }

    async def _add(self, body: Body) -> Mapping[str, Any]:
        await self._deposit(fields.part(body, "document-metadata"), decoded(fields.text(body, "content")))
        return {}

    async def _complete(self, body: Body) -> Mapping[str, Any]:
        metadata, content = self.uploads.complete(body)
        document = await self._deposit(metadata, content)
        self.uploads.forget(body)
        return {"document-id": document.value}

    async def _deposit(self, said: Body, content: bytes) -> NamedNode:
        if not content:
            raise InvalidInput("The document is empty. Send one with content.")
        document = document_iri(content, fields.text(said, "id", ""))
        record = DepositRecord(
            document=document,
            content_hash=content_hash(content),
            title=fields.text(said, "title", "") or fields.text(said, "id", "") or "document",
            media_type=fields.text(said, "kind", "") or "application/octet-stream",
            description=fields.text(said, "comments", ""),
            tags=tuple(dict.fromkeys(filter(None, fields.texts(said, "tags")))),
        )
        if "/" not in record.media_type.strip("/"):
            raise InvalidInput(f"{record.media_type[:80]!r} is no media type. Name one such as text/plain.")
        await self.deposits.add(record, content, _metadata(said), datetime.now(UTC))
        return document

    async def _list(self, body: Body) -> Mapping[str, Any]:  # noqa: ARG002 (an operation takes its request)
        return {"document-metadatas": await self.shelves.all()}

    async def _one(self, body: Body) -> Mapping[str, Any]:
        return {"document-metadata": await self.shelves.one(_document(body))}

    async def _children(self, body: Body) -> Mapping[str, Any]:
        await self.shelves.one(_document(body))
        return {"document-metadatas": []}

    async def _content(self, body: Body) -> Mapping[str, Any]:
        return {"content": encoded(await self.shelves.content(_document(body)))}

    async def _part(self, body: Body) -> Mapping[str, Any]:
        size = fields.number(body, "chunk-size", DEFAULT_PART, MOST_IN_PART)
        index = fields.number(body, "chunk-index", 0, 1_000_000)
        content = await self.shelves.content(_document(body))
        return {
            "content": encoded(content[index * size : (index + 1) * size]),
            "chunk-index": index,
            "total-chunks": max(-(-len(content) // size), 1),
            "total-bytes": len(content),
        }

    async def _remove(self, body: Body) -> Mapping[str, Any]:
        await self.shelves.remove(_document(body))
        return {}


def _document(body: Body) -> NamedNode:
    return given_iri(fields.text(body, "document-id"))


def _metadata(said: Body) -> list[Triple]:
    return [triple_from_json(_with_iris(part)) for part in fields.parts(said, "metadata")]


def _with_iris(said: Body) -> JsonTerm:
    """A triple whose subject came as a literal, with its IRIs as such: so writes the published client the metadata of
    its sample documents, all terms alike."""
    subject = said.get("s")
    if not isinstance(subject, Mapping) or subject.get("t") != "l":
        return dict(said)
    return {place: _as_iri(term) for place, term in said.items()}


def _as_iri(term: object) -> object:
    value = term.get("v") if isinstance(term, Mapping) else None
    return {"t": "i", "i": value} if isinstance(value, str) and _IRI.fullmatch(value) else term
