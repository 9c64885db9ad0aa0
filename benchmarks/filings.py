"""Whether a page that answers an analyst's question to a long filing is among the first pages found.

    python benchmarks/filings.py --data DIR --folder DIR [--methods graph bm25] [--each]

`--data` holds finance/: questions.jsonl (question, document, gold pages counted from 0) and pdf/. The filings are
ingested by the real pipeline into a collection kept in `--folder`. Printed, for each method: of how many questions a
gold page is the first, among the first three and among the first ten pages of the chunks that `retrieve` gives;
`--each` prints every question with the pages that were found.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from multihop import collection

from provgraph.assembly import Assembly
from provgraph.catalogue.documents import DocumentCatalogue
from provgraph.catalogue.sources import SourceReader
from provgraph.ingestion.planning import SourceFile
from provgraph.ports.retriever import RetrievalRequest
from provgraph.rdf.graphs import collection_graphs, source_graph
from provgraph.rdf.terms import NamedNode
from provgraph.retrieval.methods.registry import METHODS
from provgraph.settings import Settings

CUTS = (1, 3, 10)
CHUNKS = 30


@dataclass(frozen=True)
class Asked:
    """A question and the pages, as (file, number from 0), that answer it."""

    id: str
    text: str
    gold: frozenset[tuple[str, int]]


def questions(data: Path) -> list[Asked]:
    lines = (data / "finance" / "questions.jsonl").read_text().splitlines()
    told = map(json.loads, filter(None, lines))
    return [Asked(q["id"], q["question"], frozenset((q["doc"], page) for page in q["pages"])) for q in told]


class Pages:
    """Asks one collection, and knows which page of which file a chunk stands on."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._files: dict[NamedNode, str] = {}

    async def found(self, text: str, method: str) -> list[tuple[str, int]]:
        """The pages of the chunks that are found, best first, each once, as (file, number from 0)."""
        store = self._assembly.store
        found = await self._assembly.retriever.retrieve(RetrievalRequest(text, method=method, chunks=CHUNKS))
        graph = source_graph("default")
        if not self._files:
            documents = await DocumentCatalogue(store, collection_graphs("default")).documents()
            self._files = {each.iri: Path(each.source).stem for each in documents}
        places = await SourceReader(store, graph).chunk_places([hit.chunk for hit in found.chunks])
        placed = [places[hit.chunk].place for hit in found.chunks if hit.chunk in places]
        return list(dict.fromkeys((self._files[each.document], each.page_number - 1) for each in placed))


def figures(ranked: Sequence[tuple[Asked, list[tuple[str, int]]]]) -> dict[str, int]:
    return {
        f"first {cut}": sum(bool(asked.gold.intersection(pages[:cut])) for asked, pages in ranked)
        for cut in CUTS
    }


async def run(
    data: Path, folder: Path, methods: Sequence[str], shows_each: bool
) -> dict[str, dict[str, int]]:
    files = [
        SourceFile(path.name, path.read_bytes()) for path in sorted((data / "finance" / "pdf").glob("*.pdf"))
    ]
    asked = questions(data)
    results: dict[str, dict[str, int]] = {}
    async with collection(files, folder, Settings()) as assembly:
        pages = Pages(assembly)
        for method in methods:
            ranked = [(each, await pages.found(each.text, method)) for each in asked]
            results[method] = figures(ranked)
            for each, found in ranked if shows_each else ():
                mark = "+" if each.gold.intersection(found[:3]) else " "
                print(mark, each.text[:90], sorted(each.gold), found[:5])
    return results


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder that holds finance/")
    parser.add_argument("--folder", type=Path, required=True, help="where the collection is kept")
    parser.add_argument("--methods", nargs="+", default=["bm25", "graph"], choices=list(METHODS))
    parser.add_argument("--each", action="store_true", help="print every question")
    options = parser.parse_args()
    results = asyncio.run(run(options.data, options.folder, options.methods, options.each))
    for method, row in results.items():
        print(f"{method:12}" + "".join(f"  {name}: {count}" for name, count in row.items()))
    print(json.dumps(results))


if __name__ == "__main__":
    main()
