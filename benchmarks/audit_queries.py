"""How long each shipped query takes over a store of a given number of facts.

python benchmarks/audit_queries.py --facts 100000 [--data DIR]

The store is made of documents of one page and chunk with 20 facts each, a tenth of them said by a second document, and
of 500 sessions with 5 selected and 100 passed-over edges each; `--data` keeps it for another run. Each query goes
through the same processes as over HTTP, with the limits of the settings, after one that makes the copy of the store.
Prints a table and one JSON line.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

from pyoxigraph import NamedNode, Quad, Triple

from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.sparql_processes.endpoint import SparqlLimits, SparqlProcesses
from provgraph.errors import ProvGraphError
from provgraph.ports.sparql_endpoint import SparqlRequest
from provgraph.provenance import source, trace
from provgraph.provenance.candidates import RejectedEdge, rejected_edge_quads
from provgraph.provenance.source import (
    ChunkRecord,
    Component,
    DocumentRecord,
    PageRecord,
    QuotationRecord,
    SubgraphRecord,
)
from provgraph.provenance.trace import Selected, SentenceSupport, SessionOutcome, TraceScope
from provgraph.rdf import literals
from provgraph.rdf.graphs import collection_graphs
from provgraph.rdf.iris import SessionNames, entity_iri
from provgraph.rdf.vocabulary import RDFS
from provgraph.settings import Settings
from provgraph.sparql.dataset import Dataset
from provgraph.sparql.saved_queries import saved_queries

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
GRAPHS = collection_graphs()
FACTS_A_CHUNK = 20
SESSIONS = 500


def fact(number: int) -> Triple:
    return Triple(
        entity_iri(f"thing {number % 9973}"), entity_iri(f"relation {number % 97}"), entity_iri(f"x {number}")
    )


def document(index: int, facts: int) -> Iterator[Quad]:
    iri = NamedNode(f"https://example.org/document/{index}")
    version, page = NamedNode(f"{iri.value}/version/1"), NamedNode(f"{iri.value}/page/1")
    chunk, subgraph = NamedNode(f"{iri.value}/chunk/1"), NamedNode(f"{iri.value}/subgraph/1")
    first = index * FACTS_A_CHUNK
    said = [fact(first + n) for n in range(FACTS_A_CHUNK)]
    said += [fact((first + 1_000 + n * 7) % facts) for n in range(FACTS_A_CHUNK // 10)]
    contained = tuple(
        triple
        for each in said
        for triple in (each, Triple(each.object, RDFS.label, literals.text(str(each.object))))
    )
    quoted = tuple(
        QuotationRecord(
            NamedNode(f"{subgraph.value}/quotation/{n}"), page, n * 40, f"Sentence {n}.", 0.8, (each,)
        )
        for n, each in enumerate(said)
    )
    by = Component("model-free" if index % 3 else "agent", "Extractor", "1", "" if index % 3 else "a-model")
    yield from source.document_quads(
        DocumentRecord(iri, version, f"{index}", f"Document {index}", "text/plain", 1),
        Component("reader", "Reader", "1"),
        AT,
        GRAPHS.source,
    )
    yield from source.page_quads(PageRecord(page, iri, version, 1), GRAPHS.source)
    yield from source.chunk_quads(ChunkRecord(chunk, page, 0, 0, 1000), GRAPHS.source)
    yield from source.subgraph_quads(SubgraphRecord(subgraph, chunk, contained, quoted), by, AT, GRAPHS)


def session(index: int, facts: int) -> list[Quad]:
    scope = TraceScope(SessionNames(str(UUID(int=index + 1))), GRAPHS.retrieval)
    at = AT + timedelta(days=1, seconds=index)
    chosen = [fact((index * 131 + n * 17) % facts) for n in range(5)]
    others = [fact((index * 37 + n * 11) % facts) for n in range(100)]
    answered = bool(index % 10)
    return [
        *trace.session_quads(scope, f"Question {index}?", "default", at),
        *trace.grounding_quads(scope, ["question"]),
        *trace.retrieval_quads(scope, 105, []),
        *trace.selection_quads(
            scope, [Selected(each, 0.8, ("question",), "Meets it.", "selector") for each in chosen]
        ),
        *trace.answer_quads(scope),
        *trace.support_quads(scope, [SentenceSupport(0, 10, (0, 1), ())] if answered else []),
        *rejected_edge_quads(scope, [RejectedEdge(each, 0.3, "Adds 0%.") for each in others]),
        *trace.ending_quads(scope, SessionOutcome.ANSWERED if answered else SessionOutcome.REFUSED, at),
    ]


async def filled(folder: Path, facts: int) -> OxigraphQuadStore:
    store = OxigraphQuadStore(folder)
    if await store.graph_names():
        return store
    for start in range(0, facts // FACTS_A_CHUNK, 200):
        end = min(start + 200, facts // FACTS_A_CHUNK)
        await store.add([quad for index in range(start, end) for quad in document(index, facts)])
    for start in range(0, SESSIONS, 50):
        await store.add([quad for index in range(start, start + 50) for quad in session(index, facts)])
    return store


def values() -> dict[str, str]:
    return {
        "document": "https://example.org/document/7",
        "session": SessionNames(str(UUID(int=8))).session.value,
        "extractor": "agent",
    }


async def measured(folder: Path, facts: int) -> None:
    settings = Settings()
    store = await filled(folder / "store", facts)
    limits = SparqlLimits(
        seconds=settings.sparql_timeout_s, rows=settings.sparql_row_limit, processes=settings.sparql_processes
    )
    endpoint = SparqlProcesses(store, folder / "snapshots", limits)
    dataset = Dataset.of(GRAPHS)
    await endpoint.run(SparqlRequest("ASK {}", dataset))
    figures: dict[str, dict[str, float]] = {}
    print(f"{'query':<28} {'seconds':>8} {'rows':>8}")
    for query in saved_queries().values():
        given = {each.name: values()[each.name] for each in query.parameters if each.name in values()}
        start = time.perf_counter()
        try:
            answer = await endpoint.run(SparqlRequest(query.bound(given), dataset, "text/csv"))
            rows = answer.body.count(b"\n") - 1
        except ProvGraphError as error:  # a limit that is met is a figure too
            print(type(error).__name__, error)
            rows = -1
        seconds = time.perf_counter() - start
        figures[query.name] = {"seconds": round(seconds, 3), "rows": rows}
        print(f"{query.name:<28} {seconds:>8.3f} {rows:>8}")
    print(json.dumps({"benchmark": "audit_queries", "facts": facts, "queries": figures}))
    await endpoint.close()
    await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--data", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measured(given.data or Path(folder), given.facts))


if __name__ == "__main__":
    main()
