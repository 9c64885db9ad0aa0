"""Archives sent and fetched over HTTP, and made wrong on purpose."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pyoxigraph import Quad, RdfFormat, parse

from api.running import Running, messages

ZIP = {"Content-Type": "application/zip"}


async def archive_of(service: Running, collection: str = "default") -> bytes:
    answer = await service.client.get("/api/v1/archive", params={"collection": collection})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    return answer.content


async def take_in(service: Running, archive: bytes, collection: str = "") -> dict[str, Any]:
    params = {"collection": collection} if collection else {}
    answer = await service.client.post("/api/v1/archive", content=archive, params=params, headers=ZIP)
    assert answer.status_code == 200, answer.text
    done: dict[str, Any] = answer.json()
    return done


async def refused(service: Running, archive: bytes, collection: str = "") -> dict[str, Any]:
    """The problem with which an archive is refused, plainly and in a stream alike."""
    params = {"collection": collection} if collection else {}
    answer = await service.client.post("/api/v1/archive", content=archive, params=params, headers=ZIP)
    assert answer.is_error, answer.text
    problem: dict[str, Any] = answer.json()
    stream = {**ZIP, "Accept": "text/event-stream"}
    sent = service.client.stream("POST", "/api/v1/archive", content=archive, params=params, headers=stream)
    async with sent as response:
        assert response.status_code == 200
        last = [message async for message in messages(response)][-1]
    assert (last.event, last.data) == ("problem", problem)
    return problem


def parts_of(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def without_receipts(quads: Iterable[Quad]) -> set[Quad]:
    """What was said before it was handed on: without receipts, their agents, and the marks that name them."""
    every = set(quads)
    marks = {quad for quad in every if quad.predicate.value.endswith("/receivedIn")}
    receipts = {quad.object for quad in marks}
    agents = {
        quad.object
        for quad in every
        if quad.subject in receipts and quad.predicate.value.endswith("#wasAssociatedWith")
    }
    return {quad for quad in every - marks if quad.subject not in receipts | agents}


def dataset(archive: bytes) -> tuple[set[Quad], set[tuple[str, str, str]]]:
    """The statements of an archive but those that it was received, and which content it has under which IRI."""
    parts = parts_of(archive)
    lines = [json.loads(line) for line in parts["library.jsonl"].splitlines()]
    quads = without_receipts(parse(parts["graphs.nq"], format=RdfFormat.N_QUADS))
    return quads, {(line["of"], line["iri"], line["file"]) for line in lines}


def zipped(parts: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return into.getvalue()


def changed(archive: bytes, change: Callable[[dict[str, bytes]], object], **manifest: Any) -> bytes:
    """The archive with other parts and a manifest that vouches for them: the work of one who knows the format."""
    parts = parts_of(archive)
    said = json.loads(parts.pop("manifest.json"))
    del parts["parts.jsonl"]
    change(parts)
    listed = "".join(
        json.dumps({"name": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}) + "\n"
        for name, content in parts.items()
    ).encode()
    said |= {"parts": len(parts), "parts_sha256": hashlib.sha256(listed).hexdigest(), **manifest}
    return zipped({**parts, "parts.jsonl": listed, "manifest.json": json.dumps(said).encode()})
