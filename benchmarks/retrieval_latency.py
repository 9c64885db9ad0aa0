"""Time of a question over many facts, hubs included, and what following costs.

    python benchmarks/retrieval_latency.py [--facts 100000] [--hub 10000]

Facts are made up: entities as often used as words are (Zipf), eight facts to a passage of about 500 characters,
and one hub. Written with full provenance, then indexed as after any ingest, then asked about.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from pyoxigraph import NamedNode, Quad, Triple

from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.documents.library import Library
from provgraph.ports.retriever import RetrievalRequest
from provgraph.provenance import source
from provgraph.provenance.source import (
    ChunkRecord,
    Component,
    DocumentRecord,
    PageRecord,
    QuotationRecord,
    SubgraphRecord,
)
from provgraph.rdf import literals
from provgraph.rdf.graphs import collection_graphs
from provgraph.rdf.iris import chunk_iri, digest, entity_iri, page_iri, quotation_iri, version_iri
from provgraph.rdf.vocabulary import RDFS
from provgraph.retrieval.pipeline import GraphRetriever

FACTS_OF_A_PASSAGE = 8
DOCUMENTS_AT_ONCE = 500
AT = datetime(2026, 1, 1, tzinfo=UTC)
BY = Component("benchmark", "Benchmark", "1")
HUB = "Hubertia Magna"
SYLLABLES = "ba ce di fo gu ka le mi no pu ra se ti vo xu za ker lan mor nis tol vin".split()

Sentence = tuple[str, str, str]


def vocabulary(count: int, chance: random.Random) -> list[str]:
    return ["".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(count)]


def sentences(facts: int, hub: int, chance: random.Random) -> Iterator[Sentence]:
    """Facts as labels; every tenth or so is of the hub, until it has enough."""
    words = vocabulary(20_000, chance)
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    entities = [
        " ".join(w.capitalize() for w in chance.choices(words, weights, k=2)) for _ in range(facts // 3)
    ]
    shares = [1 / rank**0.8 for rank in range(1, len(entities) + 1)]
    relations = [f"{word}ed" for word in words[:300]]
    ends = chance.choices(entities, shares, k=2 * facts)
    for index in range(facts):
        subject = HUB if index < hub * 10 and index % 10 == 0 else ends[2 * index]
        yield subject, chance.choice(relations), ends[2 * index + 1]


def passage(index: int, said: Sequence[Sentence]) -> tuple[NamedNode, str, list[Quad]]:
    """A document of one page and chunk: the page, its text, and all its quads."""
    graphs = collection_graphs()
    document = NamedNode(f"urn:benchmark:{index}")
    lines = [f"{subject} {relation} {thing} without any delay." for subject, relation, thing in said]
    text = " ".join(lines)
    version = version_iri(document, digest(text.encode()))
    page, chunk = page_iri(version, 1), chunk_iri(document, text, 0)
    subgraph = NamedNode(f"https://trustgraph.ai/subgraph/{index}")
    quotations, offset = [], 0
    for number, (line, fact) in enumerate(zip(lines, said, strict=True)):
        nodes = [entity_iri(label) for label in fact]
        labels = [Triple(n, RDFS.label, literals.text(w)) for n, w in zip(nodes, fact, strict=True)]
        stated = (Triple(*nodes), *labels)
        quotations.append(QuotationRecord(quotation_iri(subgraph, number), page, offset, line, 0.8, stated))
        offset += len(line) + 1
    facts = tuple(dict.fromkeys(fact for quotation in quotations for fact in quotation.facts))
    record = DocumentRecord(document, version, digest(text.encode()), f"Passage {index}", "text/plain", 1)
    quads = [
        *source.document_quads(record, BY, AT, graphs.source),
        *source.page_quads(PageRecord(page, document, version, 1), graphs.source),
        *source.chunk_quads(ChunkRecord(chunk, page, 0, 0, len(text)), graphs.source),
        *source.subgraph_quads(SubgraphRecord(subgraph, chunk, facts, tuple(quotations)), BY, AT, graphs),
    ]
    return page, text, quads


async def write(store: OxigraphQuadStore, library: Library, said: Sequence[Sentence]) -> list[NamedNode]:
    documents: list[NamedNode] = []
    quads: list[Quad] = []
    for start in range(0, len(said), FACTS_OF_A_PASSAGE):
        index = start // FACTS_OF_A_PASSAGE
        page, text, described = passage(index, said[start : start + FACTS_OF_A_PASSAGE])
        await library.keep("default", page, text.encode())
        documents.append(NamedNode(f"urn:benchmark:{index}"))
        quads += described
        if len(documents) % DOCUMENTS_AT_ONCE == 0:
            await store.add(quads)
            quads = []
    await store.add(quads)
    return documents


def questions(said: Sequence[Sentence], chance: random.Random) -> dict[str, list[str]]:
    some = chance.sample(said, 100)
    of_hub = [fact for fact in said if fact[0] == HUB][:100]
    return {
        "named entity": [f"What has {subject} {relation}?" for subject, relation, _ in some],
        "two entities": [f"How is {subject} related to {thing}?" for subject, _, thing in some],
        "hub": [f"What has {HUB} {relation} at {thing.split()[0]}?" for _, relation, thing in of_hub],
        "misspelt": [f"What has {subject[:3]}{subject[4:]} {relation}?" for subject, relation, _ in some],
        "no entity": [f"Who {relation} without delay?" for _, relation, _ in some],
    }


async def measure(facts: int, hub: int, folder: Path) -> dict[str, object]:
    chance = random.Random(7)
    said = list(sentences(facts, hub, chance))
    store = OxigraphQuadStore(folder / "store")
    library = Library(FolderContentStore(folder / "library"))
    documents = await write(store, library, said)
    retriever = GraphRetriever(store, library, folder / "index")
    results: dict[str, object] = {"facts": facts, "hub": hub, "passages": len(documents)}
    begun = time.perf_counter()
    await retriever.follow("default", documents)
    results["follow_ms_per_passage"] = round((time.perf_counter() - begun) * 1000 / len(documents), 2)
    begun = time.perf_counter()
    await retriever.follow("default", documents[:1])
    results["one_document_ms"] = round((time.perf_counter() - begun) * 1000, 1)
    await retriever.close()
    retriever = GraphRetriever(store, library, folder / "index")
    begun = time.perf_counter()
    await retriever.retrieve(RetrievalRequest(HUB))
    results["first_use_ms"] = round((time.perf_counter() - begun) * 1000, 1)
    for kind, asked in questions(said, chance).items():
        times = []
        for question in asked:
            begun = time.perf_counter()
            await retriever.retrieve(RetrievalRequest(question))
            times.append((time.perf_counter() - begun) * 1000)
        results[kind] = {
            "median_ms": round(statistics.median(times), 1),
            "p95_ms": round(statistics.quantiles(times, n=20)[-1], 1),
        }
    await retriever.close()
    await store.close()
    return results


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--hub", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = asyncio.run(measure(options.facts, options.hub, Path(folder)))
    for name, value in results.items():
        shown = (
            f"median {value['median_ms']} ms, p95 {value['p95_ms']} ms" if isinstance(value, dict) else value
        )
        print(f"{name:24} {shown}")
    print(json.dumps(results))


if __name__ == "__main__":
    main()
