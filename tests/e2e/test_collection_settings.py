"""`provgraph collection`, and what `ingest`, `ask`, their options and their twins make of it, at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from api.model_service import good, step
from provgraph.cli.program import main
from provgraph.cli.twins import invoke_graph_rag
from servers.openai_server import Answer, Asked, OpenAIServer

SAID = "Marie Curie discovered polonium in 1898."


def reading(asked: Asked) -> Answer:
    return Answer('{"facts": []}') if "<text>" in asked.user else good()(asked)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.fixture
def paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model_server: OpenAIServer) -> Path:
    monkeypatch.setenv("PROVGRAPH_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)
    monkeypatch.setenv("PROVGRAPH_LLM_MODEL", "tiny")
    monkeypatch.setenv("PROVGRAPH_LLM_RETRIES", "0")
    model_server.answer(reading)
    path = tmp_path / "curie.txt"
    path.write_text(SAID)
    return path


def test_what_is_set_is_shown_and_taken_back(paper: Path) -> None:
    set_ = run("collection", "lab", "--engine", "model-free", "--corrective", "--ontology", "research")
    assert set_.exit_code == 0, set_.output
    assert "corrective: yes" in set_.stdout
    assert "ontology: research.ttl (SHA-256" in set_.stdout
    assert run("collection").stdout.split("\n")[:2] == ["default", "lab"]
    assert run("collection", "lab", "--unset", "engine", "--unset", "ontology").exit_code == 0
    assert json.loads(run("collection", "lab", "--format", "json").stdout)["settings"]["engine"] == ""
    assert "ontology" not in run("collection", "lab").stdout
    assert run("check", "--all", "-C", "lab").exit_code == 0


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
    done = run("collection", *arguments)
    assert done.exit_code != 0
    assert said in done.stderr


def test_a_question_is_checked_and_reranked_where_it_asks(paper: Path, model_server: OpenAIServer) -> None:
    assert run("ingest", "--extractor", "model-free", str(paper)).exit_code == 0
    question = "Who discovered polonium?"
    done = run("ask", "--explain", "--corrective", "--rerank", "model", question)
    assert done.exit_code == 0, done.output
    assert "  Relevant: It names polonium." in done.stderr
    assert "Reranked: 9 of 10" in done.stderr
    session = run("traces").stdout.split()[-1]
    told = run("trace", session).stdout
    assert "[check]\n  Relevant: It names polonium.\n    as tiny found" in told
    assert "edge(s) scored by tiny" in told
    assert run("check", "--all").exit_code == 0
    model_server.asked.clear()
    twin = CliRunner().invoke(
        invoke_graph_rag, ["-q", question, "-x", "--corrective", "--rerank", "model", "--method", "bm25"]
    )
    assert twin.exit_code == 0, twin.output
    assert [step(asked) for asked in model_server.asked][1:3] == ["check", "reranking"]
    model_server.asked.clear()
    assert CliRunner().invoke(invoke_graph_rag, ["-q", question, "--engine", "model-free"]).exit_code == 0
    assert model_server.asked == []


def test_what_failed_is_counted_and_read_again(paper: Path, model_server: OpenAIServer) -> None:
    model_server.answer(Answer("busy", 500))
    assert run("ingest", str(paper)).exit_code == 1
    assert "1 chunk failed" in run("documents").stdout
    assert run("ingest", "--retry").exit_code == 1
    model_server.answer(reading)
    paper.unlink()
    done = run("ingest", "--retry")
    assert done.exit_code == 0, done.output
    assert "failed" not in run("documents").stdout
    assert run("ingest").exit_code == 2
