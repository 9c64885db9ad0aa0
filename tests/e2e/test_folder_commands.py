"""Commands on a folder that nobody serves."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from e2e.commands import PROGRAMS, environment, invoke, run, run_here
from e2e.conftest import QUESTION, Filled


def test_a_folder_with_bad_files_is_ingested_as_far_as_it_can_be_read(filled: Filled) -> None:
    done = filled.ingested
    assert done.status == 1
    assert "The Curies: 1 page, 1 chunk" in done.out
    assert "1 document" in done.out
    errors = done.err.splitlines()
    assert [name for name in ("scan.pdf", "notes.xyz") if any(name in line for line in errors)] == [
        "scan.pdf",
        "notes.xyz",
    ]
    assert all(line.startswith("Error: ") for line in errors)
    assert len(errors) == 2


def test_the_answer_goes_to_stdout_and_the_explanation_to_stderr(filled: Filled) -> None:
    done = run_here("ask", "--data", filled.data, "--explain", QUESTION)
    assert done.status == 0
    expected = json.loads(filled.asked.out)
    assert done.out.strip() == f"{expected['short_answer']['text']}\n\n{expected['response']}"
    for step in ("session", "grounding", "retrieval", "selection", "answer"):
        assert f"[{step}] urn:trustgraph:" in done.err
    assert "[1] " in done.err


@pytest.mark.slow
def test_trustgraphs_command_prints_the_form_of_its_specification(filled: Filled) -> None:
    done = run("--data", filled.data, "--explainable", "-q", QUESTION, program="tg-invoke-graph-rag")
    assert done.status == 0
    assert done.out.strip() == json.loads(filled.asked.out)["response"]
    lines = done.err.splitlines()
    uuid = lines[0].rpartition(":")[2]
    assert lines[:4] == [
        f"[session] urn:trustgraph:session:{uuid}",
        f"[retrieval] urn:trustgraph:prov:retrieval:{uuid}",
        f"[selection] urn:trustgraph:prov:selection:{uuid}",
        f"  Selected {sum('Edge: ' in line for line in lines)} edge(s)",
    ]
    assert lines[4] == "    Edge: (polonium, was discovered by, Marie Curie)"
    assert lines[5].startswith("      Reason: Meets 2 of 2 terms")
    assert lines[6] == "      Source: Chunk 1 → Page 1 → The Curies (curie.md)"
    assert lines[-2:] == [f"[answer] urn:trustgraph:prov:answer:{uuid}", ""]


def test_without_a_folder_it_is_said_how_to_make_one(tmp_path: Path) -> None:
    done = run("ask", QUESTION, cwd=tmp_path)
    assert done.status == 1
    assert done.out == ""
    assert "provgraph ingest FILE" in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_pipe_that_closes_early_is_no_error(filled: Filled) -> None:
    piped = subprocess.run(
        f"'{PROGRAMS / 'provgraph'}' export --data '{filled.data}' | head -c 1",
        shell=True,
        capture_output=True,
        env=environment(),
        check=True,
    )
    assert piped.stdout == b"<"
    assert piped.stderr == b""


@pytest.mark.slow
@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_a_terminal_without_utf_8_shows_a_trace_all_the_same(filled: Filled, locale: dict[str, str]) -> None:
    done = run("trace", "--data", filled.data, filled.session, env=locale)
    assert done.status == 0
    assert "Chunk 1 → Page 1 → The Curies" in done.out


@pytest.mark.slow
def test_a_question_in_korean_is_asked_in_any_locale_or_refused_in_a_sentence(filled: Filled) -> None:
    question = "폴로늄은 누가 발견했는가?"
    done = run("ask", "--data", filled.data, question, env={"LC_ALL": "C"})
    assert (done.status, done.out) == (0, "No answer found.\n")
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    refused = run("ask", "--data", filled.data, question, env=ascii_only)
    assert refused.status == 1
    assert "PYTHONUTF8=1" in refused.err


def test_each_line_of_a_text_gives_one_line_of_facts(tmp_path: Path) -> None:
    lines = "Marie Curie discovered polonium.\n\n   \r\n폴로늄은 원소이다.\nErnest Rutherford discovered the proton."
    done = run("extract", "--lines", "-", stdin=lines.encode(), cwd=tmp_path)
    assert done.status == 0
    facts = [json.loads(line)["facts"] for line in done.out.splitlines()]
    assert [len(each) for each in facts] == [1, 0, 0, 0, 1]
    fact = facts[0][0]
    assert fact["subject"] == {"label": "Marie Curie", "type": "Person"}
    assert fact["relation"] == {"label": "discovered"}
    assert fact["object"]["label"] == "polonium"
    assert (fact["start"], fact["end"]) == (0, 32)
    assert 0 < fact["confidence"] <= 1
    assert list(tmp_path.iterdir()) == []


def test_a_text_is_read_in_its_own_words_or_as_an_ingest_would_store_it(tmp_path: Path) -> None:
    text = b"She discovered polonium in 1898, and the young Marie Curie moved to Paris."
    worded = json.loads(run("extract", stdin=text, cwd=tmp_path).out)["facts"]
    stored = json.loads(run("extract", "--stored", stdin=text, cwd=tmp_path).out)["facts"]
    assert [fact["subject"]["label"] for fact in worded] == ["She", "the young Marie Curie"]
    assert worded[0]["object"] == {"label": "polonium in 1898", "type": ""}
    assert [fact["subject"]["label"] for fact in stored] == ["polonium", "Marie Curie"]


def test_a_line_that_is_no_text_is_named(tmp_path: Path) -> None:
    done = run("extract", "--lines", stdin=b"A fact.\n\xff\n", cwd=tmp_path)
    assert done.status == 1
    assert done.out == '{"facts": []}\n'
    assert "Line 2 is not UTF-8" in done.err


def test_an_export_fills_another_folder_which_is_then_found_as_it_was(filled: Filled, tmp_path: Path) -> None:
    written = invoke("export", "--data", filled.data, "--output", tmp_path / "all.nq")
    assert written.exit_code == 0
    assert written.stdout == ""
    taken = invoke("import", "--data", tmp_path / "data", tmp_path / "all.nq")
    assert taken.exit_code == 0
    assert "restored" in taken.stdout
    again = invoke("export", "--data", tmp_path / "data")
    received = ("receipt", "agent:rdf-import")  # what came from outside says so
    lines = [line for line in again.stdout.splitlines() if not any(word in line for word in received)]
    assert sorted(lines) == sorted((tmp_path / "all.nq").read_text().splitlines())


def test_a_store_that_was_ingested_is_found_sound(filled: Filled) -> None:
    done = invoke("check", "--all", "--data", filled.data)
    assert done.exit_code == 0
    assert done.stdout.startswith("Sound: 0 findings")


def test_an_upload_beyond_the_limit_is_listed_and_the_rest_is_ingested(tmp_path: Path) -> None:
    (tmp_path / "large.txt").write_text("A fact. " * 200_000)
    (tmp_path / "small.txt").write_text("A fact.")
    files = (tmp_path / "large.txt", tmp_path / "small.txt")
    done = invoke("ingest", "--data", tmp_path / "data", *files, PROVGRAPH_MAX_UPLOAD_MB="1")
    assert done.exit_code == 1
    assert "1 document" in done.stdout
    assert "PROVGRAPH_MAX_UPLOAD_MB" in done.stderr


def test_a_folder_of_other_files_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Marie Curie was born in Warsaw.")
    done = run_here("ask", "Where was Marie Curie born?", "--data", tmp_path)
    assert (done.status, done.out) == (1, "")
    assert f"provgraph ingest {tmp_path}" in done.err
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]
