"""The service `librarian`: documents handed in, whole or in parts, listed, read back, processed and removed.

The library of these clients has no collections; what it lists are the deposits and whatever else any collection holds.
The parts of a large document are kept in memory until it is whole, and dropped after a while; an upload that a stop of
the service cuts off begins again, which the client does by itself.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final
from uuid import uuid4

from provgraph.catalogue.deposits import Deposits, content_hash
from provgraph.errors import InvalidInput, NotFound, NotProvided, TooLarge
from provgraph.gateway.trustgraph import fields
from provgraph.gateway.trustgraph.fields import Body, decoded, encoded
from provgraph.gateway.trustgraph.services import ServiceReply
from provgraph.gateway.trustgraph.shelves import DepositShelves, ProcessingDesk
from provgraph.provenance.library import DepositRecord
from provgraph.rdf.iris import document_iri, given_iri
from provgraph.rdf.json_terms import JsonTerm, triple_from_json
from provgraph.rdf.terms import NamedNode, Triple

DEFAULT_UPLOAD_PART: Final = 3 * 1024 * 1024
KEPT_S: Final = 3600.0


@dataclass
class PartialUpload:
    """`size` and `part` are in bytes."""

    metadata: Body
    size: int
    part: int
    parts: dict[int, bytes] = field(default_factory=dict)
    touched: float = field(default_factory=time.monotonic)

    @property
    def count(self) -> int:
        return max(-(-self.size // self.part), 1)


class Uploads:
    """`limit_bytes` is how much all uploads together may announce."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._uploads: dict[str, PartialUpload] = {}

    async def begin(self, body: Body) -> Mapping[str, Any]:
        self._drop_old()
        size = fields.number(body, "total-size", 0, 2**62)
        part = fields.number(body, "chunk-size", DEFAULT_UPLOAD_PART, 16 * 1024 * 1024)
        if sum(upload.size for upload in self._uploads.values()) + size > self._limit_bytes:
            raise TooLarge(
                f"Uploads of more than {self._limit_bytes / 1e6:,.0f} MB at once are not taken. "
                "Wait for others to end, or raise PROVGRAPH_MAX_UPLOAD_MB where the service is started."
            )
        name = str(uuid4())
        upload = self._uploads[name] = PartialUpload(dict(fields.part(body, "document-metadata")), size, part)
        return {"upload-id": name, "chunk-size": part, "total-chunks": upload.count}

    async def take(self, body: Body) -> Mapping[str, Any]:
        upload = self._upload(body)
        index = fields.number(body, "chunk-index", 0, 2**62)
        content = decoded(fields.text(body, "content"))
        if index >= upload.count or len(content) > upload.part:
            raise InvalidInput("This part is not one of the upload. Send the parts as they were announced.")
        upload.parts[index] = content
        upload.touched = time.monotonic()
        return {"chunk-index": index, **_state(upload)}

    async def status(self, body: Body) -> Mapping[str, Any]:
        upload = self._upload(body)
        missing = [index for index in range(upload.count) if index not in upload.parts]
        state = {
            "upload-state": "in-progress",
            "received-chunks": sorted(upload.parts),
            "missing-chunks": missing,
        }
        return {"upload-id": fields.text(body, "upload-id"), **state, **_state(upload)}

    async def list(self, body: Body) -> Mapping[str, Any]:  # noqa: ARG002 (an operation takes its request)
        self._drop_old()
        sessions = [{"upload-id": name, **_state(upload)} for name, upload in self._uploads.items()]
        return {"upload-sessions": sessions}

    async def abort(self, body: Body) -> Mapping[str, Any]:
        self._upload(body)
        self.forget(body)
        return {}

    def complete(self, body: Body) -> tuple[Body, bytes]:
        """What was said of the document, and its bytes. Raises `InvalidInput` while a part is missing."""
        upload = self._upload(body)
        if len(upload.parts) < upload.count:
            missing = upload.count - len(upload.parts)
            raise InvalidInput(f"{missing} parts of the upload are missing. Send them, then complete it.")
        return upload.metadata, b"".join(upload.parts[index] for index in range(upload.count))

    def forget(self, body: Body) -> None:
        self._uploads.pop(fields.text(body, "upload-id"), None)

    def _upload(self, body: Body) -> PartialUpload:
        name = fields.text(body, "upload-id")
        if name not in self._uploads:
            raise NotFound(f"There is no upload {name[:80]!r}. Begin it again.")
        return self._uploads[name]

    def _drop_old(self) -> None:
        oldest = time.monotonic() - KEPT_S
        self._uploads = {name: upload for name, upload in self._uploads.items() if upload.touched > oldest}


def _state(upload: PartialUpload) -> dict[str, int]:
    return {
        "chunks-received": len(upload.parts),
        "total-chunks": upload.count,
        "bytes-received": sum(map(len, upload.parts.values())),
        "total-bytes": upload.size,
    }


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
            raise InvalidInput(
                f"{record.media_type[:80]!r} is not a media type. Name one such as text/plain."
            )
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
