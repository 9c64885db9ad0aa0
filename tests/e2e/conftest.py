"""A folder that a person has filled from the command line; or, with `--form apart`, services that stand for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from e2e.apart import empty_folder, why_not
from e2e.commands import GRANTED, Done, Serving, run, serving
from e2e.composed import Composed, composed

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


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--form", choices=["one process", "apart"], help="what the commands of this folder's tests reach"
    )


def is_apart(config: pytest.Config) -> bool:
    return bool(config.getoption("--form", default=None) == "apart")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if is_apart(config) and (reason := why_not(item.nodeid)):
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def services_apart(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Composed | None]:
    """Where they are asked for: the services of the compose file."""
    if not is_apart(request.config):
        yield None
        return
    with composed(tmp_path_factory.mktemp("apart")) as made:
        yield made


@pytest.fixture(autouse=True)
def _apart(request: pytest.FixtureRequest) -> Iterator[None]:
    """Commands have the token of the services apart; a test that begins with `data` has it there, and empty."""
    if not is_apart(request.config) or "form" in request.fixturenames:
        yield
        return
    services: Composed = request.getfixturevalue("services_apart")
    if "data" in request.fixturenames:
        empty_folder(services, request.getfixturevalue("tmp_path") / "data")
    GRANTED.update({"PROVGRAPH_TOKEN": services.token})
    try:
        yield
    finally:
        GRANTED.clear()


def _scope(fixture_name: str, config: pytest.Config) -> Literal["module", "session"]:
    """Services apart have one graph, which another module's tests empty."""
    return "module" if is_apart(config) else "session"


@pytest.fixture(scope=_scope)
def filled(tmp_path_factory: pytest.TempPathFactory, services_apart: Composed | None) -> Filled:
    place = tmp_path_factory.mktemp("e2e")
    if services_apart is None:
        return filled_by_commands(place, place / "data")
    GRANTED.update({"PROVGRAPH_TOKEN": services_apart.token})
    try:
        return filled_by_commands(place, empty_folder(services_apart, place / "data"))
    finally:
        GRANTED.clear()


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
