"""The examples of docs/papers-compared.md, asked again: its answers as they are now.

    python benchmarks/paper_examples.py            # rewrites the answers in the page
    python benchmarks/paper_examples.py --check    # tells which differ; exit status 1

An example is a fenced block of the page, `text example FLOW TITLE`: a document, then lines that begin with "? ", each
with the answer below it. Blocks with one title are one collection. No model is asked.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from provgraph.assembly import assemble
from provgraph.settings import Settings

PAGE = Path(__file__).parent.parent / "docs" / "papers-compared.md"
BLOCK = re.compile(r"^```text example (?P<flow>\S+) (?P<title>[^\n]+)\n(?P<body>.*?)^```$", re.M | re.S)


@dataclass(frozen=True)
class PaperExample:
    """A document, and what is asked of it by one flow."""

    flow: str
    title: str
    text: str
    questions: tuple[str, ...]

    @property
    def collection(self) -> str:
        return re.sub(r"[^a-z]+", "-", self.title.lower()).strip("-")


def examples_of(page: str) -> list[PaperExample]:
    """The examples of a page, in their order."""
    found = []
    for match in BLOCK.finditer(page):
        lines = match["body"].splitlines()
        first = next(index for index, line in enumerate(lines) if line.startswith("? "))
        questions = tuple(line[2:] for line in lines if line.startswith("? "))
        found.append(PaperExample(match["flow"], match["title"], "\n".join(lines[:first]).strip(), questions))
    return found


async def with_answers(page: str, folder: Path) -> str:
    """The page with the answers that its examples have now; `folder` is an empty one for their collections."""
    assembly = assemble(Settings(extraction_processes=0), folder)
    app = assembly.app()
    transport = httpx2.ASGITransport(app)
    examples = examples_of(page)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=120) as client,
    ):
        for example in examples:
            await _ingested(client, example)
        written = iter([await _block(client, example) for example in examples])
    return BLOCK.sub(lambda _: next(written), page)


async def _ingested(client: httpx2.AsyncClient, example: PaperExample) -> None:
    fields = {"text": example.text, "title": example.title, "name": f"{example.collection}.md"}
    place = {"collection": example.collection}
    await _job(client, (await client.post("/api/v1/documents", json=fields | place)).json()["id"])
    if example.flow == "kgqa":
        await _job(client, (await client.post("/api/v1/kgqa/build", json=place)).json()["id"])


async def _job(client: httpx2.AsyncClient, job: str) -> None:
    while (state := (await client.get(f"/api/v1/jobs/{job}")).json()["state"]) not in ("done", "failed"):
        await asyncio.sleep(0.05)
    assert state == "done", state


async def _block(client: httpx2.AsyncClient, example: PaperExample) -> str:
    lines = [f"```text example {example.flow} {example.title}", example.text, ""]
    for question in example.questions:
        asked = {"query": question, "collection": example.collection}
        answer = (await client.post(f"/api/v1/{example.flow}", json=asked)).json()
        lines += [f"? {question}", *_lines(answer)]
    return "\n".join((*lines, "```"))


def _lines(answer: dict[str, Any]) -> Sequence[str]:
    """An answer, and of a question to `extractive` what is marked in it."""
    text = answer["response"].strip()
    marked = (answer.get("highlights") or {}).get("mentions") or []
    named = [f"{mention['type']} {text[mention['start'] : mention['end']]}" for mention in marked]
    return [*text.splitlines(), *([f"[{' · '.join(named)}]"] if named else [])]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    only_checks = parser.parse_args().check
    page = PAGE.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        now = asyncio.run(with_answers(page, Path(folder)))
    for before, after in zip(page.splitlines(), now.splitlines(), strict=False):
        if before != after:
            print(f"- {before}\n+ {after}")
            break
    if not only_checks:
        PAGE.write_text(now, "utf-8")
    return int(only_checks and now != page)


if __name__ == "__main__":
    sys.exit(main())
