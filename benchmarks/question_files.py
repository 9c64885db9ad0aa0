"""Which of our files one question runs through: those whose functions were called, by package.

`python benchmarks/question_files.py` assembles a service over a folder of its own, reads one small document, asks one
question over HTTP without a socket, and prints a line for each package and one of JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import httpx2

import provgraph
from provgraph.assembly import assemble
from provgraph.ingestion.planning import SourceFile
from provgraph.settings import Settings

PACKAGE = Path(provgraph.__file__).parent
OF_ANSWERING = ("flows", "provenance", "wire", "ports")
TEXT = b"Marie Curie discovered polonium in 1898. She was born in Warsaw."


class CalledFunctions:
    """The functions of this package that are called while it watches."""

    def __init__(self) -> None:
        self.codes: set[CodeType] = set()

    def __enter__(self) -> CalledFunctions:
        threading.setprofile(self._called)
        sys.setprofile(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _called(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            self.codes.add(frame.f_code)

    def files(self) -> set[Path]:
        paths = {Path(code.co_filename) for code in self.codes}
        return {path.relative_to(PACKAGE) for path in paths if path.is_relative_to(PACKAGE)}


async def files_of_a_question(folder: Path) -> set[Path]:
    """The files that a question to graph-rag runs through, relative to the package."""
    assembly = assemble(Settings(extraction_processes=0), folder)
    async for _ in assembly.ingestion.ingest([SourceFile("curie.txt", TEXT)], "default"):
        pass
    app = assembly.app()
    async with app.router.lifespan_context(app):
        client = httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://127.0.0.1")
        body = {"query": "Who discovered polonium?"}
        (await client.post("/api/v1/graph-rag", json=body)).raise_for_status()
        with CalledFunctions() as called:
            (await client.post("/api/v1/graph-rag", json=body)).raise_for_status()
    return called.files()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = asyncio.run(files_of_a_question(Path(folder)))
    counts = Counter(path.parts[0] for path in files)
    for package, count in counts.most_common():
        print(f"{count:4}  {package}")
    answering = sorted(str(path) for path in files if path.parts[0] in OF_ANSWERING)
    print("\n".join(answering))
    print(json.dumps({"files": len(files), "answering": len(answering)}))


if __name__ == "__main__":
    main()
