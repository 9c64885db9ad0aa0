"""JSON and JSONL: each record a document, so that corpora load as they are."""

from __future__ import annotations

import json

import pytest

from provgraph.documents.document import OpenDocument
from provgraph.documents.reading import open_documents
from provgraph.errors import UnreadableDocument

RADIUM = {
    "id": "d1",
    "title": "Radium",
    "text": "Found in 1898.",
    "authors": ["Marie Curie", "Pierre Curie"],
    "date": "1898-12-26",
    "url": "https://example.org/1",
    "score": 0.5,
    "tags": ["a"],
}


def text(document: OpenDocument) -> str:
    return "\f".join(page.text for page in document.pages())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", json.dumps(RADIUM)),
        ("a.json", json.dumps([RADIUM])),
        ("a.jsonl", json.dumps(RADIUM) + "\n"),
    ],
)
def test_a_record_tells_its_header(name: str, content: str) -> None:
    (document,) = open_documents(content.encode(), name)
    header = document.header
    assert (header.title, header.record_id, header.date) == ("Radium", "d1", "1898-12-26")
    assert header.creators == ("Marie Curie", "Pierre Curie")
    assert header.metadata == {"url": "https://example.org/1", "score": "0.5", "tags": '["a"]'}
    assert text(document) == "Found in 1898."


def test_each_line_is_a_document_with_bytes_of_its_own() -> None:
    content = b'\xef\xbb\xbf{"text": "one"}\n\n{"_id": 7, "text": "two"}\r\n{"text": "one"}'
    documents = list(open_documents(content, "corpus.jsonl"))
    assert [text(document) for document in documents] == ["one", "two", "one"]
    assert [document.header.title for document in documents] == ["corpus 1", "corpus 3", "corpus 4"]
    assert documents[1].header.record_id == "7"
    assert documents[0].content == documents[2].content == b'{"text": "one"}'


def test_the_order_of_keys_in_an_array_does_not_change_a_records_bytes() -> None:
    one, two = open_documents(b'[{"text": "x", "id": "1"}, {"id": "1", "text": "x"}]', "a.json")
    assert one.content == two.content


@pytest.mark.parametrize(
    "content", ['{"a": {"b": "words"}}', "[1, 2]", '"words"', '[{"text": "x"}, 3]', "[]"]
)
def test_json_that_holds_no_records_is_read_as_text(content: str) -> None:
    (document,) = open_documents(content.encode(), "a.json")
    assert text(document) == content


def test_jsonl_without_records_is_one_text() -> None:
    content = '{"claim": "a"}\n{"claim": "b"}\n'
    (document,) = open_documents(content.encode(), "a.jsonl")
    assert text(document) == content


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.json", '{"text": ', "line 1, column 10"),
        ("a.json", '{"text": "a"}\n{"text": "b"}', "name the file .jsonl"),
        ("a.json", "[" * 200_000, "nested too deeply"),
        ("a.jsonl", '{"text": "a"}\n{"text": \n', "Line 2 of a.jsonl is not JSON"),
        ("a.jsonl", '{"text": "a"}\n{"claim": "b"}', "Line 2 of a.jsonl is not a record"),
        ("a.jsonl", '{"text": "a"}\n' + "[" * 200_000, "Line 2 .* nested too deeply"),
    ],
)
def test_broken_json_is_unreadable_and_the_place_is_named(name: str, content: str, told: str) -> None:
    with pytest.raises(UnreadableDocument, match=told):
        next(open_documents(content.encode(), name))


def test_a_broken_line_is_found_before_any_record_is_given() -> None:
    with pytest.raises(UnreadableDocument, match="Line 3"):
        next(open_documents(b'{"text": "a"}\n{"text": "b"}\nbroken', "a.jsonl"))


def test_an_empty_record_fails_alone() -> None:
    empty, full = open_documents(b'{"text": " "}\n{"text": "words"}', "a.jsonl")
    with pytest.raises(UnreadableDocument, match="holds no text"):
        list(empty.pages())
    assert text(full) == "words"


def test_lone_surrogates_become_storable() -> None:
    (document,) = open_documents(rb'{"title": "a\ud800b", "text": "x\udfffy", "k": "\ud800"}', "a.json")
    assert (document.header.title, text(document), document.header.metadata["k"]) == ("a�b", "x�y", "�")
    _, record = open_documents(rb'[{"text": "x"}, {"text": "\ud800"}]', "a.json")
    assert record.content
