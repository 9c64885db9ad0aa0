"""`provgraph ingest` with a model: the same command, over HTTP, with what the model did and what failed told."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.commands import invoke
from servers.openai_server import Answer, OpenAIServer

pytestmark = pytest.mark.slow

QUOTE = "BERT uses attention."
FACT = {"subject": "BERT", "subject_type": "METHOD", "relation": "USES", "object": "attention",
        "object_type": "CONCEPT", "quote": QUOTE}  # fmt: skip
GOOD = Answer(json.dumps({"facts": [FACT, FACT | {"quote": "BERT is fast."}]}))


@pytest.fixture
def paper(folder_with_model: Path, tmp_path: Path) -> Path:
    path = tmp_path / "paper.txt"
    path.write_text(QUOTE)
    return path


def test_a_file_is_read_by_the_named_extractors(paper: Path, model_server: OpenAIServer) -> None:
    model_server.answer(GOOD)
    done = invoke(
        "ingest", "--extractor", "relationships", "--extractor", "definitions", "--format", "json", str(paper)
    )
    assert done.exit_code == 0, done.output
    (job,) = json.loads(done.stdout)
    assert len(model_server.asked) == 2
    assert (job["model"]["calls"], job["model"]["dropped"]) == (2, {"quote not found": 2})
    assert job["failed"] == []


def test_the_shipped_ontology_guides_and_is_checked(paper: Path, model_server: OpenAIServer) -> None:
    model_server.answer(GOOD)
    done = invoke("ingest", "--ontology", "research", str(paper))
    assert done.exit_code == 0, done.output
    assert "1 call of the model" in done.stderr
    assert "1 proposal dropped (1 quote not found)." in done.stderr
    query = "SELECT ?o { ?s <https://trustgraph.ai/ns/research#USES> ?o }"
    assert "attention" in invoke("sparql", query).stdout
    assert invoke("check", "--all").exit_code == 0


def test_what_failed_is_told_with_what_to_do(paper: Path, model_server: OpenAIServer) -> None:
    model_server.answer(Answer("bad key", 401))
    done = invoke("ingest", str(paper))
    assert done.exit_code == 1
    assert "1 chunk of paper.txt not read by agent" in done.stderr
    assert "Set OPENAI_API_KEY" in done.stderr
    model_server.answer(GOOD)
    again = invoke("ingest", "--max-tokens", "100000", str(paper))
    assert again.exit_code == 0, again.output


def test_a_document_that_no_model_could_read_is_not_called_unchanged_and_is_found_by_its_words(
    paper: Path, model_server: OpenAIServer
) -> None:
    model_server.answer(Answer("bad key", 401))
    done = invoke("ingest", "--extractor", "agent", str(paper))
    assert "1 page, 1 chunk, 1 of 1 chunk could not be read\n" in done.stdout
    assert "provgraph ingest --retry" in done.stderr
    found = json.loads(invoke("retrieve", "--format", "json", "Who uses attention?").stdout)
    assert [chunk["text"] for chunk in found["chunks"]] == [QUOTE]
    assert (
        "unchanged; 1 of 1 chunk could not be read"
        in invoke("ingest", str(paper), "--extractor", "agent").stdout
    )
    model_server.answer(Answer('{"facts": []}'))
    assert "1 page, 1 chunk, no facts\n" in invoke("ingest", "--retry").stdout


def test_only_where_rules_alone_read_is_it_said_what_they_read(
    paper: Path, model_server: OpenAIServer
) -> None:
    paper.write_text("Αλφα βητα.")
    assert "no facts (rules found none" in invoke("ingest", "--extractor", "model-free", str(paper)).stdout
    model_server.answer(Answer('{"facts": []}'))
    paper.write_text("Γαμμα δελτα.")
    assert "no facts\n" in invoke("ingest", str(paper)).stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--extractor", "ontology-guided"], "needs an ontology"),
        (["--ontology", "nowhere.ttl"], "There is no ontology nowhere.ttl"),
        (["--ontology", "research", "--extractor", "agent"], "Add the extractor ontology-guided"),
        (["--max-tokens", "0"], "--max-tokens"),
    ],
)
def test_options_that_cannot_be_are_told(
    paper: Path, model_server: OpenAIServer, arguments: list[str], said: str
) -> None:
    done = invoke("ingest", *arguments, str(paper))
    assert done.exit_code != 0
    assert said in done.stderr
    assert model_server.asked == []


def test_without_a_model_its_package_is_not_imported() -> None:
    command = "import sys, provgraph.cli, provgraph.assembly; sys.exit('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", command], check=False).returncode == 0
