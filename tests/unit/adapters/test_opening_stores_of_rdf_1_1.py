"""Opening a store of RDF 1.1: what it is asked first, when it is refused, and how it is told a name and a password."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2
import pytest
from pyoxigraph import Literal, NamedNode, Quad, Triple

from provgraph.adapters.remote_store.connection import StoreConnection, store_address
from provgraph.adapters.remote_store.pattern_queries import PatternReader
from provgraph.adapters.remote_store.probe import require_exact
from provgraph.adapters.remote_store.quotations import Quotations
from provgraph.adapters.remote_store.store import SparqlHttpQuadStore
from provgraph.adapters.remote_store.turns import ReceiptedWrites
from provgraph.errors import InvalidInput, NotProvided, Unavailable
from servers.direct import DIRECT
from servers.oxigraph_server import OxigraphServer
from servers.virtuoso_server import PATHS as VIRTUOSO_PATHS
from servers.virtuoso_server import VirtuosoServer

G = NamedNode("urn:graph:g")
S, P, Q = (NamedNode(f"urn:{name}") for name in ("s", "p", "q"))
FACT = Triple(S, P, Literal("said", language="en"))


async def test_a_graph_of_the_other_version_is_refused(oxigraph: OxigraphServer) -> None:
    addresses = [
        store_address(oxigraph.url, "query update store", 5, is_rdf_1_1=plain) for plain in (False, True)
    ]
    for first, second, said in ((0, 1, "not written in RDF 1.1"), (1, 0, "is written in RDF 1.1")):
        oxigraph.update("DROP ALL")
        store = SparqlHttpQuadStore.opened(addresses[first])
        await store.add([Quad(S, Q, FACT, G)])
        with pytest.raises(InvalidInput, match=said):
            SparqlHttpQuadStore.opened(addresses[second])
        await store.close()


class CoarseConnection(StoreConnection):
    """As of a store that keeps no time zones and few decimals, and takes whole numbers for decimals."""

    def update(self, text: str, patience_s: float | None = None) -> None:
        super().update(
            text.replace("+02:00", "Z").replace('"-0.123456"', '"-0.1235"').replace("#decimal", "#integer"),
            patience_s,
        )


def test_a_store_that_changes_terms_is_refused_with_what_it_changes(oxigraph: OxigraphServer) -> None:
    connection = CoarseConnection(store_address(oxigraph.url, "query update", 5, is_rdf_1_1=True))
    reader, writes = PatternReader(connection, Quotations(connection)), ReceiptedWrites(connection)
    with pytest.raises(
        NotProvided, match=r": a moment in a time zone, a decimal number, values .* equal\. Use another store"
    ):
        require_exact(connection, reader, writes)
    assert (
        len(connection.solutions("SELECT ?s { GRAPH ?g { ?s ?p ?o } }")) == 1
    )  # the receipt of the last write
    writes.settle_all()
    connection.close()


@contextmanager
def asking_for_a_name(target: str) -> Iterator[str]:
    """A server that hands requests on which have a name and a password in a Basic header."""
    basic = "Basic " + base64.b64encode(b"ann:secret").decode()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Authorization") != basic:
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="store"')
                self.end_headers()
                return
            kept = {name: self.headers[name] for name in ("Content-Type", "Accept")}
            answer = httpx2.post(target + self.path, content=body, headers=kept, **DIRECT)
            self.send_response(answer.status_code)
            self.send_header("Content-Type", answer.headers.get("Content-Type", "text/plain"))
            self.end_headers()
            self.wfile.write(answer.content)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


async def test_a_server_is_told_name_and_password_as_it_asks_for_them(oxigraph: OxigraphServer) -> None:
    with asking_for_a_name(oxigraph.url) as host:
        right = store_address(f"http://ann:secret@{host}", "query update", 1, is_rdf_1_1=True)
        store = SparqlHttpQuadStore.opened(right)
        await store.add([Quad(S, P, Literal("1"), G)])
        assert await store.graph_names() == [G]
        await store.close()
        for wrong in (f"http://ann:wrong@{host}", f"http://{host}"):
            with pytest.raises(Unavailable, match="as name:password@ before the host"):
                SparqlHttpQuadStore.opened(store_address(wrong, "query update", 1, is_rdf_1_1=True))


@pytest.mark.slow
def test_virtuoso_is_told_a_wrong_password(virtuoso: VirtuosoServer) -> None:
    wrong = virtuoso.url.replace("dba:dba", "dba:wrong")
    with pytest.raises(Unavailable, match="as name:password@ before the host"):
        SparqlHttpQuadStore.opened(store_address(wrong, VIRTUOSO_PATHS, 1, is_rdf_1_1=True))
