"""What a child reads is what this process would read; and a child that dies, hangs or grows is replaced."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pymupdf
import pytest

from attack import bombs
from provgraph.adapters.child_memory import ChildMemory, held
from provgraph.adapters.reading_processes.pool import ReadingLimits, ReadingProcesses
from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.document_reader import DocumentReader, ReadsHere
from provgraph.errors import ProvGraphError, TooLarge, Unavailable, UnreadableDocument
from provgraph.ingestion.planning import SourceFile, planned_of

RECORDS = "\n".join(
    json.dumps({"id": str(number), "title": f"Radium {number}", "text": f"Text {number}.", "author": "Curie"})
    for number in range(300)
)
FILES = {
    "note.txt": b"Radium\n\nMarie Curie discovered radium.\fPage two \xe2\x82\xac.",
    "note.md": b"---\ntitle: Notes\ndate: 2019-03\n---\n# Radium\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "note.html": b"<html><head><title>R</title></head><body><p>Radium &amp; polonium.</p></body></html>",
    "table.csv": b"name,year\nradium,1898\n",
    "records.jsonl": RECORDS.encode(),
    "records.json": f"[{','.join(RECORDS.splitlines())}]".encode(),
    "broken.jsonl": b'{"text": "a"}\nno json\n',
    "half.jsonl": b'{"text": "radium"}\n{"text": " "}\n{"text": "polonium"}\n',
    "empty.txt": b"",
    "program.exe": b"MZ\x90\x00binary",
    "note.docx": bombs.docx("<w:p><w:r><w:t>Marie Curie</w:t></w:r></w:p>"),
    "nested.docx": bombs.nested_tables(),
}


@pytest.fixture(scope="module")
def processes() -> Iterator[ReadingProcesses]:
    made = ReadingProcesses(ReadingLimits(step_s=20))
    yield made
    made.close()


def read(reader: DocumentReader, name: str, content: bytes, media_type: str = "") -> list[object]:
    """Headers, contents, pages and errors, in the order in which they come."""
    found: list[object] = []
    documents = reader.read(content, name, media_type).documents()
    try:
        for document in documents:
            found += [document.header, document.content]
            try:
                found += list(document.pages())
            except ProvGraphError as error:
                found += [type(error), str(error)]
    except ProvGraphError as error:
        found += [type(error), str(error)]
    return found


def a_pdf() -> bytes:
    made = pymupdf.open()  # type: ignore[no-untyped-call]
    for number in range(3):
        made.new_page().insert_text((72, 72), f"Radium, page {number}")
    return bytes(made.tobytes())  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("name", FILES)
def test_a_child_reads_what_this_process_would(processes: ReadingProcesses, name: str) -> None:
    assert read(processes, name, FILES[name]) == read(ReadsHere(), name, FILES[name])


def test_a_child_reads_pdfs_and_declared_encodings(processes: ReadingProcesses) -> None:
    content = a_pdf()
    assert read(processes, "a.pdf", content) == read(ReadsHere(), "a.pdf", content)
    latin = "Skłodowska".encode("iso8859-2")
    declared = "text/plain; charset=iso8859-2"
    assert read(processes, "a.txt", latin, declared) == read(ReadsHere(), "a.txt", latin, declared)


def test_a_child_is_used_again(processes: ReadingProcesses) -> None:
    read(processes, "note.txt", FILES["note.txt"])
    (child,) = processes._warm
    read(processes, "note.txt", FILES["note.txt"])
    assert processes._warm == [child]


def test_a_file_that_takes_too_long_or_too_much_is_refused_and_the_next_one_is_read() -> None:
    processes = ReadingProcesses(ReadingLimits(1, step_s=3, memory=400_000_000))
    for name, content in (("slow.pdf", bombs.twice_deflated_pdf()),):
        *_, kind, message = read(processes, name, content)
        assert isinstance(kind, type)
        assert issubclass(kind, ProvGraphError)
        assert name in str(message)
        assert len(read(processes, "note.txt", FILES["note.txt"])) == 4
    processes.close()


@pytest.mark.slow
def test_a_file_that_says_far_more_than_its_size_is_refused(processes: ReadingProcesses) -> None:
    *_, kind, message = read(processes, "wide.docx", bombs.wide_cells(10_000))
    assert kind is TooLarge
    assert "decompresses" in str(message)


@pytest.mark.slow
def test_a_file_that_is_given_up_is_refused_once(processes: ReadingProcesses) -> None:
    file = SourceFile("wide.docx", bombs.wide_cells())
    reading = processes.read(file.content, file.name)
    (refused,) = planned_of(reading.documents(), file, ChunkingSettings())
    assert isinstance(refused, TooLarge)


@pytest.mark.slow
def test_two_files_that_need_much_memory_have_no_more_together_than_one() -> None:
    processes = ReadingProcesses(ReadingLimits(2, step_s=20))
    found: list[list[object]] = []
    reading = [
        threading.Thread(target=lambda: found.append(read(processes, "a.pdf", bombs.twice_deflated_pdf())))
        for _ in range(2)
    ]
    most = 0
    for each in reading:
        each.start()
    while any(each.is_alive() for each in reading):
        most = max(most, held_by_readers())
        time.sleep(0.02)
    assert most < 650_000_000
    assert all(issubclass(told[-2], ProvGraphError) for told in found)  # type: ignore[arg-type]
    processes.close()


@pytest.mark.slow
def test_one_of_several_children_has_no_more_than_its_share_whoever_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The kernel's limit holds by itself, however late the watch of all of them comes on a busy machine."""
    monkeypatch.setattr(ChildMemory, "_end_largest", lambda _: None)
    limits = ReadingLimits(2, step_s=20)
    processes, most = ReadingProcesses(limits), 0
    reading = threading.Thread(target=read, args=(processes, "a.pdf", bombs.twice_deflated_pdf()))
    reading.start()
    while reading.is_alive():
        most = max(most, held_by_readers())
        time.sleep(0.01)
    processes.close()
    assert most < limits.own_memory + 20_000_000
    assert 2 * limits.own_memory < 600_000_000


def test_a_small_file_is_read_while_a_large_one_takes_its_time() -> None:
    processes = ReadingProcesses(ReadingLimits(1))
    reading = processes.read(bombs.twice_deflated_pdf() + bytes(300_000), "slow.pdf")

    def read_slowly() -> None:
        with suppress(ProvGraphError):
            list(reading.documents())

    slow = threading.Thread(target=read_slowly)
    slow.start()
    while not children_of_all_threads():
        time.sleep(0.01)
    assert len(read(processes, "note.txt", FILES["note.txt"])) == 4
    assert slow.is_alive()
    reading.stop()
    slow.join()
    processes.close()


def held_by_readers() -> int:
    """Of this process's readers alone: it may have started servers for other tests."""
    return sum(map(held, children_of_all_threads()))


def test_a_child_that_somebody_else_killed_is_replaced_and_the_file_read() -> None:
    processes = ReadingProcesses(ReadingLimits(1))
    read(processes, "note.txt", FILES["note.txt"])
    os.kill(processes._warm[0]._process.pid, signal.SIGKILL)
    assert len(read(processes, "note.txt", FILES["note.txt"])) == 4
    processes.close()


def test_a_file_that_kills_its_reader_twice_is_refused_and_not_read_again() -> None:
    processes = ReadingProcesses(ReadingLimits(1))
    killed, ended = set[int](), threading.Event()

    def kill_each() -> None:
        while not ended.wait(0.02):
            for child in children_of_all_threads():
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
                killed.add(child)

    killing = threading.Thread(target=kill_each)
    killing.start()
    *_, kind, message = read(processes, "slow.pdf", bombs.twice_deflated_pdf())
    ended.set()
    killing.join()
    assert kind is UnreadableDocument
    assert "twice" in str(message)
    assert len(killed) >= 2
    assert len(read(processes, "note.txt", FILES["note.txt"])) == 4
    processes.close()


def children_of_all_threads() -> list[int]:
    return [
        int(child)
        for path in Path("/proc/self/task").glob("*/children")
        for child in path.read_text().split()
        if b"reading_processes" in command_of(child)
    ]


def command_of(process: str) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""  # it has ended


def test_a_reading_that_is_stopped_ends_at_once() -> None:
    processes = ReadingProcesses(ReadingLimits(1))
    reading = processes.read(bombs.twice_deflated_pdf(), "slow.pdf")
    stopping = threading.Timer(1, reading.stop)
    stopping.start()
    begun = time.monotonic()
    with pytest.raises((Unavailable, UnreadableDocument)):
        [list(document.pages()) for document in reading.documents()]
    assert time.monotonic() - begun < 10
    stopping.join()
    processes.close()
