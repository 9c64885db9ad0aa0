"""A folder that a person has filled from the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from e2e.commands import Done, Serving, run, serving

CURIE = """# The Curies

Marie Curie discovered polonium in 1898. She was born in Warsaw.
Pierre Curie discovered polonium with Marie Curie.
"""
QUESTION = "Who discovered polonium?"


@dataclass(frozen=True)
class Filled:
    """A folder `data` with the readable one of three files; what `ingest` said of them, and `ask` of one question."""

    data: Path
    ingested: Done
    asked: Done
    session: str


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    place = tmp_path_factory.mktemp("e2e")
    return filled_by_commands(place, place / "data")


def filled_by_commands(place: Path, data: Path) -> Filled:
    papers = place / "papers"
    (papers / "deeper").mkdir(parents=True)
    (papers / "deeper" / "curie.md").write_text(CURIE)
    (papers / "scan.pdf").write_bytes(b"%PDF-1.7 nothing")
    (papers / "notes.xyz").write_bytes(b"\x00\x01\x02")
    (papers / ".hidden").write_text("Nobody reads this.")
    ingested = run("ingest", "--data", data, papers)
    asked = run("ask", "--format", "json", "--data", data, QUESTION)
    return Filled(data, ingested, asked, json.loads(asked.out)["session"])


@pytest.fixture(scope="module")
def service(filled: Filled) -> Iterator[Serving]:
    """The folder, being served."""
    with serving(filled.data) as made:
        yield made
