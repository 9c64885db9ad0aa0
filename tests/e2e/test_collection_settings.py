"""`provgraph collection`, and what `ingest`, `ask`, their options and their twins make of it, at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.model_service import good, step
from e2e.commands import environment, invoke
from provgraph.cli.twins import invoke_graph_rag
from servers.openai_server import Answer, Asked, OpenAIServer

SAID = "Marie Curie discovered polonium in 1898."


def reading(asked: Asked) -> Answer:
    return Answer('{"facts": []}') if "<text>" in asked.user else good()(asked)


@pytest.fixture
def paper(folder_with_model: Path, tmp_path: Path, model_server: OpenAIServer) -> Path:
    model_server.answer(reading)
    path = tmp_path / "curie.txt"
    path.write_text(SAID)
    return path


def test_what_is_set_is_shown_and_taken_back(paper: Path) -> None:
    set_ = invoke("collection", "lab", "--engine", "model-free", "--corrective", "--ontology", "research")
    assert set_.exit_code == 0, set_.output
    assert "corrective: yes" in set_.stdout
    assert "ontology: research.ttl (SHA-256" in set_.stdout
    assert invoke("collection").stdout.split("\n")[:2] == ["default", "lab"]
    assert invoke("collection", "lab", "--unset", "engine", "--unset", "ontology").exit_code == 0
    assert json.loads(invoke("collection", "lab", "--format", "json").stdout)["settings"]["engine"] == ""
    assert "ontology" not in invoke("collection", "lab").stdout
    assert invoke("check", "--all", "-C", "lab").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "There is no collection 'nowhere'"),
        (["--engine", "model"], "Name the collection"),
        (["lab", "--ontology", "nowhere.ttl"], "There is no ontology nowhere.ttl"),
        (["lab", "--method", "magic"], "There is no retrieval method 'magic'"),
        (["lab/../x", "--engine", "model"], "is not a collection name"),
        (["explainability", "--engine", "model"], "where traces are kept"),
    ],
)
def test_what_cannot_be_set_is_told(paper: Path, arguments: list[str], said: str) -> None:
    done = invoke("collection", *arguments)
    assert done.exit_code != 0
    assert said in done.stderr


def test_a_question_is_checked_and_reranked_where_it_asks(paper: Path, model_server: OpenAIServer) -> None:
    assert invoke("ingest", "--extractor", "model-free", str(paper)).exit_code == 0
    question = "Who discovered polonium?"
    done = invoke("ask", "--explain", "--corrective", "--rerank", "model", question)
    assert done.exit_code == 0, done.output
    assert "  Relevant: It names polonium." in done.stderr
    assert "Reranked: 9 of 10" in done.stderr
    session = invoke("traces").stdout.split()[-1]
    told = invoke("trace", session).stdout
    assert "[check]\n  Relevant: It names polonium.\n    as tiny found" in told
    assert "edge(s) scored by tiny" in told
    assert invoke("check", "--all").exit_code == 0
    model_server.asked.clear()
    checked = ["-q", question, "-x", "--corrective", "--rerank", "model", "--method", "bm25"]
    twin = CliRunner().invoke(invoke_graph_rag, checked, env=environment())
    assert twin.exit_code == 0, twin.output
    assert [step(asked) for asked in model_server.asked][1:3] == ["check", "reranking"]
    model_server.asked.clear()
    without = ["-q", question, "--engine", "model-free"]
    assert CliRunner().invoke(invoke_graph_rag, without, env=environment()).exit_code == 0
    assert model_server.asked == []


def test_what_failed_is_counted_and_read_again(paper: Path, model_server: OpenAIServer) -> None:
    model_server.answer(Answer("busy", 500))
    assert invoke("ingest", str(paper)).exit_code == 1
    assert "1 chunk failed" in invoke("documents").stdout
    assert invoke("ingest", "--retry").exit_code == 1
    model_server.answer(reading)
    paper.unlink()
    done = invoke("ingest", "--retry")
    assert done.exit_code == 0, done.output
    assert "failed" not in invoke("documents").stdout
    assert invoke("ingest").exit_code == 2
