"""A log that nobody reads stops nobody, and says afterwards what is missing."""

from __future__ import annotations

import os
import threading

import pytest

from provgraph.gateway.unblocked_stderr import UnblockedText

LINE = "x" * 999 + "\n"


def test_lines_that_nobody_reads_stop_nobody_and_are_counted() -> None:
    reading, writing = os.pipe()
    text = UnblockedText(writing)
    writer = threading.Thread(target=lambda: [text.write(LINE) for _ in range(5000)], daemon=True)
    writer.start()
    writer.join(30)
    assert not writer.is_alive()
    came = b""
    while b"left out" not in came:
        came += os.read(reading, 65_536)
        text.write("next\n")
    assert LINE.encode() in came
    assert len(came) < 5000 * len(LINE)


def test_all_that_is_read_comes_in_its_order() -> None:
    reading, writing = os.pipe()
    text = UnblockedText(writing)
    print("one", "two", file=text)
    print("drei \u00fc \ud800", file=text)
    text.drain(10)
    assert os.read(reading, 1000) == b"one two\ndrei \xc3\xbc \\ud800\n"
    with pytest.raises(TypeError):
        text.write(b"bytes")  # type: ignore[arg-type]


def test_a_reader_that_has_gone_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    text = UnblockedText(writing)
    written = [text.write(LINE), text.write(LINE)]
    text.drain(10)
    assert written == [len(LINE), len(LINE)]
