"""`provgraph demo`."""

from __future__ import annotations

import shlex
import shutil
import sys
from importlib import resources
from pathlib import Path
from typing import Final

import click

from provgraph.cli.answer_stream import STEPS, stream_answer
from provgraph.cli.connection import Service, Target, connect
from provgraph.cli.sending import ingest_files
from provgraph.cli.terminal import say
from provgraph.errors import Conflict
from provgraph.rdf.graphs import DEFAULT_COLLECTION

QUESTION: Final = "Who discovered polonium?"
MARK: Final = "made-by-provgraph-demo.txt"
MARK_TEXT: Final = "Made by 'provgraph demo'. Nothing else needs this folder: remove it whenever you like.\n"

NEXT: Final = """
What to try next, in this folder:

  {provgraph} ask --data {data} --explain "Where was Marie Curie born?"
  {provgraph} ask --data {data} "What is the capital of Australia?"  # no document says it
  {provgraph} trace --data {data} {session}
  {provgraph} documents --data {data}
  {provgraph} sparql --data {data} \\
      "SELECT ?what ?who ?sentence WHERE {{ ?s r:discovered-by ?o {{| tg:sourceText ?sentence |}} .
       ?s rdfs:label ?what . ?o rdfs:label ?who }}"
  {provgraph} serve --data {data}  # then open http://127.0.0.1:8888/

And with documents of your own:

  {provgraph} ingest FILES-OR-FOLDERS
  {provgraph} ask --explain "…"
"""


@click.command()
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=Path("provgraph-demo"),
    show_default=True,
    help="The folder to use for the demo.",
)
def demo(data: Path) -> None:
    """Ingest the sample documents, ask a question, and show how the answer is traced to its sources.

    Run it again in the same folder to ask again without ingesting.
    """
    from provgraph.settings import read_settings  # slow to import, and --help needs none

    _claim(data)
    all_in_the_folder = read_settings().model_copy(
        update={"store_url": "", "collection_stores": "", "library_url": ""}
    )
    with connect(Target(all_in_the_folder, data, url="", create=True)) as service:
        _ingest_shipped(service)
        say(f"\nAsking: {QUESTION}\n", err=True)
        body = {"query": QUESTION, "collection": DEFAULT_COLLECTION}
        stream_answer(service, body, steps=STEPS, evidence=True)
        session = service.get("/api/v1/traces", limit=1).json()[0]["session"]
    say(NEXT.format(provgraph=_program(), data=shlex.quote(str(data)), session=session), err=True)


def _program() -> str:
    """How to call this program again from the current directory."""
    called = Path(sys.argv[0])
    if called.name != "provgraph":
        return f"{shlex.quote(sys.executable)} -m provgraph"
    found = shutil.which("provgraph")
    return "provgraph" if found and called.exists() and called.samefile(found) else shlex.quote(sys.argv[0])


def _claim(data: Path) -> None:
    """Mark an empty or new folder as the demo's. Raises `Conflict` for a folder with anything else in it."""
    mark = data / MARK
    if data.exists() and not mark.exists() and any(data.iterdir()):
        raise Conflict(
            f"{data} is not the demo's folder and is not empty. Name a new folder with --data, "
            "or remove this one."
        )
    data.mkdir(parents=True, exist_ok=True)
    mark.write_text(MARK_TEXT)


def _ingest_shipped(service: Service) -> None:
    with resources.as_file(resources.files("provgraph") / "demo" / "documents") as folder:
        files = sorted(folder.iterdir())
        say(f"Reading {len(files)} files that come with ProvGraph:", err=True)
        for job in ingest_files(service, files, {"collection": DEFAULT_COLLECTION}):
            for document in job["documents"]:
                facts = f"{document['facts']} facts" if document["new_chunks"] else "there already"
                say(f"  {document['title']}: {document['pages']} page(s), {facts}", err=True)
