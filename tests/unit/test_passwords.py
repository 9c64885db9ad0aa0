"""A password that stands in an address is not shown, logged or kept."""

from __future__ import annotations

import io
import logging
import time

import pytest

from provgraph.documents.metadata import read_metadata
from provgraph.documents.readers.text import one_line
from provgraph.errors import InvalidInput, Unavailable
from provgraph.gateway.activity import JsonLogFormatter
from provgraph.gateway.repeated_logs import NoPasswords
from provgraph.passwords import without_passwords
from provgraph.rdf.iris import document_iri

SECRET = "hunter2"


@pytest.mark.parametrize(
    ("address", "told"),
    [
        (f"https://curie:{SECRET}@host/a?b=c", "https://host/a?b=c"),
        (f"nats://curie:{SECRET}@host:4222, nats://b:{SECRET}@other", "nats://host:4222, nats://other"),
        (f"'http://curie:pa/{SECRET}@host'", "'http://host'"),
        (f"http://:{SECRET}@host", "http://host"),
        (f"http://{SECRET}@host", "http://host"),
        (f"http://curie:1@{SECRET}@host", "http://host"),
        ("http://host:8080/@curie/a@b", "http://host:8080/@curie/a@b"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        ("http://host/?to=a@b", "http://host/?to=a@b"),
        ("mail curie@host and http://host", "mail curie@host and http://host"),
    ],
)
def test_an_address_is_told_without_its_password(address: str, told: str) -> None:
    assert without_passwords(address) == told


@pytest.mark.parametrize("text", ["://a:b" * 20_000 + "@", "://" * 50_000 + "@", "://" + "a:" * 50_000 + "@"])
def test_it_takes_no_longer_than_the_text_is_long(text: str) -> None:
    begun = time.thread_time()
    without_passwords(text)
    assert time.thread_time() - begun < 1


def test_no_error_tells_one() -> None:
    error = Unavailable(f"The store at http://curie:{SECRET}@host cannot be reached.")
    assert str(error) == "The store at http://host cannot be reached."


@pytest.mark.parametrize("formatter", [logging.Formatter(), JsonLogFormatter()])
def test_no_line_of_the_log_holds_one(formatter: logging.Formatter) -> None:
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(formatter)
    handler.addFilter(NoPasswords())
    try:
        raise OSError(f"GET https://curie:{SECRET}@host/")
    except OSError as error:
        record = logging.LogRecord("a", 40, "", 1, "%s", (f"http://c:{SECRET}@host",), (OSError, error, None))
    handler.handle(record)
    assert "http://host" in written.getvalue()
    assert "https://host/" in written.getvalue()
    assert SECRET not in written.getvalue()


def test_none_is_kept_with_a_document() -> None:
    address = f"https://curie:{SECRET}@host/report.pdf"
    assert one_line(address) == "https://host/report.pdf"
    assert read_metadata([("url", address)]).entries == (("url", "https://host/report.pdf"),)
    with pytest.raises(InvalidInput, match="without"):
        document_iri(b"", address)
