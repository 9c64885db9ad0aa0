"""`provgraph ask` with a model set: the same command, and what to do without it for one question."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.commands import invoke
from servers.openai_server import Answer, OpenAIServer

SAID = "Marie Curie discovered polonium in 1898."
ANSWER = f"Marie Curie\n\n{SAID}"
"""What the terminal shows: the short answer, and the sentence that proves it."""


@pytest.fixture
def library(folder_with_model: Path, tmp_path: Path) -> Path:
    path = tmp_path / "curie.txt"
    path.write_text(SAID)
    assert invoke("ingest", "--extractor", "propositions", path).exit_code == 0
    return folder_with_model


@pytest.mark.usefixtures("library")
def test_a_model_that_fails_is_warned_of_and_the_answer_comes_all_the_same(
    model_server: OpenAIServer,
) -> None:
    model_server.answer(Answer("bad key", 401))
    done = invoke("ask", "Who discovered polonium?")
    assert (done.exit_code, done.stdout.strip()) == (0, ANSWER)
    assert "warning: " in done.stderr
    assert "Set OPENAI_API_KEY" in done.stderr
    session = invoke("traces").stdout.split()[-1]
    told = invoke("trace", session).stdout
    assert "[warning] " in told
    assert "urn:trustgraph:prompt:" in told
    assert invoke("check", "--all").exit_code == 0


@pytest.mark.usefixtures("library")
def test_a_question_can_do_without_the_model(model_server: OpenAIServer) -> None:
    done = invoke("ask", "--engine", "model-free", "Who discovered polonium?")
    assert (done.exit_code, done.stdout.strip()) == (0, ANSWER)
    assert "warning" not in done.stderr
    assert model_server.asked == []
