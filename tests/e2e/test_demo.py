"""The demo: it answers with its proof, can be run again, and says nothing that does not work."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from provgraph.cli.demo import MARK
from provgraph.cli.program import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def next_steps(explanation: str) -> list[list[str]]:
    """The arguments of each command that the demo says to try next in its folder."""
    shown = explanation.partition("in this folder:")[2].partition("And with documents")[0]
    lines = shown.replace("\\\n", "").replace("\n       ", " ").strip().splitlines()
    steps = [shlex.split(line, comments=True) for line in lines]
    return [step[step.index("provgraph") + 1 :] for step in steps]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("a place") / "demo"


@pytest.fixture(scope="module")
def first(folder: Path) -> Result:
    return run("demo", "--data", str(folder))


def test_the_answer_is_on_stdout_and_its_proof_on_stderr(first: Result) -> None:
    assert first.exit_code == 0
    assert "discovered polonium" in first.stdout
    for step in ("[session]", "[grounding]", "[retrieval]", "[selection]", "[answer]"):
        assert step in first.stderr
    assert "was discovered by, Marie Curie)" in first.stderr


def test_the_answer_rests_on_more_than_one_document(first: Result) -> None:
    sources = set(re.findall(r"Source: .* → Page \d+ → (.*) \(", first.stderr))
    assert {"Two new elements", "The discovery of radioactivity"} <= sources


def test_every_document_gives_facts(first: Result) -> None:
    read = re.findall(r"^  (.+): (\d) page\(s\), (\d+) facts$", first.stderr, re.MULTILINE)
    assert len(read) == 7
    assert ("Two new elements", "2") in [(title, pages) for title, pages, _ in read]
    assert all(int(facts) > 2 for _, _, facts in read)


def test_every_next_step_can_be_typed_as_it_stands(first: Result) -> None:
    steps = next_steps(first.stderr)
    assert {step[0] for step in steps} == {"ask", "trace", "documents", "sparql", "serve"}
    for step in steps:
        if step[0] != "serve":
            done = run(*step)
            assert (step[0], done.exit_code, done.stderr) == (step[0], 0, done.stderr)
            assert done.stdout


def test_a_question_that_the_documents_do_not_meet_is_refused(first: Result, folder: Path) -> None:
    assert first.exit_code == 0
    refused = run("ask", "--data", str(folder), "What is the capital of Australia?")
    assert refused.stdout.strip() == "No answer found."


def test_run_again_it_finds_the_documents_there(first: Result, folder: Path) -> None:
    again = run("demo", "--data", str(folder))
    assert again.exit_code == 0
    assert again.stdout == first.stdout
    assert again.stderr.count("there already") == 7


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    refused = run("demo", "--data", str(tmp_path))
    assert refused.exit_code == 1
    assert "not the demo's folder" in refused.stderr
    assert not (tmp_path / MARK).exists()
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_what_readme_shows_next_works_as_typed(
    first: Result, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first commands under "Use it", after the demo, but for the one that goes on until Ctrl-C."""
    assert first.exit_code == 0
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    block = readme.partition("## Use it")[2].partition("```sh\n")[2].partition("```")[0]
    exported, *lines = [shlex.split(line, comments=True) for line in block.splitlines()]
    assert exported[0] == "export"
    name, _, value = exported[1].partition("=")
    assert value == folder.name.replace("demo", "provgraph-demo")
    monkeypatch.setenv(name, str(folder))
    monkeypatch.chdir(folder.parent)
    shown = [run(*line[1:]) for line in lines if line[1] != "serve"]
    assert [result.exit_code for result in shown] == [0] * len(shown)
    assert "Warsaw" in shown[0].stdout
