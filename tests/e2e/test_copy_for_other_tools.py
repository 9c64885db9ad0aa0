"""The compose file's `copy`, run as it stands there, puts the graph into a real Oxigraph server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
import yaml

from servers.oxigraph_server import oxigraph_server

pytestmark = pytest.mark.slow

COMPOSE = Path(__file__).parents[2] / "docker-compose.yml"
PROGRAMS = Path(sys.executable).parent
TEXT = "Marie Curie discovered polonium in 1898.\n"


@pytest.fixture
def oxigraph(tmp_path: Path) -> Iterator[str]:
    """The address of a server that is empty and answers."""
    with oxigraph_server(tmp_path / "copy") as server:
        yield server.url


@pytest.fixture
def environment(tmp_path: Path, oxigraph: str) -> dict[str, str]:
    """That of the service `copy`, with a folder in place of the service's address."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PROVGRAPH_")}
    return inherited | {
        "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
        "PROVGRAPH_DATA": str(tmp_path / "data"),
        "COPY_TO": f"{oxigraph}/store",
    }


def ask(oxigraph: str, query: str) -> bool:
    headers = {"Content-Type": "application/sparql-query", "Accept": "text/boolean, application/json;q=0.5"}
    with urlopen(Request(f"{oxigraph}/query", query.encode(), headers)) as answer:
        return b"true" in answer.read()


def test_the_copy_holds_facts_and_their_sources_and_replaces_an_older_one(
    tmp_path: Path, oxigraph: str, environment: dict[str, str]
) -> None:
    note = tmp_path / "note.txt"
    note.write_text(TEXT)
    subprocess.run(["provgraph", "ingest", note], env=environment, check=True, stdout=subprocess.DEVNULL)
    copy = yaml.safe_load(COMPOSE.read_text())["services"]["copy"]
    script = copy["command"][0].replace("/tmp/copy.nq", str(tmp_path / "copy.nq"))
    old = Request(
        f"{oxigraph}/store", b"<urn:old> <urn:old> <urn:old> .", {"Content-Type": "application/n-quads"}
    )
    urlopen(old).close()

    subprocess.run([*copy["entrypoint"], script], env=environment, check=True)

    assert ask(
        oxigraph,
        """PREFIX r: <https://trustgraph.ai/ns/relation/> PREFIX tg: <https://trustgraph.ai/ns/> ASK {
             GRAPH <urn:graph:knowledge> { ?s r:discovered-by ?o }
             GRAPH <urn:graph:source> { ?subgraph tg:contains <<( ?s r:discovered-by ?o )>> } }""",
    )
    assert not ask(oxigraph, "ASK { ?s <urn:old> ?o }")
