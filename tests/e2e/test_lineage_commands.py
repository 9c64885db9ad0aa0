"""Lineage, stale answers, why not, what if, comparison and audit queries from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

from e2e.commands import invoke

POLONIUM = "Who discovered polonium?"
FIRST, SECOND = "https://example.org/first", "https://example.org/second"


@pytest.fixture
def data(folder: Path, tmp_path: Path) -> Path:
    """Two documents that agree on polonium."""
    texts = {
        FIRST: "Marie Curie discovered polonium. Marie Curie was born on 7 November 1867.",
        SECOND: "Marie Curie discovered polonium. Frederick Soddy studied isotopes.",
    }
    for number, (name, text) in enumerate(texts.items()):
        file = tmp_path / f"{number}.txt"
        file.write_text(text)
        assert done("ingest", file, "--id", name, "--data", folder).exit_code == 0
    return folder


def done(*arguments: str | Path) -> Result:
    result = invoke(*arguments)
    assert "Traceback" not in result.output
    return result


def asked(data: Path, *arguments: str) -> str:
    """The session of a question."""
    answer = done("ask", *arguments, "--format", "json", "--data", data)
    assert answer.exit_code == 0, answer.output
    session: str = json.loads(answer.stdout)["session"]
    return session


def test_lineage_shows_each_sentence_with_its_place_and_its_reader(data: Path) -> None:
    shown = done("lineage", "polonium", "was discovered by", "marie curie", "--data", data)
    assert shown.exit_code == 0, shown.output
    lines = shown.stdout.splitlines()
    assert lines[:2] == [
        "(polonium, was discovered by, Marie Curie)",
        "Said in 2 documents, contained in 2 subgraphs.",
    ]
    assert [line.strip() for line in lines if line.strip() in (FIRST, SECOND)] == [FIRST, SECOND]
    assert sum("ProvGraph propositions extractor" in line for line in lines) == 2


def test_lineage_of_what_nothing_says_names_what_is_near(data: Path) -> None:
    shown = done("lineage", "radon", "was discovered by", "Marie Curie", "--data", data)
    assert shown.exit_code == 1
    assert "(polonium, was discovered by, Marie Curie)" in shown.stderr
    by_iri = done("lineage", "urn:a", "urn:b", "urn:c", "--data", data)
    assert (by_iri.exit_code, by_iri.stdout.splitlines()[1]) == (1, "Nothing says it.")


def test_lineage_shows_what_contradicts_a_fact(data: Path, tmp_path: Path) -> None:
    later = tmp_path / "later.txt"
    later.write_text("Marie Curie was born on 8 November 1867.")
    assert done("ingest", later, "--data", data).exit_code == 0
    shown = done("lineage", "Marie Curie", "was born on", "1867-11-07", "--data", data)
    assert "Contradicted by 1 fact" in shown.stdout
    assert "(Marie Curie, was born on, 1867-11-08): date of birth, said in 1 document" in shown.stdout


def test_an_answer_whose_document_is_deleted_is_stale_and_asked_again_differs(data: Path) -> None:
    isotopes = "What did Frederick Soddy study?"
    session = asked(data, isotopes)
    assert "No answer is stale." in done("traces", "--stale", "--data", data).stderr
    assert done("delete", SECOND, "--yes", "--data", data).exit_code == 0
    listed = done("traces", "--stale", "--data", data).stdout
    assert session in listed
    assert "stale: " in listed
    assert "  stale: " in done("trace", session, "--data", data).stdout
    again = done("ask", "--again", session, "--data", data)
    assert again.exit_code == 0, again.output
    assert again.stdout.strip() == "No answer found."
    assert "the answer changed" in again.stderr
    assert "answered before, refused now" in again.stderr
    assert "- Frederick Soddy studied isotopes." in again.stderr
    assert "+ No answer found." in again.stderr


def test_an_answer_without_a_document_says_whether_it_changes(data: Path) -> None:
    kept = done("ask", POLONIUM, "--without", SECOND, "--data", data)
    assert kept.stdout.strip() == "Marie Curie\n\nMarie Curie discovered polonium."
    assert "the answer is the same" in kept.stderr
    both = done("ask", POLONIUM, "--without", SECOND, "--without", FIRST, "--format", "json", "--data", data)
    answer = json.loads(both.stdout)
    assert answer["outcome"] == "refused"
    assert answer["difference"]["changed"]
    edge = done("ask", POLONIUM, "--without", "polonium | was discovered by | Marie Curie", "--data", data)
    assert "Left out on request." in edge.stderr
    (session, *_) = json.loads(done("traces", "--format", "json", "--data", data).stdout)
    shown = done("trace", session["session"], "--data", data).stdout
    assert "  asks again: urn:trustgraph:session:" in shown
    assert "  without: http://trustgraph.ai/e/polonium | " in shown


def test_why_not_tells_what_became_of_an_edge(data: Path) -> None:
    session = asked(data, POLONIUM)
    shown = done("trace", session, "--why-not", "Frederick Soddy | studied | isotopes", "--data", data)
    assert shown.exit_code == 0, shown.output
    assert shown.stdout.startswith("(Frederick Soddy, studied, isotopes)\n")
    assert "in the graph now: yes" in shown.stdout
    as_json = done("trace", session, "--why-not", "Marie Curie", "--format", "json", "--data", data)
    found = json.loads(as_json.stdout)["edges"]
    assert {edge["status"] for edge in found} >= {"selected"}
    refused = done("trace", session, "--why-not", "Marie Curie", "--format", "turtle", "--data", data)
    assert refused.exit_code == 1


def test_a_trace_is_drawn_into_a_file_whose_ending_says_what_it_is(data: Path, tmp_path: Path) -> None:
    session = asked(data, POLONIUM)
    for name, start in (("why.svg", b"<svg "), ("why.PNG", b"\x89PNG")):
        shown = done("trace", session, "--picture", tmp_path / name, "--data", data)
        assert shown.exit_code == 0, shown.output
        assert (tmp_path / name).read_bytes().startswith(start)
        assert f"Wrote {tmp_path / name}" in shown.stderr
    refused = done("trace", session, "--picture", tmp_path / "why.gif", "--data", data)
    assert refused.exit_code == 1
    assert ".svg" in refused.stderr
    assert not (tmp_path / "why.gif").exists()


def test_a_question_and_a_session_to_ask_again_exclude_each_other(data: Path) -> None:
    assert done("ask", "--data", data).exit_code == 2
    assert done("ask", POLONIUM, "--again", "x", "--data", data).exit_code == 2
    missing = done("ask", POLONIUM, "--without", "https://example.org/none", "--data", data)
    assert missing.exit_code == 1
    assert "no document" in missing.stderr


def test_one_reader_alone_has_nothing_to_be_compared_with(data: Path) -> None:
    shown = done("compare", FIRST, "--data", data)
    assert shown.exit_code == 0, shown.output
    assert shown.stdout.splitlines()[1].split()[0] == "propositions"
    assert "--extractor" in shown.stdout
    found = json.loads(done("compare", FIRST, "--by", "version", "--format", "json", "--data", data).stdout)
    assert found["by"] == "version"
    assert len(found["facts"]) == found["readers"][0]["facts"] == found["readers"][0]["only"]


def test_saved_queries_are_listed_and_run_with_parameters(data: Path) -> None:
    session = asked(data, POLONIUM)
    listed = done("sparql", "--saved", "--data", data)
    assert listed.exit_code == 0, listed.output
    assert "answers-from-document\n" in listed.stdout
    run = ("sparql", "--saved", "answers-from-document", "--format", "csv", "--data", data)
    assert session in done(*run, "--param", f"document={FIRST}").stdout
    for wrong in ((), ("--param", "paper=x"), ("--param", "document")):
        refused = done(*run, *wrong)
        assert (refused.exit_code, refused.stdout) == (1, "")
    assert done("sparql", "ASK {}", "--saved", "changes", "--data", data).exit_code == 1
    assert done("sparql", "--data", data).exit_code == 1
