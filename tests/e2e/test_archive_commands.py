"""Archives, backups, purges and other forms of facts and traces, as a user types them."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from e2e.commands import PROGRAMS, Serving, environment, invoke, run_here
from e2e.conftest import QUESTION, Filled

pytestmark = pytest.mark.slow


def test_a_collection_goes_into_an_archive_and_comes_out_elsewhere(filled: Filled, tmp_path: Path) -> None:
    archive = tmp_path / "all.provgraph.zip"
    written = run_here("export", "--archive", "--data", filled.data, "--output", archive)
    assert (written.status, written.out) == (0, "")
    assert zipfile.ZipFile(archive).testzip() is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["all.provgraph.zip"]
    taken = run_here("import", "--data", tmp_path / "data", "--collection", "papers", archive)
    assert taken.status == 0
    documents = json.loads(run_here("documents", "--format", "json", "--data", filled.data).out)
    assert re.match(rf"papers: {len(documents)} documents? and \d+ traces?;", taken.out), taken.out
    again = run_here("import", "--data", tmp_path / "data", "--collection", "papers", archive)
    assert again.out.endswith("nothing new.\n")
    checked = run_here("check", "--all", "--data", tmp_path / "data", "--collection", "papers")
    assert (checked.status, checked.out[:5]) == (0, "Sound")
    trace = run_here("trace", "--data", tmp_path / "data", filled.session)
    assert "Chunk 1 → Page 1 → The Curies" in trace.out


def test_a_damaged_archive_is_told_in_a_line_and_nothing_is_left(filled: Filled, tmp_path: Path) -> None:
    archive = tmp_path / "all.zip"
    run_here("export", "--archive", "--data", filled.data, "--output", archive)
    archive.write_bytes(archive.read_bytes()[:-500])
    done = run_here("import", "--data", tmp_path / "data", archive)
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("Error: It is not a ZIP file, or its end is missing.")
    assert run_here("documents", "--data", tmp_path / "data").out == ""


def test_an_archive_needs_a_file(filled: Filled) -> None:
    done = invoke("export", "--archive", "--data", filled.data)
    assert done.exit_code == 1
    assert "--output FILE" in done.stderr


def test_a_served_folder_is_backed_up_and_restored(filled: Filled, service: Serving, tmp_path: Path) -> None:
    done = run_here("backup", "--url", service.url, f"{tmp_path / 'backups'}/")
    assert done.status == 0, done.err
    (backup,) = (tmp_path / "backups").iterdir()
    restored = run_here("restore", "--data", tmp_path / "restored", backup)
    assert restored.status == 0, restored.err
    assert run_here("check", "--all", "--data", tmp_path / "restored").out.startswith("Sound")
    answer = run_here("ask", "--data", tmp_path / "restored", QUESTION)
    expected = json.loads(filled.asked.out)
    assert answer.out.strip() == f"{expected['short_answer']['text']}\n\n{expected['response']}"
    refused = run_here("restore", "--data", tmp_path / "restored", backup)
    assert refused.status == 1
    assert "already exists" in refused.err
    again = run_here("backup", "--data", filled.data, backup)
    assert again.status == 1
    assert "already exists" in again.err


def test_a_backup_goes_into_a_folder_that_is_there_or_that_a_slash_names(
    filled: Filled, tmp_path: Path
) -> None:
    (tmp_path / "there").mkdir()
    for path in (str(tmp_path / "there"), f"{tmp_path}/new/below/"):
        done = run_here("backup", "--data", filled.data, path)
        assert done.status == 0, done.err
        (made,) = Path(path).iterdir()
        assert made.name.startswith("provgraph-backup-")
    refused = run_here("backup", "--data", filled.data, f"{made}/")
    assert refused.status == 1
    assert "cannot be created" in refused.err


def test_traces_are_purged_when_it_is_confirmed(filled: Filled, tmp_path: Path) -> None:
    archive = tmp_path / "all.zip"
    run_here("export", "--archive", "--data", filled.data, "--output", archive)
    data = tmp_path / "data"
    run_here("import", "--data", data, archive)
    before = run_here("traces", "--data", data).out
    assert run_here("traces", "--data", data, "--purge").status == 1
    told = run_here("traces", "--data", data, "--purge", "--older-than", "0h", "--dry-run")
    assert "Nothing was removed." in told.out
    unasked = run_here("traces", "--data", data, "--purge", "--older-than", "0h")
    assert unasked.status == 1
    assert "--yes" in unasked.err
    assert run_here("traces", "--data", data).out == before
    done = run_here("traces", "--data", data, "--purge", "--older-than", "0h", "--yes")
    assert (done.status, done.out[:8]) == (0, "Removed ")
    assert run_here("traces", "--data", data).out == ""
    assert run_here("check", "--all", "--data", data).status == 0


@pytest.mark.parametrize(("style", "beginning"), [("prov-json", "{"), ("prov-n", "document")])
def test_a_trace_is_written_as_a_prov_document(filled: Filled, style: str, beginning: str) -> None:
    done = invoke("trace", "--data", filled.data, filled.session, "--format", style)
    assert done.exit_code == 0
    assert done.stdout.startswith(beginning)


def test_a_fact_and_all_facts_are_written_as_nanopublications(filled: Filled, tmp_path: Path) -> None:
    every = invoke("export", "--nanopubs", "--data", filled.data, "--output", tmp_path / "facts.trig")
    assert every.exit_code == 0
    relation = "https://trustgraph.ai/ns/relation/discovered-by"
    fact = ["http://trustgraph.ai/e/polonium", relation, "http://trustgraph.ai/e/marie%20curie"]
    one = invoke("nanopub", "--data", filled.data, *fact)
    assert one.exit_code == 0
    assert "np:Nanopublication" in one.stdout
    node = one.stdout.partition("hasAssertion <")[2].partition("#")[0]
    assert node in (tmp_path / "facts.trig").read_text()
    missing = invoke("nanopub", "--data", filled.data, *fact[:2], "urn:nobody")
    assert missing.exit_code == 1
    assert "No sentence" in missing.stderr


def test_a_pipe_that_closes_early_ends_an_export_of_nanopublications_quietly(filled: Filled) -> None:
    piped = subprocess.run(
        f"'{PROGRAMS / 'provgraph'}' export --nanopubs --data '{filled.data}' | head -c 1",
        shell=True,
        capture_output=True,
        env=environment(),
        check=True,
    )
    assert piped.stdout == b"@"
    assert piped.stderr == b""
