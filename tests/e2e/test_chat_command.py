"""`provgraph chat` on a folder: a line for each question, follow-ups understood from those before."""

from __future__ import annotations

from pathlib import Path

from e2e.commands import run, run_here

TEXT = (
    "Marie Curie discovered polonium in 1898. She was born in Warsaw.\n\n"
    "Ernest Rutherford discovered the proton in 1917. He was born in Nelson.\n"
)


def test_a_follow_up_is_answered_as_what_it_means(tmp_path: Path) -> None:
    (tmp_path / "people.txt").write_text(TEXT, "utf-8")
    data = tmp_path / "data"
    assert run_here("ingest", tmp_path / "people.txt", "--data", data).status == 0
    said = run("chat", "--data", data, stdin=b"Who discovered the proton?\n\nand where was he born?\n")
    answers = [line for line in said.out.splitlines() if line]
    assert answers[0] == "Ernest Rutherford"
    assert answers[2] == "Nelson"
    assert "Understood as: Where was Ernest Rutherford born?" in said.err
    assert said.err.count("[1]") == 2
