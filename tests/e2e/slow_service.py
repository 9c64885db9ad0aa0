"""`python slow_service.py FOLDER`: a service of the folder whose retrieval never ends, to be killed meanwhile."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import uvicorn
from pyoxigraph import NamedNode

from provgraph.assembly import assemble
from provgraph.ports.retriever import RetrievalRequest, RetrievalResult
from provgraph.settings import Settings


class EndlessRetriever:
    async def accept(self, request: RetrievalRequest) -> None: ...

    async def retrieve(self, request: RetrievalRequest) -> RetrievalResult:
        while request:
            await asyncio.sleep(3600)
        raise AssertionError

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None: ...

    async def forget(self, collection: str) -> None: ...

    async def rewrite(self, collection: str) -> None: ...


def main(data: Path) -> None:
    assembly = assemble(Settings(), data)
    services = replace(assembly.flows.graph_rag.services, retriever=EndlessRetriever())
    graph_rag = replace(assembly.flows.graph_rag, services=services)
    assembly.flows = replace(assembly.flows, graph_rag=graph_rag)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(f"slow at http://127.0.0.1:{listening.getsockname()[1]}", file=sys.stderr, flush=True)
        uvicorn.Server(uvicorn.Config(assembly.app(), log_level="critical")).run(sockets=[listening])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
