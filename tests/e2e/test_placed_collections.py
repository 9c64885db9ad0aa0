"""All commands with a collection on a server of its own: what a person sees is what one store shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from e2e.commands import Done, run_here
from servers.oxigraph_server import OxigraphServer

pytestmark = pytest.mark.slow

BELL = "# Pulsars\n\nJocelyn Bell discovered pulsars in 1967. She was born in Lurgan.\n"
QUESTION = "Who discovered pulsars?"


def test_a_collection_on_a_server_of_its_own_is_read_asked_checked_copied_and_taken_back(
    oxigraph: OxigraphServer, other_oxigraph: OxigraphServer, tmp_path: Path
) -> None:
    (tmp_path / "bell.md").write_text(BELL)
    stores = {
        "PROVGRAPH_STORE_URL": oxigraph.url,
        "PROVGRAPH_COLLECTION_STORES": f"papers={other_oxigraph.url}",
    }

    def run(*arguments: str | Path) -> Done:
        done = run_here(*arguments, "--data", tmp_path / "data", env=stores)
        assert done.status == 0 or arguments[0] == "compact", done.err
        return done

    run("ingest", "--collection", "papers", "--id", "https://example.org/bell", tmp_path / "bell.md")
    answer = json.loads(run("ask", "--collection", "papers", "--format", "json", QUESTION).out)
    assert "Jocelyn Bell discovered pulsars in 1967." in run("trace", answer["session"]).out
    assert "Sound" in run("check", "--all", "--collection", "papers").out
    assert "papers" in run("collection").out
    refused = run("compact")
    assert refused.status != 0
    assert "oxigraph dump" in refused.err

    run("backup", tmp_path)
    (file,) = tmp_path.glob("*.zip")
    assert run_here("restore", "--data", tmp_path / "restored", file).status == 0
    restored = run_here("ask", "--collection", "papers", QUESTION, "--data", tmp_path / "restored")
    assert "Jocelyn Bell" in restored.out

    run("delete", "https://example.org/bell", "--collection", "papers", "--yes")
    assert QUESTION in run("traces", "--stale").out


def test_a_setting_that_is_none_is_told_in_one_sentence(oxigraph: OxigraphServer, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    env = {"PROVGRAPH_STORE_URL": oxigraph.url, "PROVGRAPH_COLLECTION_STORES": "papers http://127.0.0.1:7879"}
    done = run_here("documents", "--data", tmp_path / "data", env=env)
    assert done.status != 0
    assert "Write it like papers=http://127.0.0.1:7879" in done.err
