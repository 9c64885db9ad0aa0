"""`provgraph ask` with a model set: the same command, and what to do without it for one question."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from provgraph.cli.program import main
from servers.openai_server import Answer, OpenAIServer

SAID = "Marie Curie discovered polonium in 1898."


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model_server: OpenAIServer) -> Path:
    monkeypatch.setenv("PROVGRAPH_DATA", str(tmp_path / "data"))
    path = tmp_path / "curie.txt"
    path.write_text(SAID)
    assert run("ingest", str(path)).exit_code == 0
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)
    monkeypatch.setenv("PROVGRAPH_LLM_MODEL", "tiny")
    monkeypatch.setenv("PROVGRAPH_LLM_RETRIES", "0")
    return path


@pytest.mark.usefixtures("library")
def test_a_model_that_fails_is_warned_of_and_the_answer_comes_all_the_same(
    model_server: OpenAIServer,
) -> None:
    model_server.answer(Answer("bad key", 401))
    done = run("ask", "Who discovered polonium?")
    assert (done.exit_code, done.stdout.strip()) == (0, SAID)
    assert "warning: " in done.stderr
    assert "Set OPENAI_API_KEY" in done.stderr
    session = run("traces").stdout.split()[-1]
    told = run("trace", session).stdout
    assert "[warning] " in told
    assert "urn:trustgraph:prompt:" in told
    assert run("check", "--all").exit_code == 0


@pytest.mark.usefixtures("library")
def test_a_question_can_do_without_the_model(model_server: OpenAIServer) -> None:
    done = run("ask", "--engine", "model-free", "Who discovered polonium?")
    assert (done.exit_code, done.stdout.strip()) == (0, SAID)
    assert "warning" not in done.stderr
    assert model_server.asked == []
