"""Time of a question over many facts, hubs included, and what following costs.

    python benchmarks/retrieval_latency.py [--facts 10000 100000 1000000] [--hub 10000] [--folder DIR]

Facts are made up: entities as often used as words are (Zipf), eight facts to a passage of about 500 characters,
and one hub. Facts and index are written in bulk, without the provenance that no question reads; then a few documents
are added with all of theirs, and followed as after any ingest.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import shutil
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
from provgraph.rdf.vocabulary import RDF, RDFS, TG
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.contents import (
    ChunkPosition,
    DocumentContents,
    DocumentPart,
    ExtractorRun,
    SubgraphContents,
)
from provgraph.retrieval.entries import index_changes
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
    drawn = iter(chance.choices(words, weights, k=2 * (facts // 3)))
    entities = [f"{one.capitalize()} {other.capitalize()}" for one, other in zip(drawn, drawn, strict=True)]
    shares = [1 / rank**0.8 for rank in range(1, len(entities) + 1)]
    relations = [f"{word}ed" for word in words[:300]]
    ends = chance.choices(entities, shares, k=2 * facts)
    for index in range(facts):
        subject = HUB if index < hub * 10 and index % 10 == 0 else ends[2 * index]
        yield subject, chance.choice(relations), ends[2 * index + 1]


def named(
    index: int, said: Sequence[Sentence]
) -> tuple[NamedNode, NamedNode, NamedNode, NamedNode, str, list[str]]:
    """A passage's document, page, chunk and subgraph; its text and the lines of it."""
    document = NamedNode(f"urn:benchmark:{index}")
    lines = [f"{subject} {relation} {thing} without any delay." for subject, relation, thing in said]
    text = " ".join(lines)
    page = page_iri(version_iri(document, digest(text.encode())), 1)
    subgraph = NamedNode(f"https://trustgraph.ai/subgraph/{index}")
    return document, page, chunk_iri(document, text, 0), subgraph, text, lines


def passage(index: int, said: Sequence[Sentence]) -> tuple[NamedNode, str, list[Quad]]:
    """A document of one page and chunk: the page, its text, and all its quads."""
    graphs = collection_graphs()
    document, page, chunk, subgraph, text, lines = named(index, said)
    version = version_iri(document, digest(text.encode()))
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


def contents(index: int, said: Sequence[Sentence]) -> DocumentContents:
    """What the reader of the store would read of a passage."""
    document, page, chunk, subgraph, text, lines = named(index, said)
    readings = {}
    for line, fact in zip(lines, said, strict=True):
        triple = Triple(*(entity_iri(label) for label in fact))
        readings[triple] = ExtractorRun(triple, fact, line, 0.8)
    part = DocumentPart(
        chunk, ChunkPosition(page, 0, len(text)), text, [SubgraphContents(subgraph, readings)]
    )
    return DocumentContents(document, f"Passage {index}", [part])


async def write_in_bulk(store: OxigraphQuadStore, folder: Path, said: Sequence[Sentence]) -> None:
    """The facts and the subgraphs into the store, and the index as following the passages one by one makes it."""
    graphs = collection_graphs()
    index = CollectionIndex(folder / "index" / "default")
    count = len(said) // FACTS_OF_A_PASSAGE
    for start in range(0, count, DOCUMENTS_AT_ONCE):
        documents = [
            contents(number, said[number * FACTS_OF_A_PASSAGE : (number + 1) * FACTS_OF_A_PASSAGE])
            for number in range(start, min(start + DOCUMENTS_AT_ONCE, count))
        ]
        subgraphs = [subgraph for document in documents for subgraph in document.parts[0].subgraphs]
        await store.add(
            [Quad(subgraph.iri, RDF.type, TG.Subgraph, graphs.source) for subgraph in subgraphs]
            + [Quad(*fact, graphs.knowledge) for subgraph in subgraphs for fact in subgraph.readings]
        )
        index.put(index_changes(documents))
    index.commit()
    index.close()


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


async def asked(retriever: GraphRetriever, questions: Sequence[str]) -> dict[str, float]:
    """Median and 95th percentile of the time, and the median of the time that the processor worked."""
    times, spent = [], []
    for question in questions:
        begun, begun_cpu = time.perf_counter(), time.process_time()
        await retriever.retrieve(RetrievalRequest(question))
        times.append((time.perf_counter() - begun) * 1000)
        spent.append((time.process_time() - begun_cpu) * 1000)
    return {
        "median_ms": round(statistics.median(times), 1),
        "p95_ms": round(statistics.quantiles(times, n=20)[-1], 1),
        "cpu_ms": round(statistics.median(spent), 1),
    }


async def one_more(
    store: OxigraphQuadStore, library: Library, retriever: GraphRetriever, index: int
) -> float:
    """Milliseconds from a document in the store to its place in the index, for a document that is new."""
    page, text, quads = passage(index, [(HUB, "found", f"Newtown {index}")] * FACTS_OF_A_PASSAGE)
    await library.keep("default", page, text.encode())
    await store.add(quads)
    begun = time.perf_counter()
    await retriever.follow("default", [NamedNode(f"urn:benchmark:{index}")])
    return (time.perf_counter() - begun) * 1000


async def measure(facts: int, hub: int, folder: Path) -> dict[str, object]:
    chance = random.Random(7)
    said = list(sentences(facts, hub, chance))
    library = Library(FolderContentStore(folder / "library"))
    count = len(said) // FACTS_OF_A_PASSAGE
    results: dict[str, object] = {"facts": facts, "hub": hub, "passages": count}
    built = folder / "built"
    if not built.exists():
        shutil.rmtree(folder, ignore_errors=True)
        store = OxigraphQuadStore(folder / "store")
        begun = time.perf_counter()
        await write_in_bulk(store, folder, said)
        results["write_ms_per_passage"] = round((time.perf_counter() - begun) * 1000 / count, 2)
        built.touch()
    else:
        store = OxigraphQuadStore(folder / "store")
    retriever = GraphRetriever(store, library, folder / "index")
    begun = time.perf_counter()
    await retriever.retrieve(RetrievalRequest(HUB))
    results["first_use_ms"] = round((time.perf_counter() - begun) * 1000, 1)
    results["memory_mb_before"] = resident_mb()
    for kind, several in questions(said, chance).items():
        results[kind] = await asked(retriever, several)
    results["memory_mb"] = resident_mb()
    added = [await one_more(store, library, retriever, count + number) for number in range(5)]
    results["one_document_ms"] = round(statistics.median(added), 1)
    await retriever.close()
    await store.close()
    return results


def resident_mb() -> int:
    """Memory of this process, with the pages of index files that it has read."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() // 1_000_000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--facts", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--hub", type=int, default=10_000, help="facts of the hub, at most a tenth of all")
    parser.add_argument(
        "--folder", type=Path, help="where the collections are kept; else they are thrown away"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as thrown_away:
        for facts in options.facts:
            folder = (options.folder or Path(thrown_away)) / str(facts)
            results = asyncio.run(measure(facts, options.hub, folder))
            for name, value in results.items():
                shown = (
                    f"median {value['median_ms']} ms, p95 {value['p95_ms']} ms"
                    if isinstance(value, dict)
                    else value
                )
                print(f"{name:24} {shown}")
            print(json.dumps(results), flush=True)


if __name__ == "__main__":
    main()
