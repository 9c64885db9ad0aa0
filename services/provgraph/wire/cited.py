"""Exact words of a document, as every message names them."""

from __future__ import annotations

from pydantic import BaseModel


class CitedSource(BaseModel):
    """Exact words of a page: the text of `page` from `start` to `end`, in characters, is `text`."""

    document: str
    title: str
    page: str
    page_number: int
    chunk: str
    chunk_number: int
    start: int
    end: int
    text: str
