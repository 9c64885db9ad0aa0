"""What extraction workers are handed: messages on the queue, from one release of ProvGraph to the same."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, ConfigDict

DOCUMENTS: Final = "documents"
CHUNKS: Final = "chunks"
KINDS: Final = (DOCUMENTS, CHUNKS)


class WaitingFile(BaseModel):
    """A file that was accepted; its bytes wait under `key`. `title` and `id` are what the client calls it, or empty."""

    key: str
    name: str
    media_type: str = ""
    title: str = ""
    id: str = ""


class Reading(BaseModel):
    """How the documents of a job are read; nothing is left to the settings of whoever reads them."""

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    collection: str
    extractors: list[str]
    ontology_name: str = ""
    ontology: bytes = b""
    max_tokens: int = 0
    sparing: bool = False
    replace: bool = False


class DocumentsTask(BaseModel):
    """Files to read into a collection; with `retry` none, but what failed in it."""

    reading: Reading
    files: list[WaitingFile] = []
    retry: bool = False
