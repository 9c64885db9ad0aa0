"""Large documents in parts: what has come of each is kept in memory until it is whole, and dropped after a while.

An upload that a stop of the service cuts off begins again; the client does so by itself.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import uuid4

from provgraph.errors import InvalidInput, NotFound, TooLarge
from provgraph.gateway.trustgraph import fields
from provgraph.gateway.trustgraph.fields import Body, decoded

DEFAULT_PART: Final = 3 * 1024 * 1024
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
        part = fields.number(body, "chunk-size", DEFAULT_PART, 16 * 1024 * 1024)
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
