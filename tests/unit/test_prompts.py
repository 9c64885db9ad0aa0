"""Prompts are files: shipped, replaced, checked, and known by the hash of their text."""

from __future__ import annotations

from pathlib import Path

import pytest

from provgraph.errors import InvalidInput
from provgraph.extraction.names import BY_MODEL, ONTOLOGY_GUIDED
from provgraph.prompts import read_prompt

PLACES = frozenset({"title", "text"})


@pytest.mark.parametrize("name", BY_MODEL)
def test_each_extractor_has_its_prompt(name: str) -> None:
    prompt = read_prompt(name, PLACES | {"ontology"} if name == ONTOLOGY_GUIDED else PLACES)
    system, user = prompt.filled({"title": "A title", "text": "{{title}}", "ontology": "Classes"})
    assert "is thrown away" in system
    assert "A title" in user
    assert "{{title}}" in user, "what stands in a text is no place"


def test_a_replacement_is_used_and_has_another_hash(tmp_path: Path) -> None:
    shipped = read_prompt("agent", PLACES, tmp_path)
    (tmp_path / "agent.md").write_text("# System\nBe brief.\n\n# User\n{{ title }}: {{text}}\n")
    own = read_prompt("agent", PLACES, tmp_path)
    assert own.filled({"title": "T", "text": "x"}) == ("Be brief.", "T: x")
    assert own.hash != shipped.hash
    assert shipped == read_prompt("agent", PLACES)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# System\nx\n# User\n{{title}}", "Use exactly {{text}}, {{title}}"),
        ("# System\nx\n# User\n{{title}} {{text}} {{key}}", "Use exactly"),
        ("{{title}} {{text}}", "lacks a part"),
        ("# System\n\n# User\n{{title}} {{text}}", "lacks a part"),
    ],
)
def test_a_replacement_that_cannot_be_used_is_told(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "agent.md").write_text(text)
    with pytest.raises(InvalidInput, match=said):
        read_prompt("agent", PLACES, tmp_path)


def test_a_folder_or_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no folder of prompts"):
        read_prompt("agent", PLACES, tmp_path / "nowhere")
    (tmp_path / "agent.md").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInput, match="Save it as UTF-8"):
        read_prompt("agent", PLACES, tmp_path)
