"""ProvGraph apart, on real servers: a gateway and workers, those who answer where they are wanted, an Oxigraph server
and a NATS server, a proxy before each of these two. Any of them may be killed and started again."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

import httpx2

from servers.cutting_proxy import CuttingProxy, cutting_proxy
from servers.nats_server import NatsServer
from servers.oxigraph_server import OxigraphServer, free_port

PROGRAM: Final = Path(sys.executable).parent / "provgraph"
_PATIENCE_S: Final = 240


@dataclass
class Process:
    """`provgraph serve` in one role."""

    role: str
    port: int
    data: Path
    environment: dict[str, str]
    log: IO[bytes]
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def running(self) -> subprocess.Popen[bytes]:
        """The process, which has been started."""
        assert self._process is not None
        return self._process

    def start(self, wait: bool = True) -> None:
        self._process = subprocess.Popen(
            [PROGRAM, "serve", self.role, "--port", str(self.port), "--data", self.data],
            env=self.environment,
            stdout=self.log,
            stderr=self.log,
        )
        if wait:
            self.until_it_answers()

    def kill(self) -> None:
        """End it as a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def until_it_answers(self) -> None:
        assert self._process is not None
        until = time.monotonic() + _PATIENCE_S
        while time.monotonic() < until and self._process.poll() is None:
            try:
                httpx2.get(f"{self.url}/health", trust_env=False).raise_for_status()
            except httpx2.HTTPError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError(f"{self.role} did not start; see {self.log.name}")


@dataclass(frozen=True)
class Deployment:
    """Everything by name, the workers from `worker-0`; `library` is the folder of the shared library."""

    parts: dict[str, Process | OxigraphServer | NatsServer]
    networks: dict[str, CuttingProxy]
    library: Path

    @property
    def gateway(self) -> Process:
        gateway = self.parts["gateway"]
        assert isinstance(gateway, Process)
        return gateway

    @property
    def store(self) -> OxigraphServer:
        store = self.parts["store"]
        assert isinstance(store, OxigraphServer)
        return store


@contextmanager
def deployed(folder: Path, workers: int, answering: bool = False, **settings: str) -> Iterator[Deployment]:
    """All of it started, killed in the end; graph-rag and retrieval only where `answering`.

    `settings` are environment variables of all services.
    """
    folder.mkdir(parents=True, exist_ok=True)
    store, broker = OxigraphServer(folder / "store", free_port()), NatsServer(folder / "nats", free_port())
    with ExitStack() as stack:
        for server in (store, broker):
            stack.callback(server.kill)
            server.start()
        to_store = stack.enter_context(cutting_proxy(store.port))
        to_broker = stack.enter_context(cutting_proxy(broker.port))
        ports = {"graph-rag": free_port(), "retrieval": free_port()}
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PROVGRAPH_")},
            "PROVGRAPH_STORE_URL": f"http://127.0.0.1:{to_store.port}",
            "PROVGRAPH_QUEUE_URL": f"nats://127.0.0.1:{to_broker.port}",
            "PROVGRAPH_LIBRARY_URL": f"file://{folder / 'library'}",
            "PROVGRAPH_GRAPH_RAG_URL": f"http://127.0.0.1:{ports['graph-rag']}",
            "PROVGRAPH_RETRIEVAL_URL": f"http://127.0.0.1:{ports['retrieval']}",
            "PROVGRAPH_EXTRACTION_PROCESSES": "0",
            **settings,
        }
        named = {"gateway": "gateway", **{f"worker-{number}": "extraction" for number in range(workers)}}
        named |= {role: role for role in ports if answering}
        processes = {}
        for name, role in named.items():
            log = stack.enter_context((folder / f"{name}.log").open("ab"))
            processes[name] = Process(role, ports.get(name) or free_port(), folder / name, environment, log)
            stack.callback(processes[name].kill)
            processes[name].start(wait=False)
        for process in processes.values():
            process.until_it_answers()
        networks = {"network-to-store": to_store, "network-to-broker": to_broker}
        yield Deployment({"store": store, "broker": broker, **processes}, networks, folder / "library")
