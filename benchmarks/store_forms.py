"""What a store of RDF 1.1 costs: the demo's documents read, asked and deleted over three stores.

    python benchmarks/store_forms.py [--questions 40]

Over an Oxigraph server in RDF 1.2, the same in RDF 1.1, and Virtuoso, which has to be installed. The service runs
in this process. The demo's plain texts are read three times over by other names; the first questions warm up and do not
count.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from api.running import Running, running
from provgraph.adapters.remote_store.connection import StoreConnection, store_address
from servers.oxigraph_server import oxigraph_server
from servers.virtuoso_server import PATHS, virtuoso_server

DOCUMENTS = Path(__file__).parents[1] / "services/provgraph/demo/documents"
QUESTION = "Who discovered polonium?"
COPIES = 3
WARMING = 5
FORMS = ("Oxigraph, RDF 1.2", "Oxigraph, RDF 1.1", "Virtuoso, RDF 1.1")
QUADS = 'SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } FILTER(STRSTARTS(STR(?g), "urn:")) }'


def main() -> None:
    parser = argparse.ArgumentParser(description="What a store of RDF 1.1 costs.")
    parser.add_argument("--questions", type=int, default=40)
    options = parser.parse_args()
    figures = {form: asyncio.run(_measured(form, options.questions)) for form in FORMS}
    for form, found in figures.items():
        print(f"{form:20}" + "".join(f"  {name} {value:9.1f}" for name, value in found.items()))
    print(json.dumps({"store_forms": figures, "questions": options.questions}))


@contextmanager
def _place(form: str, folder: Path) -> Iterator[dict[str, Any]]:
    """The settings of a store that has started."""
    version = form[-3:]
    if form.startswith("Virtuoso"):
        with virtuoso_server(folder) as virtuoso:
            yield {"store_url": virtuoso.url, "store_paths": PATHS, "store_rdf": version}
    else:
        with oxigraph_server(folder) as oxigraph:
            yield {"store_url": oxigraph.url, "store_rdf": version}


async def _measured(form: str, questions: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as made, _place(form, Path(made) / "store") as place:
        async with running(Path(made) / "data", **place) as service:
            begun = time.monotonic()
            names = await _ingest(service)
            read_s = time.monotonic() - begun
            quads = _quads(place)
            spent = [await _asked(service) for _ in range(WARMING + questions)]
            begun = time.monotonic()
            response = await service.client.delete("/api/v1/documents", params={"id": names[0]})
            assert response.status_code < 300, response.text
            deleted_s = time.monotonic() - begun
    return {
        "quads": quads,
        "read_s": read_s,
        "question_ms": median(spent[WARMING:]) * 1000,
        "deletion_ms": deleted_s * 1000,
    }


async def _ingest(service: Running) -> list[str]:
    names = []
    for copy in range(COPIES):
        for file in sorted((*DOCUMENTS.glob("*.md"), *DOCUMENTS.glob("*.txt"))):
            names.append(f"urn:copy:{copy}:{file.stem}")
            await service.ingest(file.read_text(), id=names[-1], name=file.name)
    return names


async def _asked(service: Running) -> float:
    begun = time.monotonic()
    await service.ask(QUESTION)
    return time.monotonic() - begun


def _quads(place: dict[str, Any]) -> float:
    is_plain = place["store_rdf"] == "1.1"
    paths = place.get("store_paths", "query update store")
    connection = StoreConnection(store_address(place["store_url"], paths, 10, is_rdf_1_1=is_plain))
    (row,) = connection.solutions(QUADS)
    connection.close()
    return float(row["n"].value)


if __name__ == "__main__":
    main()
