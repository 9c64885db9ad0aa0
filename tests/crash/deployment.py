"""ProvGraph apart, on real servers: a gateway and workers, those who answer where they are wanted, an Oxigraph server
and a NATS server, a proxy before each of these two. Any of them may be killed and started again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from servers.cutting_proxy import CuttingProxy, cutting_proxy
from servers.nats_server import NatsServer
from servers.oxigraph_server import OxigraphServer
from servers.provgraph_server import ProvGraphServer
from servers.served_process import ServedProcess, free_port


@dataclass(frozen=True)
class Deployment:
    """Everything by name, the workers from `worker-0`; `library` is the folder of the shared library."""

    parts: dict[str, ServedProcess]
    networks: dict[str, CuttingProxy]
    library: Path

    @property
    def gateway(self) -> ProvGraphServer:
        gateway = self.parts["gateway"]
        assert isinstance(gateway, ProvGraphServer)
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
            processes[name] = ProvGraphServer(folder / name, role, environment, log, ports.get(name))
            stack.callback(processes[name].kill)
            processes[name].start(wait=False)
        for process in processes.values():
            process.until_it_answers()
        networks = {"network-to-store": to_store, "network-to-broker": to_broker}
        yield Deployment({"store": store, "broker": broker, **processes}, networks, folder / "library")
