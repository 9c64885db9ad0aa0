"""The program: its commands, and its twins under the names that TrustGraph's users know."""

from __future__ import annotations

import click

from provgraph import __version__
from provgraph.cli.archives import backup, restore
from provgraph.cli.asking import ask, retrieve
from provgraph.cli.collections import collection
from provgraph.cli.comparison import compare
from provgraph.cli.demo import demo
from provgraph.cli.documents import document, documents, ingest
from provgraph.cli.entities import entities
from provgraph.cli.evaluate import evaluate
from provgraph.cli.extracting import extract
from provgraph.cli.graph import check, reindex, sparql
from provgraph.cli.kgqa import kgqa
from provgraph.cli.lineage import lineage
from provgraph.cli.options import ProvGraphGroup
from provgraph.cli.queue import queue
from provgraph.cli.removal import compact, delete
from provgraph.cli.research import research
from provgraph.cli.serving import serve
from provgraph.cli.traces import trace, traces
from provgraph.cli.transfer import export, import_, nanopub
from provgraph.cli.verifying import verify


@click.group(cls=ProvGraphGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="provgraph")
def main() -> None:
    """Answers from documents, each proved down to the characters it was read from."""


for command in (
    demo,
    ingest,
    ask,
    verify,
    kgqa,
    retrieve,
    extract,
    traces,
    trace,
    lineage,
    entities,
    documents,
    document,
    collection,
    compare,
    evaluate,
    delete,
    compact,
    sparql,
    export,
    import_,
    nanopub,
    check,
    backup,
    restore,
    reindex,
    queue,
    research,
    serve,
):
    main.add_command(command)
