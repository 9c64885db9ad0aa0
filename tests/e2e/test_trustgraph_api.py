"""The Python API behind TrustGraph's commands, as published, against a service."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from e2e.commands import PATIENCE_S, Serving, environment, run
from e2e.trustgraph_client import TrustGraphClient, programs

pytestmark = pytest.mark.slow

ANSWER = "Marie Curie discovered polonium in 1898."
QUESTION = "Who discovered polonium?"
STEPS = ["exploration", "focus", "grounding", "question", "synthesis"]


@pytest.fixture(scope="module")
def tg(empty_service: Serving, tmp_path_factory: pytest.TempPathFactory) -> TrustGraphClient:
    paper = tmp_path_factory.mktemp("trustgraph-api") / "curie.md"
    paper.write_text(f"# The Curies\n\n{ANSWER} She was born in Warsaw.\n")
    run("ingest", "--url", empty_service.url, "--id", "https://example.org/curie", paper)
    return TrustGraphClient(programs(), empty_service.url, empty_service.token)


@pytest.fixture(scope="module")
def seen(tg: TrustGraphClient) -> dict[str, Any]:
    """What a program of the client's own interpreter saw."""
    program = Path(__file__).with_name("trustgraph_api_session.py")
    ended = subprocess.run(
        [tg.folder / "python", program, tg.url, tg.token],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    said: dict[str, Any] = json.loads(ended.stdout)
    return said


def test_questions_are_answered_by_request(seen: dict[str, Any]) -> None:
    assert seen["graph_rag"].startswith(ANSWER)
    assert seen["document_rag"].startswith(ANSWER)


def test_questions_are_answered_and_explained_as_they_stream(seen: dict[str, Any]) -> None:
    assert seen["graph_text"] == seen["graph_rag"]
    assert seen["document_text"] == seen["document_rag"]
    assert seen["graph_events"] == ["Question", "Grounding", "Exploration", "Focus", "Synthesis"]
    assert [step for step in seen["document_events"] if step != "Focus"] == [
        step for step in seen["graph_events"] if step != "Focus"
    ]


def test_traces_are_fetched_by_the_explainability_client(seen: dict[str, Any]) -> None:
    assert seen["trace"]["steps"] == STEPS
    assert ["polonium", "was discovered by", "Marie Curie"] in seen["trace"]["edges"]
    assert seen["document_trace"] == {
        "steps": [step for step in STEPS if step != "focus"],
        "chunks": 1,
        "kind": "docrag",
    }
    assert set(seen["sessions"]) == {QUESTION}


def test_all_facts_of_a_collection_are_exported_in_bulk(seen: dict[str, Any], tg: TrustGraphClient) -> None:
    shown = [line for line in tg("tg-show-graph", "-g", "").out.splitlines() if line]
    assert "http://trustgraph.ai/e/polonium" in seen["exported"]
    assert len(seen["exported"]) == len(shown)


def test_the_sample_documents_of_the_package_are_added_to_the_library(tg: TrustGraphClient) -> None:
    loaded = tg("tg-load-sample-documents")
    listed = tg("tg-show-library-documents").out
    assert loaded.status == 0, loaded
    assert "FAILED" not in loaded.out
    names = re.findall(r"^  \[\S+\] (.+)$", loaded.out, re.MULTILINE)
    assert len(names) == loaded.out.count("    done.") > 1
    assert [name for name in names if name[:30] not in listed] == []


def test_the_store_is_sound_with_traces_of_both_kinds(seen: dict[str, Any], tg: TrustGraphClient) -> None:
    assert seen["document_trace"]["chunks"] == 1
    checked = run("check", "--all", "--url", tg.url)
    assert checked.status == 0, checked
