"""`provgraph demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from provgraph.errors import Conflict

QUESTION: Final = "Who discovered polonium?"

NEXT: Final = """
Now try, in this folder:

  provgraph ask --data {data} --explain "{another}"
  provgraph traces --data {data}
  provgraph documents --data {data}
  provgraph sparql --data {data} \\
      "SELECT ?s ?text WHERE {{ ?q rdf:reifies <<( ?s ?p ?o )>> ; tg:sourceText ?text }} LIMIT 5"
  provgraph ingest YOUR-FILES && provgraph ask "…" --explain
  provgraph serve --data {data}      then open http://127.0.0.1:8888/docs
"""


@click.command()
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=Path("provgraph-demo"),
    show_default=True,
    help="A new folder.",
)
def demo(data: Path) -> None:
    """Ingest the documents that come with ProvGraph, ask a question, and show its proof."""
    if data.exists() and any(data.iterdir()):
        raise Conflict(f"The folder {data} is there already. Remove it, or name a new one with --data.")
