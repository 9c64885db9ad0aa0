"""A service over a fresh folder, empty or with one document in it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from api.model_service import good
from api.running import Running, running
from api.two_teams import SharedService, Team, opened_service, shared_service
from servers.openai_server import OpenAIServer


@pytest.fixture(scope="session")
def informed_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one document in it, known as https://example.org/curie; copied, never opened."""
    data = tmp_path_factory.mktemp("informed") / "data"

    async def ingest() -> None:
        async with running(data) as service:
            job = await service.ingest(id="https://example.org/curie", title="The Curies")
            assert job["state"] == "done"

    asyncio.run(ingest())
    return data


@pytest.fixture
def data(tmp_path: Path, informed_folder: Path) -> Path:
    """A folder of one's own with that document in it."""
    shutil.copytree(informed_folder, tmp_path / "data")
    return tmp_path / "data"


@pytest_asyncio.fixture
async def informed(data: Path) -> AsyncIterator[Running]:
    """The service over that folder."""
    async with running(data) as made:
        yield made


@pytest.fixture(scope="session")
def teams_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the documents of two teams; copied, never opened."""
    data = tmp_path_factory.mktemp("teams") / "data"

    async def ingest() -> None:
        async with shared_service(data):
            pass

    asyncio.run(ingest())
    return data


@pytest_asyncio.fixture
async def shared(tmp_path: Path, teams_folder: Path) -> AsyncIterator[SharedService]:
    """The service that two teams share, over a folder of one's own."""
    shutil.copytree(teams_folder, tmp_path / "data")
    async with opened_service(tmp_path / "data") as made:
        yield made


@pytest_asyncio.fixture
async def red(shared: SharedService) -> Team:
    return await shared.team("ada", groups=["red"])


@pytest_asyncio.fixture
async def blue(shared: SharedService) -> Team:
    return await shared.team("ben", groups=["blue"])


@pytest_asyncio.fixture
async def service(tmp_path: Path) -> AsyncIterator[Running]:
    """The service over an empty folder."""
    async with running(tmp_path / "empty") as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def unchanged(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    """One service over an empty folder for all tests of a module that leave nothing in it."""
    async with running(tmp_path_factory.mktemp("unchanged") / "data") as made:
        yield made


@pytest.fixture
def server(model_server: OpenAIServer) -> OpenAIServer:
    model_server.answer(good())
    return model_server
