"""`provgraph kgqa`: the question-answer pairs of a collection, built and shown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import click

from provgraph.cli.connection import Service, Target, connect
from provgraph.cli.documents import report
from provgraph.cli.options import (
    collection_option,
    counted,
    echo_json,
    engine_option,
    format_option,
    show,
    target_options,
)
from provgraph.cli.program import SummarizedGroup
from provgraph.cli.progress import ChunkProgress
from provgraph.cli.sending import followed
from provgraph.cli.terminal import say

PATH = "/api/v1/kgqa/pairs"


@click.group(cls=SummarizedGroup)
def kgqa() -> None:
    """Question-answer pairs of documents, from which 'provgraph ask --flow kgqa' answers."""


@kgqa.command()
@click.argument("documents", nargs=-1, metavar="[ID]...")
@engine_option("Create pairs by rules or by the language model. Default: by the model, if one is configured.")
@click.option(
    "--max-tokens", type=click.IntRange(0), default=0, help="Token limit for the model; 0 for no limit."
)
@collection_option
@format_option("text", "json")
@target_options()
def build(target: Target, documents: tuple[str, ...], collection: str, style: str, **asked: Any) -> None:
    """Create question-answer pairs from a collection or from the given documents, and extract facts from them.

    Existing pairs are kept: run the same command again for new documents, or to continue after Ctrl-C.
    """
    request = {"collection": collection, "documents": list(documents), **asked}
    with connect(target) as service, ChunkProgress() as progress:
        job = service.json("POST", "/api/v1/kgqa/build", request)
        jobs = list(followed(service, job, f"pairs of {collection}", progress))
        total = service.json("GET", PATH, collection=collection, limit="1")["total"]
    if style == "json":
        echo_json([{**job, "pairs": total} for job in jobs])
    else:
        report(jobs)
        say(f"The collection has {counted(total, 'question-answer pair')}.")
    if any(job["refused"] or job.get("failed") or job["state"] != "done" for job in jobs):
        raise SystemExit(1)


@kgqa.command()
@click.argument("document", default="")
@collection_option
@format_option("text", "json")
@target_options()
def pairs(target: Target, document: str, collection: str, style: str) -> None:
    """Show the question-answer pairs of a collection, or of DOCUMENT by its id."""
    with connect(target) as service:
        found = list(_pairs(service, collection, document))
    show(found, style, _pair_lines, "There are no pairs. Build them with 'provgraph kgqa build'.")


def _pair_lines(found: list[dict[str, Any]]) -> Iterator[str]:
    for (_, title), own in groupby(found, key=lambda pair: (pair["document"], pair["title"])):
        yield title
        for pair in own:
            place = f"clause {pair['clause']}, " if pair["clause"] else ""
            yield f"  {pair['question']}"
            yield f"    {pair['answer']}"
            yield f"    {place}page {pair['page_number']}, characters {pair['start']}–{pair['end']}"


def _pairs(service: Service, collection: str, document: str) -> Iterator[dict[str, Any]]:
    offset: int | None = 0
    while offset is not None:
        page = service.json("GET", PATH, collection=collection, document=document, offset=str(offset))
        yield from page["pairs"]
        offset = page.get("next")
