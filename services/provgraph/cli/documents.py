"""`provgraph ingest`, `documents` and `document`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import click

from provgraph.cli.connection import Service, ServiceProblem, Target, connect
from provgraph.cli.extraction import ExtractionChoice, extraction_options, model_report, page_warnings
from provgraph.cli.options import (
    collection_option,
    counted,
    echo_json,
    format_option,
    private_option,
    show,
    target_options,
)
from provgraph.cli.progress import ChunkProgress, awaited
from provgraph.cli.sending import followed, ingest_addresses, ingest_files, web_reader
from provgraph.cli.terminal import complain, say
from provgraph.client.files import files_of, is_address
from provgraph.client.folder_sync import OF_SYNC
from provgraph.client.metadata import given_metadata, without_sidecars
from provgraph.client.sending import UploadForm
from provgraph.errors import InvalidInput, Unavailable
from provgraph.extraction.names import BY_RULES, FREE, current_name

SHOWN: Final = 20
"""Documents that a report tells one by one."""
CHANGES: Final = ("kept", "changed", "added", "removed")


@click.command()
@click.argument("paths", nargs=-1)
@private_option
@click.option("--all-results", is_flag=True, help="List every document, even if there are more than twenty.")
@click.option(
    "--retry", is_flag=True, help="Retry failed chunks; without PATHS, those of the whole collection."
)
@click.option(
    "--reread",
    is_flag=True,
    help="Extract again what an older version of an extractor found; without --extractor, by rules only.",
)
@click.option("--follow-links", is_flag=True, help="Follow symbolic links out of a folder.")
@click.option(
    "--set",
    "pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help="Metadata of all these documents, for `ask --where`; may be repeated.",
)
@click.option(
    "--metadata",
    "table",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Metadata by file: a CSV with a column 'file', or a JSON object of objects by file name.",
)
@click.option(
    "--readers",
    multiple=True,
    metavar="GROUP",
    help="Only this group or person may read these documents; may be repeated.",
)
@click.option("--title", default="", help="Title of the document, overriding its own.")
@click.option("--id", "given_id", default="", help="Identifier of the document: an IRI or any word.")
@extraction_options
@collection_option
@format_option("text", "json")
@target_options(create=True)
def ingest(
    target: Target,
    paths: tuple[str, ...],
    title: str,
    given_id: str,
    collection: str,
    style: str,
    **asked: Any,
) -> None:
    """Ingest files, folders and web pages (https://…): PDF, DOCX, XLSX, HTML, text, CSV, JSON; scans with Tesseract.

    Files that cannot be read are listed and skipped. Ingesting again changes nothing but retries failures.
    A document that has changed takes the place of its older version, and only what changed is read again.
    """
    retry, reread = asked.pop("retry"), asked.pop("reread")
    if not (retry or reread or paths):
        raise click.UsageError("Name a file or a folder, or give --retry or --reread.")
    if reread and (retry or paths):
        raise click.UsageError("--reread reads what is stored: give it without PATHS and --retry.")
    readers = [f"readers={name}" for name in asked.pop("readers")]
    given = given_metadata([*asked.pop("pairs"), *readers], asked.pop("table"))
    addresses = [path for path in paths if is_address(path)]
    named = [Path(path) for path in paths if not is_address(path)]
    files = without_sidecars(files_of(named, asked.pop("follow_links"), _say_left_out))
    if len(files) + len(addresses) > 1 and (title or given_id):
        raise InvalidInput("--title and --id go with one file. Ingest the files one by one.")
    allow_private = asked.pop("allow_private")
    tell_all = asked.pop("all_results")
    how = ExtractionChoice.of(asked)
    fields = {"collection": collection, "title": title, "id": given_id, **how.fields}
    with connect(target) as service:
        if paths:
            jobs = list(ingest_files(service, files, fields, how.ontology, given)) if files else []
            if addresses:
                reader = web_reader(target.settings.max_upload_mb, allow_private)
                jobs += ingest_addresses(service, addresses, reader, UploadForm(fields, how.ontology, given))
        elif reread:
            jobs = list(read_anew(service, collection, how))
        else:
            jobs = list(retried(service, collection, how))
        embedded(service, collection)
    if style == "json":
        echo_json(jobs)
    else:
        report(jobs, sys.maxsize if tell_all else SHOWN)
    if any(job["refused"] or job.get("failed") or job["state"] != "done" for job in jobs):
        raise SystemExit(1)


def embedded(service: Service, collection: str) -> None:
    """Wait until what was ingested can be found by its sense, showing the progress; Ctrl-C is no harm."""
    with suppress(KeyboardInterrupt, ServiceProblem, Unavailable):
        awaited(service.events("GET", f"/api/v1/embedding?collection={quote(collection)}"), "embedded")


def retried(service: Service, collection: str, how: ExtractionChoice) -> Iterator[dict[str, Any]]:
    """Have all that failed read again, showing the progress; gives the finished job."""
    request = {"collection": collection, **how.request()}
    with ChunkProgress() as progress:
        job = service.json("POST", "/api/v1/documents/retry", request)
        yield from followed(service, job, f"failed chunks of {collection}", progress)


def read_anew(service: Service, collection: str, how: ExtractionChoice) -> Iterator[dict[str, Any]]:
    """Have read again what older extractors read, showing the progress; gives the finished job, if any is needed."""
    wanted = list(how.fields["extractor"])
    readings = service.get("/api/v1/documents/readings", collection=collection).json()["readings"]
    names = {current_name(each) for each in wanted} or set(FREE)
    if not any(each["outdated"] and current_name(each["extractor"]) in names for each in readings):
        say("Everything was already read by these versions.", err=True)
        return
    with ChunkProgress() as progress:
        request = {"collection": collection, "extractors": wanted}
        job = service.json("POST", "/api/v1/documents/reread", request)
        yield from followed(service, job, f"outdated readings of {collection}", progress)


def _say_left_out(link: Path) -> None:
    say(f"{link} leads out of the folder and is left out. Read it with --follow-links.", err=True)


def report(jobs: list[dict[str, Any]], most: int = SHOWN) -> None:
    """What became of each document, of `most` at most, and of all together."""
    read = [(document, job["extractors"]) for job in jobs for document in job["documents"]]
    documents = [document for document, _ in read]
    refused = [each["problem"]["detail"] for job in jobs for each in job["refused"]]
    failed = [job["problem"]["detail"] for job in jobs if job.get("problem")]
    for document, extractors in read[:most]:
        size = f"{counted(document['pages'], 'page')}, {counted(document['chunks'], 'chunk')}"
        say(f"{document['title']}: {size}, {_outcome(document, extractors)}")
        if document.get("changes"):
            said = ", ".join(f"{document['changes'][what]} {what}" for what in CHANGES)
            say(f"    revised: chunks {said}")
    if len(documents) > most:
        say(f"… and {len(documents) - most} more (--all-results lists them)")
    facts = sum(document["facts"] for document in documents)
    say(f"{counted(len(documents), 'document')}, {counted(facts, 'new fact')}.")
    if retired := sum(job.get("retired", 0) for job in jobs):
        say(f"{counted(retired, 'older reading')} retired.")
    for line in page_warnings(documents):
        say(line, err=True)
    for line in model_report(jobs):
        say(line, err=True)
    if any(document["failed_chunks"] for document in documents):
        say("To retry what failed: provgraph ingest --retry", err=True)
    for detail in [*refused, *failed]:
        complain(f"Error: {detail}")


def _outcome(document: dict[str, Any], extractors: list[str]) -> str:
    failed = f"{document['failed_chunks']} of {counted(document['chunks'], 'chunk')} could not be read"
    if not document["new_chunks"]:
        said = "unchanged"
    elif document["facts"]:
        said = counted(document["facts"], "fact")
    elif document["failed_chunks"] == document["chunks"] and not set(BY_RULES) & set(extractors):
        return failed
    else:
        said = (
            "no facts (rules found none; they read English sentences)"
            if set(extractors) <= set(BY_RULES)
            else "no facts"
        )
    return f"{said}; {failed}" if document["failed_chunks"] else said


@click.command()
@collection_option
@format_option("text", "json")
@target_options()
def documents(target: Target, collection: str, style: str) -> None:
    """List the documents of a collection."""
    with connect(target) as service:
        found = service.get("/api/v1/documents", collection=collection).json()
    show(found, style, _listed, "No documents yet. Add some with: provgraph ingest FILE")


def _listed(found: list[dict[str, Any]]) -> Iterator[str]:
    for document in found:
        failed = document.get("failed_chunks", 0)
        missing = f"; {counted(failed, 'chunk')} failed: provgraph ingest --retry" if failed else ""
        date = f", {document['date']}" if document["date"] else ""
        yield f"{document['title']}  ({counted(document['pages'], 'page')}{date}{missing})"
        if document["source"] and document["source"] != document["title"]:
            yield f"    {document['source']}"
        yield from _metadata_lines(document)
        yield f"    {document['id']}"


def _metadata_lines(document: dict[str, Any]) -> Iterator[str]:
    """Without what `provgraph sync` tells a changed file by."""
    shown = [
        f"{name}={value}"
        for name, values in document.get("metadata", {}).items()
        for value in values
        if name not in OF_SYNC
    ]
    if shown:
        yield f"    {', '.join(shown)}"


@click.command()
@click.argument("id")
@click.option(
    "--regions",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the pages of a PDF to this folder, as pictures with regions and cells drawn over them.",
)
@click.option(
    "--pages", "numbers", multiple=True, type=int, help="With --regions: only this page; repeat it."
)
@click.option("--title", default="", help="Change its title.")
@click.option(
    "--set", "pairs", multiple=True, metavar="NAME=VALUE", help="Change its metadata; may be repeated."
)
@click.option("--unset", multiple=True, metavar="NAME", help="Remove this metadata; may be repeated.")
@collection_option
@format_option("text", "json")
@target_options()
def document(
    target: Target,
    id: str,
    regions: Path | None,
    numbers: tuple[int, ...],
    collection: str,
    style: str,
    **changes: Any,
) -> None:
    """Show the pages, chunks and facts of document ID, or change its title and metadata.

    ID may be its file name or title. Each fact has its position.
    """
    given = given_metadata(changes["pairs"], None).values
    with connect(target) as service:
        found = service.get("/api/v1/documents", id=id, collection=collection).json()
        if any(changes.values()):
            kept = {
                name: values for name, values in found["metadata"].items() if name not in changes["unset"]
            }
            request = {"collection": collection, "document": found["id"], "title": changes["title"]}
            service.json("PUT", "/api/v1/documents/metadata", {**request, "metadata": {**kept, **given}})
            found = service.get("/api/v1/documents", id=found["id"], collection=collection).json()
        if regions:
            pages = [page for page in found["content"] if not numbers or page["number"] in numbers]
            _draw_regions(service, pages, regions, collection)
            return
    show({**found, "content": []} if any(changes.values()) and style == "text" else found, style, _tree_lines)


def _draw_regions(
    service: Service, pages: Iterable[Mapping[str, Any]], folder: Path, collection: str
) -> None:
    """A picture for each page: its regions in their order of reading, and the cells of its tables."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in pages:
        file = folder / f"page-{page['number']:04}.png"
        drawn = service.get("/api/v1/documents/page", id=page["id"], collection=collection, regions="true")
        file.write_bytes(drawn.content)
        say(str(file))


def _recognition(page: dict[str, Any]) -> str:
    found = page.get("recognition")
    return (
        f"  recognised with confidence {found['confidence']:.2f} by {found['by']} {found['version']}"
        if found
        else ""
    )


def _tree_lines(found: dict[str, Any]) -> Iterator[str]:
    by = f" by {', '.join(found['creators'])}" if found["creators"] else ""
    yield f"{found['title']}{by}  {found['date']}".rstrip()
    yield f"{found['id']}  {found['source']}  {found['media_type']}"
    yield from _metadata_lines(found)
    for page in found["content"]:
        yield f"  Page {page['number']}{_recognition(page)}"
        if page.get("warning"):
            yield f"    Warning: {page['warning']}"
        for chunk in page["chunks"]:
            yield f"    Chunk {chunk['number']}  characters {chunk['start']}–{chunk['end']}"
            for fact in chunk["facts"]:
                labels = f"({fact['subject']}, {fact['relation']}, {fact['object']})"
                by = f"  read by an older version: {fact['read_by']}" if fact.get("outdated") else ""
                yield f"      {labels}  {fact['confidence']:.2f}  at {fact['start']}–{fact['end']}{by}"
