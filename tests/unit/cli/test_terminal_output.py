"""What documents and file names say reaches a terminal as text, and no file stops the ingest of the others."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from provgraph.cli.program import main
from provgraph.cli.terminal import harmless, json_text

HOSTILE = "\x1b[31m\x07\x9b2J\u202e\r\x7f"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, color=True)


@given(st.text())
def test_json_says_what_was_said_and_shows_no_control_character(text: str) -> None:
    written = json_text([text])
    assert json.loads(written) == [text]
    assert harmless(written) == written


def test_text_of_any_script_is_shown_as_it_is() -> None:
    text = "Zürich\t김철수\n\u200fשלום\u200e – «café» 👩\u200d🔬"
    assert harmless(text) == text


def test_a_title_cannot_command_the_terminal(tmp_path: Path) -> None:
    record = {"text": "Marie Curie discovered polonium.", "title": f"T{HOSTILE}", "id": "x"}
    (tmp_path / "a.json").write_text(json.dumps(record))
    data = str(tmp_path / "data")
    shown = run("ingest", "--data", data, str(tmp_path / "a.json")).output
    for command in (
        ["documents"],
        ["documents", "--format", "json"],
        ["document", "urn:trustgraph:doc:x"],
        ["ask", "--explain", f"Who discovered polonium {HOSTILE}?"],
        ["traces"],
    ):
        result = run(*command, "--data", data)
        assert result.exit_code == 0, result.output
        shown += result.output
    assert harmless(shown) == shown


def test_a_missing_file_is_named_without_its_escapes(tmp_path: Path) -> None:
    output = run("ingest", "--data", str(tmp_path / "data"), f"nothing{HOSTILE}").output
    assert "nothing" in output
    assert harmless(output) == output


@pytest.mark.skipif(os.name != "posix", reason="names of bytes and pipes")
def test_odd_names_and_pipes_do_not_stop_the_others(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    for number, name in enumerate((b"a\xff.txt", b"b\nc.txt", b'd"e\x1b[2J.txt', b"f.txt")):
        (folder / os.fsdecode(name)).write_text(f"Marie Curie discovered element {number}.")
    result = run("ingest", "--data", str(tmp_path / "data"), str(pipe), str(folder))
    assert result.exit_code == 1
    assert "4 documents" in result.output
    assert "is a pipe or a device" in result.output
