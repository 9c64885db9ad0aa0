"""A folder that a person has filled from the command line; or, with `--form apart`, services that stand for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from e2e.apart import empty, empty_folder, why_not
from e2e.commands import Done, Serving, granted, run, serving
from e2e.composed import TOKEN, Composed, composed
from servers.arxiv_server import ArxivServer, arxiv_server
from servers.openai_server import OpenAIServer
from servers.papers import ALL

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
def _running_arxiv() -> Iterator[ArxivServer]:
    with arxiv_server(ALL) as server:
        yield server


@pytest.fixture(scope="session")
def services_apart(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, _running_arxiv: ArxivServer
) -> Iterator[Composed | None]:
    """Where they are asked for: the services of the compose file."""
    if not is_apart(request.config):
        yield None
        return
    with composed(tmp_path_factory.mktemp("apart"), searching(_running_arxiv)) as made:
        yield made


@pytest.fixture(scope="session")
def services_with_model(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    _running_model_server: OpenAIServer,
) -> Iterator[Composed | None]:
    """The same of somebody who has a language model."""
    if not is_apart(request.config):
        yield None
        return
    with composed(tmp_path_factory.mktemp("apart-with-model"), asking(_running_model_server)) as made:
        yield made


@pytest.fixture(autouse=True)
def _with_the_token(request: pytest.FixtureRequest) -> Iterator[None]:
    """Commands have the token of the services apart where a test has to do with them."""
    reaches = {"services_apart", "services_with_model"} & set(request.fixturenames)
    with granted({"PROVGRAPH_TOKEN": TOKEN} if reaches and is_apart(request.config) else {}):
        yield


@pytest.fixture
def folder(tmp_path: Path, services_apart: Composed | None) -> Path:
    """Where nothing is yet: a folder that a command makes, or the gateway's own."""
    data = tmp_path / "data"
    return empty_folder(services_apart, data) if services_apart else data


@pytest.fixture
def folder_with_model(
    tmp_path: Path, model_server: OpenAIServer, services_with_model: Composed | None
) -> Iterator[Path]:
    """Such a folder, which commands go to by themselves, and whoever serves it asks `model_server`."""
    data = tmp_path / "data"
    if services_with_model:
        empty_folder(services_with_model, data)
    with granted({"PROVGRAPH_DATA": str(data), **({} if services_with_model else asking(model_server))}):
        yield data


@pytest.fixture
def service_with_model(
    tmp_path: Path, model_server: OpenAIServer, services_with_model: Composed | None
) -> Iterator[Serving]:
    """A service with nothing in it, which asks `model_server`."""
    if services_with_model:
        empty(services_with_model)
        yield services_with_model.gateway
        return
    with serving(tmp_path / "data", env=asking(model_server)) as made:
        yield made


@pytest.fixture
def arxiv(_running_arxiv: ArxivServer, services_apart: Composed | None) -> Iterator[ArxivServer]:
    """The arXiv that whoever serves a folder searches."""
    _running_arxiv.forget()
    with granted({} if services_apart else searching(_running_arxiv)):
        yield _running_arxiv


def asking(model: OpenAIServer) -> dict[str, str]:
    """The settings of who asks a model, one question after another and each once."""
    return {
        "OPENAI_BASE_URL": model.url,
        "PROVGRAPH_LLM_MODEL": "tiny",
        "PROVGRAPH_LLM_RETRIES": "0",
        "PROVGRAPH_LLM_PARALLEL": "1",
    }


def searching(arxiv: ArxivServer) -> dict[str, str]:
    return {"PROVGRAPH_ARXIV_URL": arxiv.url}


def _scope(fixture_name: str, config: pytest.Config) -> Literal["module", "session"]:
    """Services apart have one graph, which another module's tests empty."""
    return "module" if is_apart(config) else "session"


@pytest.fixture(scope=_scope)
def filled(tmp_path_factory: pytest.TempPathFactory, services_apart: Composed | None) -> Filled:
    place = tmp_path_factory.mktemp("e2e")
    if services_apart is None:
        return filled_by_commands(place, place / "data")
    with granted({"PROVGRAPH_TOKEN": TOKEN}):
        return filled_by_commands(place, empty_folder(services_apart, place / "data"))


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
def service(filled: Filled, services_apart: Composed | None) -> Iterator[Serving]:
    """The folder, being served."""
    if services_apart:
        yield services_apart.gateway
        return
    with serving(filled.data) as made:
        yield made


@pytest.fixture(scope="module")
def empty_service(
    tmp_path_factory: pytest.TempPathFactory, services_apart: Composed | None
) -> Iterator[Serving]:
    """A service with nothing in it, which a module's tests fill."""
    if services_apart:
        empty(services_apart)
        with granted({"PROVGRAPH_TOKEN": TOKEN}):
            yield services_apart.gateway
        return
    with serving(tmp_path_factory.mktemp("served") / "data") as made:
        yield made
