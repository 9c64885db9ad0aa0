"""Entities that are one, looked up and decided from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

from e2e.commands import invoke


def done(*arguments: str | Path) -> Result:
    result = invoke(*arguments)
    assert "Traceback" not in result.output
    return result


@pytest.fixture
def data(folder: Path, tmp_path: Path) -> Path:
    texts = (
        "The World Health Organization (WHO) is an agency of the United Nations.",
        "The World Health Organization was founded in 1948.",
        "The Organisation Mondiale is headquartered in Geneva.",
    )
    for number, text in enumerate(texts):
        file = tmp_path / f"{number}.txt"
        file.write_text(text)
        assert done("ingest", file, "--title", f"Text {number}", "--data", folder).exit_code == 0
    return folder


def test_the_names_of_an_entity_are_shown_with_the_sentence_that_gives_them(data: Path) -> None:
    shown = done("entities", "WHO", "--data", data)
    assert shown.exit_code == 0
    assert "WHO = World Health Organization (abbreviation, read in “Text 0”)" in shown.stdout
    assert "“The World Health Organization (WHO) is an agency of the United Nations.”" in shown.stdout
    found = json.loads(done("entities", "WHO", "--format", "json", "--data", data).stdout)
    (other,) = found[0]["one_with"]
    assert other["ties"][0]["sources"][0]["text"].startswith("The World Health Organization (WHO)")
    assert done("entities", "Nobody", "--data", data).exit_code == 1


def test_a_person_decides_and_takes_it_back(data: Path) -> None:
    names = ("WHO", "Organisation Mondiale")
    assert "are one" in done("entities", "--same", *names, "--data", data).stdout
    shown = done("entities", "WHO", "--data", data).stdout
    assert "WHO = Organisation Mondiale (decision)" in shown
    assert "    Decided by " in shown
    answer = done("ask", "Where is the WHO headquartered?", "--data", data).stdout
    assert "Geneva" in answer
    assert "undone" in done("entities", "--undo", *names, "--data", data).stdout
    assert "(decision)" not in done("entities", "WHO", "--data", data).stdout
    assert done("entities", "--undo", *names, "--data", data).exit_code == 1


def test_the_ambiguous_ones_are_listed_and_what_is_asked_wrongly_is_told(data: Path) -> None:
    listed = done("entities", "--ambiguous", "--data", data)
    assert (listed.exit_code, listed.stdout) == (0, "")
    done("entities", "--apart", "WHO", "World Health Organization", "--data", data)
    assert "Kept apart from" in done("entities", "--ambiguous", "--data", data).stdout
    wrong = done("entities", "--data", data)
    assert wrong.exit_code == 1
    assert "Give a NAME" in wrong.output
    unknown = done("entities", "--same", "WHO", "Nobody", "--data", data)
    assert unknown.exit_code == 1
    assert "No entity is named 'Nobody'" in unknown.output
