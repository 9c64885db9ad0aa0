"""A real Virtuoso on free ports of this machine, with a folder and a configuration of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx2

from servers import programs
from servers.direct import DIRECT
from servers.served_process import ServedProcess, free_port, started

PATHS: Final = "sparql-auth sparql-auth"
OWN_GRAPHS: Final = re.compile(r"urn:(graph|provgraph):")

_SETTINGS: Final = """
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
FileExtend = 200
TempStorage = TempDatabase

[TempDatabase]
DatabaseFile = {folder}/virtuoso-temp.db
TransactionFile = {folder}/virtuoso-temp.trx

[Parameters]
ServerPort = 127.0.0.1:{sql_port}
DisableUnixSocket = 1
DirsAllowed = {folder}
CaseMode = 2
SchedulerInterval = 10
ServerThreads = 20
ThreadsPerQuery = 1
AsyncQueueMaxThreads = 2
NumberOfBuffers = 4000
MaxDirtyBuffers = 3000

[HTTPServer]
ServerPort = 127.0.0.1:{port}
ServerRoot = {folder}
ServerThreads = 40
MaxKeepAlives = 40
KeepAliveTimeout = 60

[SPARQL]
{limits}
"""
UNLIMITED: Final = "ResultSetMaxRows = 100000000\nMaxQueryExecutionTime = 300"


class VirtuosoServer(ServedProcess):
    """`virtuoso-t` over a folder. A start of it takes three seconds."""

    def __init__(self, folder: Path, port: int, limits: str = UNLIMITED) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        settings = folder / "virtuoso.ini"
        settings.write_text(_SETTINGS.format(folder=folder, port=port, sql_port=free_port(), limits=limits))
        super().__init__([programs.virtuoso(), "+foreground", "+configfile", settings], port)
        self._lock = folder / "virtuoso.lck"
        self.url = f"http://dba:dba@127.0.0.1:{port}"
        self.address = f"http://127.0.0.1:{port}/sparql-auth"
        self.auth = httpx2.DigestAuth("dba", "dba")

    def start(self, wait: bool = True) -> None:
        self._lock.unlink(missing_ok=True)  # of one that was killed
        super().start(wait)

    def answers(self) -> bool:
        if not super().answers():
            return False
        try:
            return httpx2.post(self.address, data={"query": "ASK {}"}, auth=self.auth, **DIRECT).is_success
        except httpx2.TransportError:
            return False

    def rows(self, query: str) -> list[dict[str, str]]:
        """The values of the solutions of a query, by the names of its variables."""
        headers = {"Accept": "application/sparql-results+json"}
        response = httpx2.post(self.address, data={"query": query}, auth=self.auth, headers=headers, **DIRECT)
        response.raise_for_status()
        rows = response.json()["results"]["bindings"]
        return [{name: term["value"] for name, term in row.items()} for row in rows]

    def update(self, text: str) -> None:
        response = httpx2.post(self.address, data={"update": text}, auth=self.auth, **DIRECT)
        response.raise_for_status()

    def empty(self) -> None:
        """Take away what tests have written: Virtuoso has graphs of its own, which `DROP ALL` would take, too."""
        for row in self.rows("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }"):
            if OWN_GRAPHS.match(row["g"]):
                self.update(f"DROP SILENT GRAPH <{row['g']}>")


@contextmanager
def virtuoso_server(folder: Path, limits: str = UNLIMITED) -> Iterator[VirtuosoServer]:
    """A server that has started, and is killed in the end."""
    with started(VirtuosoServer(folder, free_port(), limits)) as server:
        yield server
