"""Commands that cannot be done: one sentence on stderr, and an exit status that says so."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from e2e.commands import invoke
from e2e.conftest import QUESTION, Filled
from provgraph.cli.twins import invoke_graph_rag

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "arguments",
    [
        ["--nothing"],
        ["nothing"],
        ["ask"],
        ["ask", "--colection", "a", QUESTION],
        ["retrieve", "--limit", "0", QUESTION],
        ["retrieve", "--set", "k1=nan", QUESTION],
        ["retrieve", "--set", "k1=-1e309", QUESTION],
        ["trace", "--format", "pdf", "1"],
        ["serve", "--port", "70000"],
        ["serve", "nothing"],
        ["import", "absent.ttl"],
        ["extract", "absent.txt"],
        ["traces", "--limit", "many"],
    ],
)
def test_a_wrong_option_shows_the_usage(arguments: list[str]) -> None:
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith("Usage: ")
    assert "--help" in done.stderr
    assert done.stdout == ""


def test_trustgraphs_command_needs_a_question() -> None:
    done = CliRunner().invoke(invoke_graph_rag, [])
    assert done.exit_code == 2
    assert "--question" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["ask", ""], "question is empty"),
        (["ask", "Who? " * 20_000], "8,000"),
        (["ask", "--collection", "absent", QUESTION], "no collection 'absent'"),
        (["retrieve", "--method", "luck", QUESTION], "'luck'"),
        (["documents", "--collection", "no name"], "collection name"),
        (["document", "https://example.org/absent"], "provgraph documents"),
        (["document", "no iri"], "no document"),
        (["trace", "absent"], "provgraph traces"),
        (["trace", "a/b?c#d"], "provgraph traces"),
        (["sparql", "SELECT"], "line 1"),
        (["sparql", "@absent.rq"], "absent.rq"),
        (["sparql", "DROP ALL"], "read"),
        (["export", "--output", "/absent/all.nq"], "--output"),
        (["ingest", "/absent"], "/absent"),
        (["check", "--collection", "absent"], "no collection 'absent'"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(filled: Filled, arguments: list[str], says: str) -> None:
    done = invoke(arguments[0], "--data", filled.data, *arguments[1:])
    assert done.exit_code == 1
    assert done.stdout == ""
    assert says in done.stderr
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1", "nonsense", "ftp://example.org", "http://127.0.0.1:port"]
)
def test_a_service_that_is_not_there(url: str) -> None:
    for arguments in (["traces", "--url", url], ["ask", "--url", url, QUESTION]):
        done = invoke(*arguments)
        assert done.exit_code == 1
        assert "provgraph serve" in done.stderr
        assert url in done.stderr


def test_a_folder_of_a_newer_version_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "provgraph.json").write_text(json.dumps({"layout": 99}))
    done = invoke("serve", "--port", "0", "--data", tmp_path)
    assert done.exit_code == 1
    assert "newer version" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["provgraph.json"]


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for arguments in (["serve", "--port", "0"], ["ingest", str(tmp_path / "file")]):
        done = invoke(arguments[0], "--data", tmp_path / "file" / "data", *arguments[1:])
        assert done.exit_code == 1
        assert "--data" in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = invoke("serve", "--data", tmp_path / "data", "--port", str(taken.getsockname()[1]))
    assert done.exit_code == 1
    assert "--port" in done.stderr
    assert "serves" not in done.stderr


def test_an_address_for_everybody_without_a_token(tmp_path: Path) -> None:
    done = invoke("serve", "--data", tmp_path / "data", "--port", "0", "--host", "0.0.0.0")
    assert done.exit_code == 1
    assert "PROVGRAPH_TOKEN" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_wrong_setting_is_named(tmp_path: Path) -> None:
    done = invoke("traces", "--data", tmp_path, PROVGRAPH_PORT="eighty")
    assert done.exit_code == 1
    assert "PROVGRAPH_PORT" in done.stderr
