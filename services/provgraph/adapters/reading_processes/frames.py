"""What passes between a service and the child that reads files: JSON, never pickled objects.

The child is given one file, a header with its bytes, and answers with a row of frames: for each document its header,
then its pages, then its end or what is wrong with it; at last that the file is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from provgraph.documents.document import Header, Page, Recognition
from provgraph.documents.page_layout import PageLayout
from provgraph.errors import ProvGraphError, error_of_kind
from provgraph.ports.text_recogniser import RecogniserProfile

KIND: Final = "kind"
LAST: Final = "last"
"""With a failure after which nothing comes: the child has ended."""

DOCUMENT, PAGES, DOCUMENT_ENDS, FAILED, FILE_ENDS, WAIT = (
    "document",
    "pages",
    "ends",
    "failed",
    "done",
    "wait",
)


def header_to_json(header: Header) -> dict[str, Any]:
    return {**asdict(header), "metadata": dict(header.metadata)}


def header_from_json(told: dict[str, Any]) -> Header:
    return Header(**{**told, "creators": tuple(told["creators"])})


def pages_to_json(pages: Sequence[Page]) -> list[Any]:
    return [
        [
            page.number,
            page.text,
            _recognition_to_json(page.recognition),
            page.unread,
            page.layout.to_json().decode() if page.layout else "",
            page.pictured,
        ]
        for page in pages
    ]


def page_from_json(told: Sequence[Any]) -> Page:
    number, text, recognition, unread, layout, pictured = told
    read = PageLayout.of_json(layout.encode()) if layout else PageLayout()
    return Page(number, text, _recognition_from_json(recognition), unread, read, pictured)


def error_to_json(error: ProvGraphError) -> dict[str, str]:
    return {KIND: FAILED, "error": error.slug, "message": str(error)}


def error_from_json(told: dict[str, Any]) -> ProvGraphError:
    return error_of_kind(told["error"], told["message"])


def _recognition_to_json(recognition: Recognition | None) -> list[Any] | None:
    return [asdict(recognition.by), recognition.confidence] if recognition else None


def _recognition_from_json(told: list[Any] | None) -> Recognition | None:
    return Recognition(RecogniserProfile(**told[0]), told[1]) if told else None
