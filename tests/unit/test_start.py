"""A command loads what it needs: to list documents neither flows nor indexes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LISTING = """
import sys
from pathlib import Path
from provgraph.assembly import assemble
from provgraph.settings import Settings
import httpx2, asyncio

async def listed(folder):
    app = assemble(Settings(), folder, lasting=False).app()
    transport = httpx2.ASGITransport(app)
    async with app.router.lifespan_context(app), httpx2.AsyncClient(transport=transport) as client:
        return (await client.get("http://localhost/api/v1/documents")).json()

print(asyncio.run(listed(Path(sys.argv[1]))))
print([name for name in sys.argv[2:] if name in sys.modules])
"""
SLOW = (
    "provgraph.flows.runner.events",
    "provgraph.flows.runner.run",
    "provgraph.retrieval.pipeline",
    "provgraph.ingestion.pipeline",
    "provgraph.reading",
    "provgraph.documents.readers.text",
    "provgraph.documents.table_reading",
    "numpy",
    "tantivy",
    "pymupdf",
    "rdflib",
    "pyshacl",
    "openai",
    "cryptography",
)


def test_documents_are_listed_without_what_asks_and_ingests(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LISTING, str(tmp_path / "data"), *SLOW]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.splitlines() == ["[]", "[]"]
