"""JSON and JSONL: records with a `text`, each a document of its own, so that corpora load as they are.

A record may also say `id` (or `_id`), `title`, `author` and `date`; what else it says is kept as metadata.
JSON without such records is read as the text that it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from provgraph.documents.document import Header, OpenDocument
from provgraph.documents.readers.dates import iso_date
from provgraph.documents.readers.text import (
    TextDocument,
    decode,
    one_line,
    open_text,
    split_pages,
    title_from_name,
)
from provgraph.documents.readers.writable import writable
from provgraph.errors import UnreadableDocument

JSON_MEDIA_TYPE = "application/json"
JSONL_MEDIA_TYPE = "application/x-ndjson"

Record = dict[str, Any]
_AUTHOR_KEYS = ("author", "authors", "creator", "creators")
_DATE_KEYS = ("date", "published", "published_at")


def open_json(content: bytes, name: str, charset: str = "") -> Iterator[OpenDocument]:
    """The record in `content`, or each record of its array; any other JSON as one document of text.

    Raises `UnreadableDocument` with line and column when it is not JSON.
    """
    text = decode(content, name, charset)
    value = _parsed(text, name)
    if _is_record(value):
        yield _record_document(value, content, title_from_name(name))
    elif isinstance(value, list) and value and all(map(_is_record, value)):
        for number, record in enumerate(value, start=1):
            source = json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
            yield _record_document(
                record, source.encode("utf-8", "surrogatepass"), f"{title_from_name(name)} {number}"
            )
    else:
        yield open_text(content, name, charset)


def open_jsonl(content: bytes, name: str) -> Iterator[OpenDocument]:
    """Each line's record, in order; all lines as one text when the first holds no record.

    The whole file is checked before the first document is given, so that a broken line leaves nothing half
    read; one record at a time is held.
    """
    if not content.startswith(b"{"):  # a byte order mark, maybe that of UTF-16
        content = decode(content, name).encode("utf-8", "surrogatepass")
    first = next((_parsed_line(line, name, number) for number, line in _lines(content)), None)
    if not _is_record(first):
        yield open_text(content, name)
        return
    for number, line in _lines(content):
        if not _is_record(_parsed_line(line, name, number)):
            raise UnreadableDocument(
                f"Line {number} of {name} is not a record with a `text`. Give it one, or remove the line."
            )
    for number, line in _lines(content):
        yield _record_document(_parsed_line(line, name, number), line, f"{title_from_name(name)} {number}")


def _lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, each with its number, without a copy of all of them."""
    start, number = 0, 0
    while start < len(content):
        end = content.find(b"\n", start)
        end = len(content) if end < 0 else end
        number += 1
        line = content[start:end].strip()
        if line:
            yield number, line
        start = end + 1


def _parsed_line(line: bytes, name: str, number: int) -> Any:
    text = decode(line, f"Line {number} of {name}")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableDocument(
            f"Line {number} of {name} is not JSON: {_reason(error)}. Correct it: JSONL is one value to a line."
        ) from error


def _parsed(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise UnreadableDocument(
            f"{name} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}. "
            "Correct it there, or name the file .jsonl if it holds one value to a line."
        ) from error
    except (ValueError, RecursionError) as error:
        raise UnreadableDocument(f"{name} cannot be read as JSON: {_reason(error)}. Simplify it.") from error


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    return (
        "it is nested too deeply"
        if isinstance(error, RecursionError)
        else "a number in it has too many digits"
    )


def _is_record(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("text"), str)


def _record_document(record: Record, content: bytes, stand_in: str) -> TextDocument:
    text = writable(record["text"])
    known = ("text", "id", "_id", "title", *_AUTHOR_KEYS, *_DATE_KEYS)
    header = Header(
        title=one_line(_string(record.get("title"))) or stand_in,
        media_type=JSON_MEDIA_TYPE,
        page_count=len(split_pages(text)),
        creators=tuple(_creators(record)),
        date=next((date for key in _DATE_KEYS if (date := iso_date(_string(record.get(key))))), ""),
        record_id=one_line(_string(record.get("id", record.get("_id")))),
        metadata={writable(key): _string(value) for key, value in record.items() if key not in known},
    )
    return TextDocument(header, content, text)


def _creators(record: Record) -> Iterator[str]:
    value = next((record[key] for key in _AUTHOR_KEYS if record.get(key)), ())
    for creator in value if isinstance(value, (list, tuple)) else (value,):
        if name := one_line(_string(creator)):
            yield name


def _string(value: object) -> str:
    if value is None:
        return ""
    return writable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
