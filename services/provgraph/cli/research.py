"""`provgraph research`: collections of papers built, listed and drawn; and how `provgraph ask` is told of papers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import click
import httpx2

from provgraph.cli.connection import Service, ServiceProblem, Target, connect
from provgraph.cli.extraction import model_report, page_warnings
from provgraph.cli.files import picture_format, write_file
from provgraph.cli.options import (
    collection_option,
    counted,
    echo_json,
    format_option,
    show,
    target_options,
    together,
)
from provgraph.cli.program import SummarizedGroup
from provgraph.cli.progress import BuildProgress
from provgraph.cli.terminal import complain, harmless, say
from provgraph.client.files import content_of, visible_files
from provgraph.errors import NotFound

BUILD: Final = "/api/v1/research/build"
MOST_AT_ONCE: Final = 60_000_000
"""Bytes of files that are sent together."""


research_options = together(
    click.option(
        "--paper",
        "papers",
        multiple=True,
        metavar="ID",
        help="With --flow research: ask this paper; may be repeated. By id, DOI, arXiv id or title.",
    ),
    click.option(
        "--session",
        "conversation",
        default="",
        metavar="NAME",
        help="With --flow research: a name for the conversation; its papers and questions are remembered.",
    ),
    click.option(
        "--alpha",
        type=click.FloatRange(0, 1),
        help="With --flow research: the weight of vectors; words have the rest. [default: 0.5]",
    ),
)
"""Given to the command by the names of a request."""


@click.group(cls=SummarizedGroup)
def research() -> None:
    """Build a collection of papers, and show how they are related; 'ask --flow research' answers from them."""


@research.command()
@click.argument("topic", required=False)
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path),
    help="Read a folder of papers, or a BibTeX file with papers next to it, instead of searching.",
)
@click.option(
    "--max",
    "most",
    default=15,
    show_default=True,
    type=click.IntRange(1, 100),
    help="How many papers to fetch at most.",
)
@collection_option
@format_option("text", "json")
@target_options(create=True)
def build(
    target: Target, topic: str | None, source: Path | None, most: int, collection: str, style: str
) -> None:
    """Search arXiv for TOPIC, ingest the papers and link similar ones; or ingest papers from a folder.

    Papers that cannot be fetched are listed and skipped. Run it again to continue.
    """
    if topic and source:
        raise click.UsageError("Give a topic or --from, not both.")
    with connect(target) as service:
        if source:
            jobs = [job for batch in _batches(source) for job in _uploaded(service, batch, collection)]
        else:
            asked = {"topic": topic or "", "max_results": most, "collection": collection}
            jobs = list(_followed(service, service.json("POST", BUILD, asked), topic or "papers"))
    if style == "json":
        echo_json(jobs)
    else:
        _report(jobs, collection)
    if any(job["refused"] or job.get("failed") or job["state"] != "done" for job in jobs):
        raise SystemExit(1)


def _batches(source: Path) -> Iterator[list[tuple[str, bytes]]]:
    """The files of a folder, or those that a bibliography names with it, some megabytes at a time.

    A bibliography goes with every batch: it describes papers of all of them.
    """
    files = list(_named(source))
    bibliographies = [_read(file) for file in files if file.suffix.casefold() == ".bib"]
    papers = [file for file in files if file.suffix.casefold() != ".bib"]
    if not papers and not bibliographies:
        raise NotFound(f"There is no paper in {source}. Put PDFs there, or a BibTeX file.")
    batch, size = list(bibliographies), 0
    for file in papers:
        if size and size + file.stat().st_size > MOST_AT_ONCE:
            yield batch
            batch, size = [], 0
        batch.append(_read(file))
        size += len(batch[-1][1])
    yield batch


def _named(source: Path) -> Iterator[Path]:
    if source.is_dir():
        yield from visible_files(source)
    elif source.is_file() and source.suffix.casefold() == ".bib":
        said = source.read_text(encoding="utf-8", errors="replace")
        yield source
        for paper in sorted(source.parent.rglob("*.pdf")):
            if paper.name in said or f"{{{paper.stem}," in said:
                yield paper
    else:
        raise NotFound(f"{source} is neither a folder nor a .bib file. Check the path.")


def _read(file: Path) -> tuple[str, bytes]:
    return harmless(file.name), content_of(file)


def _uploaded(service: Service, files: list[tuple[str, bytes]], collection: str) -> Iterator[dict[str, Any]]:
    job = service.upload(BUILD, files, {"collection": collection})
    yield from _followed(service, job, counted(len(files), "file"))


def _followed(service: Service, job: dict[str, Any], name: str) -> Iterator[dict[str, Any]]:
    """The finished build. Ctrl-C ends it in the service too; what it has stored stays."""
    path = f"/api/v1/research/builds/{job['id']}"
    with BuildProgress() as progress:
        try:
            for event, state in service.events("GET", path):
                doing = state.get("doing") or state.get("file") or name
                progress.show(harmless(doing), state["chunks_done"], state["chunks_total"])
                if event == "job":
                    yield state
        except KeyboardInterrupt:
            with suppress(ServiceProblem, httpx2.TransportError):
                service.json("DELETE", path)
            raise


def _report(jobs: list[dict[str, Any]], collection: str) -> None:
    read = [document for job in jobs for document in job["documents"]]
    for document in read:
        size = f"{counted(document['pages'], 'page')}, {counted(document['chunks'], 'chunk')}"
        new = counted(document["facts"], "fact") if document["new_chunks"] else "unchanged"
        say(f"{document['title']}: {size}, {new}")
    graphs = [job["paper_graph"] for job in jobs if job.get("paper_graph")]
    if graphs:
        size, pairs = counted(graphs[-1]["papers"], "paper"), counted(graphs[-1]["likenesses"], "pair")
        say(f"{size} in collection {collection!r}, {pairs} alike.")
    for line in (*page_warnings(read), *model_report(jobs)):
        say(line, err=True)
    for job in jobs:
        for missed in job["refused"]:
            say(f"Missing: {missed['name']}: {missed['problem']['detail']}", err=True)
        if job.get("problem"):
            complain(f"Error: {job['problem']['detail']}")


@research.command()
@collection_option
@format_option("text", "json")
@target_options()
def papers(target: Target, collection: str, style: str) -> None:
    """List the papers of a collection, each with the most similar ones, and those that could not be fetched."""
    with connect(target) as service:
        found = service.get("/api/v1/research/papers", collection=collection).json()
    show(found, style, _paper_lines, "No papers yet. Build a collection: provgraph research build TOPIC")
    for gap in found["gaps"] if style == "text" else ():
        say(f"Missing: {gap['title']}: {gap['reason']}", err=True)


def _paper_lines(found: dict[str, Any]) -> Iterator[str]:
    titles = {paper["id"]: paper["title"] for paper in found["papers"]}
    for paper in found["papers"]:
        who = ", ".join(paper["creators"])
        told = "; ".join(filter(None, (who, paper["date"], *paper["identifiers"])))
        yield f"{paper['title']}{f'  ({told})' if told else ''}"
        yield f"    {paper['id']}"
        for other, weight in _alike(paper["id"], found["likenesses"]):
            yield f"    {weight:.2f}  {titles[other]}"


def _alike(paper: str, likenesses: Iterable[dict[str, Any]]) -> list[tuple[str, float]]:
    """The papers like one, the likest first."""
    found = [
        (other, likeness["weight"])
        for likeness in likenesses
        if paper in likeness["papers"]
        for other in likeness["papers"]
        if other != paper
    ]
    return sorted(found, key=lambda pair: -pair[1])


@research.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--graph",
    default="papers",
    show_default=True,
    type=click.Choice(["papers", "entities"]),
    help="Papers and how similar they are, or what they are about.",
)
@click.option("--most", default=60, show_default=True, type=click.IntRange(1, 300), help="Relations to show.")
@collection_option
@format_option("text", "json")
@target_options()
def picture(target: Target, file: Path, graph: str, most: int, collection: str, style: str) -> None:
    """Draw a graph of a collection of papers into FILE, an .svg or a .png."""
    kind = picture_format(file)
    with connect(target) as service:
        query = {"collection": collection, "graph": graph, "format": kind, "most": str(most)}
        size = write_file(file, service.download("/api/v1/research/picture", "*/*", **query), file.name)
    if style == "json":
        echo_json({"file": str(file), "bytes": size})
    else:
        say(f"Wrote {file} ({size:,} bytes).", err=True)
