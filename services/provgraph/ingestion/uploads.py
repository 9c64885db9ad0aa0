"""What a client sends as documents → source files: multipart with files, or JSON with text or base64."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass, replace

from fastapi import Request
from pydantic import ValidationError
from starlette.datastructures import FormData, UploadFile

from provgraph.documents.metadata import NO_METADATA, DocumentMetadata, pairs_of, read_metadata
from provgraph.errors import InvalidInput, UnsupportedDocument
from provgraph.extraction.extractors import ExtractionOptions, OntologyFile
from provgraph.ingestion.planning import SourceFile
from provgraph.passwords import without_passwords
from provgraph.rdf.graphs import DEFAULT_COLLECTION, collection_name
from provgraph.rdf.iris import refuse_password
from provgraph.wire.documents import TextDocumentRequest


@dataclass(frozen=True)
class Upload:
    collection: str
    files: tuple[SourceFile, ...]
    options: ExtractionOptions = ExtractionOptions()


async def read_upload(request: Request) -> Upload:
    """The files of a request and the collection they are for.

    Raises `UnsupportedDocument` for other types of body, `InvalidInput` for a body without a document, and for an id
    that is an address with a password.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
    if kind == "multipart/form-data":
        async with request.form() as form:
            upload = await _from_form(form)
    elif kind == "application/json":
        upload = _from_json(await request.body())
    else:
        raise UnsupportedDocument(
            f"A request body of type {kind or 'nothing'!r} is not understood. "
            "Send files as multipart/form-data, or a document as application/json."
        )
    for file in upload.files:
        refuse_password(file.id)
    named = [
        replace(file, name=without_passwords(file.name), title=without_passwords(file.title))
        for file in upload.files
    ]
    return replace(upload, collection=collection_name(upload.collection), files=tuple(named))


async def _from_form(form: FormData) -> Upload:
    uploads = [
        (key, value)
        for key, value in form.multi_items()
        if isinstance(value, UploadFile) and key != "ontology"
    ]
    if not uploads:
        raise InvalidInput("The form holds no file. Send at least one part with a file name.")
    title, given_id = _field(form, "title"), _field(form, "id")
    if given_id and len(uploads) > 1:
        raise InvalidInput("One id was given for several files. Send them one by one, each with its id.")
    given = [value for value in form.getlist("metadata") if isinstance(value, str)]
    if len(given) > 1 and len(given) != len(uploads):
        raise InvalidInput(
            f"{len(given)} fields of metadata were given for {len(uploads)} files. Give one for all, or one for each."
        )
    metadata = [_form_metadata(text.strip()) for text in given] or [NO_METADATA]
    files = [
        SourceFile(
            value.filename or "document",
            await value.read(),
            value.content_type or "",
            title,
            given_id,
            metadata=metadata[number if len(metadata) > 1 else 0],
        )
        for number, (_, value) in enumerate(uploads)
    ]
    options = ExtractionOptions(
        extractors=tuple(value for value in form.getlist("extractor") if isinstance(value, str) and value),
        ontology=await _ontology(form),
        max_tokens=_count(_field(form, "max_tokens")),
        sparing=_flag(form, "sparing"),
        replace=_flag(form, "replace"),
    )
    return Upload(_field(form, "collection") or DEFAULT_COLLECTION, tuple(files), options)


def _form_metadata(text: str) -> DocumentMetadata:
    """Of the field `metadata`, a JSON object."""
    if not text:
        return NO_METADATA
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise InvalidInput('`metadata` is not a JSON object. Write it as {"company": "PepsiCo"}.')
    return read_metadata(pairs_of(given))


async def _ontology(form: FormData) -> OntologyFile | None:
    sent = form.get("ontology")
    if isinstance(sent, UploadFile):
        return OntologyFile(sent.filename or "ontology.ttl", await sent.read())
    return OntologyFile("ontology.ttl", sent.encode()) if sent else None


def _flag(form: FormData, name: str) -> bool:
    return _field(form, name).casefold() in ("true", "1", "yes", "on")


def _count(words: str) -> int:
    if words and not (words.isascii() and words.isdecimal()):
        raise InvalidInput(f"max_tokens is {words[:20]!r} and not a number of tokens. Give a whole number.")
    return int(words or 0)


def _from_json(body: bytes) -> Upload:
    try:
        sent = TextDocumentRequest.model_validate_json(body)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the body"
        raise InvalidInput(
            f"The document is not as expected: {place}: {first['msg']}. See /docs for its form."
        ) from error
    if (sent.text is None) == (sent.content is None):
        raise InvalidInput("One of `text` and `content` (base64) is needed. Give one of them, and not both.")
    name = sent.name or sent.title or sent.id or "document"
    metadata = read_metadata(pairs_of(sent.metadata))
    if sent.text is not None:
        content = sent.text.encode("utf-8", "surrogatepass")
        file = SourceFile(name, content, "text/plain", sent.title, sent.id, metadata=metadata)
    else:
        file = SourceFile(name, _decoded(sent.content or ""), "", sent.title, sent.id, metadata=metadata)
    ontology = OntologyFile("ontology.ttl", sent.ontology.encode()) if sent.ontology else None
    options = ExtractionOptions(
        tuple(sent.extractors), ontology, sent.max_tokens, sparing=sent.sparing, replace=sent.replace
    )
    return Upload(sent.collection, (file,), options)


def _decoded(content: str) -> bytes:
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidInput(f"`content` is not base64 ({error}). Encode the file's bytes.") from error


def _field(form: FormData, name: str) -> str:
    value = form.get(name)
    return value.strip() if isinstance(value, str) else ""
