"""For all tests: no model from the environment, and no address but this machine's own."""

from __future__ import annotations

import gc
import math
import os
import signal
import socket
import sys
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import settings

from loop_watchdog import LoopWatchdog
from servers.openai_server import OpenAIServer, openai_server
from servers.oxigraph_server import OxigraphServer, oxigraph_server
from servers.s3_server import s3_server
from servers.virtuoso_server import VirtuosoServer, virtuoso_server

settings.register_profile("suite", deadline=None)  # a busy machine is no failure
settings.load_profile("suite")


def pytest_xdist_auto_num_workers() -> int:
    """Three workers for two cores: a third of the suite's time is waiting, for disks, clocks and other processes."""
    return math.ceil(1.5 * (os.cpu_count() or 1))


def pytest_configure() -> None:
    """What tests start finds the sources compiled, wherever it is told to keep no bytecode: a second for each start."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    if (
        signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    ):  # as in the background, and programs would never be stopped
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Modules and tests are there to stay, and what a test leaves is not looked for after every few objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(scope="session")
def _watchdog() -> Iterator[LoopWatchdog]:
    dog = LoopWatchdog()
    with dog.watching():
        yield dog


@pytest.fixture(autouse=True)
def _no_loop_stands_still(_watchdog: LoopWatchdog) -> Iterator[None]:
    """A test fails in which a request, or work of the service's own, keeps all others waiting for 250 ms."""
    before = len(_watchdog.found)
    yield
    found = [each for each in _watchdog.found[before:] if each.is_of_app]
    if found:
        pytest.fail("\n".join(map(str, found)), pytrace=False)


_HERE = {None, "", "localhost", "127.0.0.1", "::1", "0.0.0.0", "testserver"}


@pytest.fixture(autouse=True)
def _no_model_and_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that would reach a real endpoint fails."""
    for name in os.environ:
        if name.startswith(("OPENAI_", "PROVGRAPH_")):
            monkeypatch.delenv(name)
    resolve = socket.getaddrinfo

    def only_here(host: Any, *arguments: Any, **options: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if (
            name not in _HERE and "%" not in name and not str(name).startswith("127.")
        ):  # "%5b" is no host: the system says so itself
            raise AssertionError(f"a test would reach {name}")
        return resolve(host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", only_here)


@pytest.fixture(scope="session")
def _running_model_server() -> Iterator[OpenAIServer]:
    with openai_server() as server:
        yield server


@pytest.fixture
def model_server(_running_model_server: OpenAIServer) -> OpenAIServer:
    """An OpenAI-compatible endpoint that has not been asked anything yet."""
    _running_model_server.forget()
    return _running_model_server


@pytest.fixture(scope="session")
def _running_oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OxigraphServer]:
    with oxigraph_server(tmp_path_factory.mktemp("oxigraph") / "store") as server:
        yield server


@pytest.fixture
def oxigraph(_running_oxigraph: OxigraphServer) -> OxigraphServer:
    """A SPARQL server that holds nothing."""
    _running_oxigraph.update("DROP ALL")
    return _running_oxigraph


@pytest.fixture(scope="session")
def _running_virtuoso(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtuosoServer]:
    with virtuoso_server(tmp_path_factory.mktemp("virtuoso")) as server:
        yield server


@pytest.fixture
def virtuoso(_running_virtuoso: VirtuosoServer) -> VirtuosoServer:
    """A server for SPARQL 1.1 and RDF 1.1 that holds nothing of ours."""
    _running_virtuoso.empty()
    return _running_virtuoso


@pytest.fixture(scope="session")
def _other_running_oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OxigraphServer]:
    with oxigraph_server(tmp_path_factory.mktemp("other-oxigraph") / "store") as server:
        yield server


@pytest.fixture
def other_oxigraph(_other_running_oxigraph: OxigraphServer) -> OxigraphServer:
    """A second one, for what lies apart."""
    _other_running_oxigraph.update("DROP ALL")
    return _other_running_oxigraph


@pytest.fixture(scope="session")
def _running_s3() -> Iterator[str]:
    with s3_server() as address:
        yield address


@pytest.fixture
def s3_url(_running_s3: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A place of its own in a bucket of an S3 server, which the environment leads to."""
    for name, value in {
        "AWS_ENDPOINT_URL": _running_s3,
        "AWS_ACCESS_KEY_ID": "somebody",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    return f"s3://library/{uuid4().hex}"
