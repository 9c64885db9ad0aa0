"""A folder of two files, and the same folder served."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from provgraph import Client
from servers.provgraph_server import ProvGraphServer
from servers.served_process import started

SETTINGS = {"PROVGRAPH_EXTRACTION_PROCESSES": "0", "PROVGRAPH_READING_PROCESSES": "0"}
LARKFIELD = """# Larkfield

Ada Larkfield founded Larkfield in 1987. The company is based in Bristol.
Orrin bought Larkfield in 2019 for 40 million dollars.
"""
ORRIN = "# Orrin\n\nOrrin is a publisher in Leeds. Tessa Byrd has led Orrin since 2015.\n"


@pytest.fixture(scope="session")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes")
    (folder / "larkfield.md").write_text(LARKFIELD)
    (folder / "orrin.md").write_text(ORRIN)
    return folder


@pytest.fixture
def _few_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="session")
def _filled(tmp_path_factory: pytest.TempPathFactory, notes: Path) -> Path:
    folder = tmp_path_factory.mktemp("filled") / "data"
    with pytest.MonkeyPatch.context() as environment:
        for name, value in SETTINGS.items():
            environment.setenv(name, value)
        with Client(folder) as client:
            client.ingest(notes)
    return folder


@pytest.fixture
def folder(tmp_path: Path, _filled: Path, _few_processes: None) -> Path:
    """A folder into which the notes were ingested: a copy of one that is filled once."""
    return shutil.copytree(_filled, tmp_path / "data")


@pytest.fixture
def client(folder: Path) -> Iterator[Client]:
    with Client(folder) as made:
        yield made


@pytest.fixture
def url(folder: Path) -> Iterator[str]:
    """The address of a service that has the folder open and wants a token."""
    server = ProvGraphServer(folder, settings={**SETTINGS, "PROVGRAPH_TOKEN": TOKEN})
    with started(server):
        yield server.url


TOKEN = "larkfield-token"
