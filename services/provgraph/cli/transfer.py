"""`provgraph export`, `import`, `nanopub`, `backup` and `restore`."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click

from provgraph.cli.connection import Service, Target, connect
from provgraph.cli.files import file_blocks, write_file
from provgraph.cli.options import (
    collection_option,
    counted,
    echo_json,
    format_option,
    rdf_option,
    show,
    target_options,
)
from provgraph.cli.progress import StepProgress, awaited
from provgraph.cli.terminal import say
from provgraph.client.calls import RDF_FORMATS
from provgraph.client.files import content_of, readable
from provgraph.errors import InvalidInput
from provgraph.rdf.graphs import DEFAULT_COLLECTION


@click.command()
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file instead of stdout.")
@click.option("--archive", is_flag=True, help="Write one ZIP file that includes the library.")
@click.option("--nanopubs", is_flag=True, help="Write each fact as a nanopublication, in TriG.")
@click.option(
    "--graph",
    type=click.Choice(("knowledge", "source", "retrieval")),
    help="Export one graph: the facts, where they were read, or how questions were answered.",
)
@rdf_option
@collection_option
@format_option(*RDF_FORMATS)
@target_options()
def export(
    target: Target, output: Path | None, archive: bool, nanopubs: bool, collection: str, **chosen: Any
) -> None:
    """Export the three graphs of a collection as RDF, or the whole collection as an archive."""
    if archive and nanopubs:
        raise InvalidInput("--archive and --nanopubs exclude each other. Leave out one of them.")
    style, rdf, graph = chosen["style"], chosen["rdf"] or "", chosen["graph"] or ""
    if (archive or nanopubs) and (rdf or graph):
        raise InvalidInput(
            "--rdf and --graph are for an export as RDF. Leave out either them or --archive and --nanopubs."
        )
    with connect(target) as service:
        if archive:
            export_archive(service, output, collection)
        elif nanopubs:
            _write(service, output, "/api/v1/nanopubs", collection=collection)
        else:
            choice = {"format": style, "rdf": rdf, "graph": graph}
            _write(service, output, "/api/v1/export", collection=collection, **choice)


@click.command()
@click.argument("subject")
@click.argument("relation")
@click.argument("object")
@collection_option
@target_options()
def nanopub(target: Target, subject: str, relation: str, object: str, collection: str) -> None:
    """Write one fact as a nanopublication, in TriG. Its parts are IRIs; OBJECT may be a literal as in N-Triples."""
    with connect(target) as service:
        _write(service, None, "/api/v1/nanopubs", s=subject, p=relation, o=object, collection=collection)


def _write(service: Service, output: Path | None, path: str, **query: str) -> None:
    pieces = service.download(path, "*/*", **query)
    if output is None:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
    else:
        size = write_file(output, pieces, output.name)
        say(f"Wrote {output} ({size:,} bytes).", err=True)


@click.command(name="import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-C", "--collection", default="", help="The collection. [default: default; of an archive, its own]"
)
@format_option("text", "json")
@target_options(create=True)
def import_(target: Target, file: Path, collection: str, style: str) -> None:
    """Import an archive or RDF export of ProvGraph as it was, or other RDF as a document with facts."""
    with connect(target) as service:
        if is_archive(file):
            done = import_archive(service, file, collection)
        else:
            fields = {"collection": collection or DEFAULT_COLLECTION}
            done = service.upload("/api/v1/import", [(file.name, content_of(file))], fields)
    if style == "json":
        echo_json(done)
    elif is_archive(file):
        say_imported(done)
    else:
        say(f"{done['restored']} statements restored, {done['facts']} facts imported from {file.name}.")
        if done["left_out"]:
            say(f"{done['left_out']} statements on answers that are here were left out.", err=True)
        if done["restored"]:
            say("Page texts are not part of an export: to have them, ingest the same files here.", err=True)


ZIP: Final = "application/zip"
_MB: Final = 1_000_000
_SEPARATORS: Final = tuple(filter(None, (os.sep, os.altsep)))


def is_archive(file: Path) -> bool:
    """Whether the file is a ZIP file, whatever its name."""
    with readable(file), file.open("rb") as content:
        return content.read(2) == b"PK"


def export_archive(service: Service, output: Path | None, collection: str) -> None:
    """Write the archive of a collection. Raises `InvalidInput` without a file to write."""
    if output is None:
        raise InvalidInput("An archive is written to a file. Name one: --output FILE.provgraph.zip.")
    size = write_file(output, service.download("/api/v1/archive", ZIP, collection=collection), "archive")
    say(f"Wrote {output} ({size:,} bytes).", err=True)


def import_archive(service: Service, file: Path, collection: str) -> dict[str, Any]:
    """Send an archive, and show what is done with it; what was new, at the end."""
    sent = file_blocks(file, "sending")
    events = service.events_of_sent("/api/v1/archive", sent, ZIP, collection=collection)
    return awaited(events, "imported")[-1]


def say_imported(done: dict[str, Any]) -> None:
    holds = f"{counted(done['documents'], 'document')} and {counted(done['sessions'], 'trace')}"
    if done["statements"] or done["contents"]:
        new = f"{counted(done['statements'], 'statement')} and {counted(done['contents'], 'content')} new"
    else:
        new = "nothing new"
    say(f"{done['collection']}: {holds}; {new}.")


@click.command()
@click.argument("path")
@format_option("text", "json")
@target_options()
def backup(target: Target, path: str, style: str) -> None:
    """Back up everything to PATH: a file, or a folder in which to create one named after the time.

    PATH is a folder if it exists as one or ends in a slash. The service keeps answering and ingesting meanwhile.
    """
    with connect(target) as service:
        file = _backup_file(path)
        size = write_file(file, service.download("/api/v1/backup", ZIP), "backup", private=True)
    show({"file": str(file), "bytes": size}, style, lambda _: (f"Wrote {file} ({size:,} bytes).",))


def _backup_file(path: str) -> Path:
    """Raises `InvalidInput` where the file is there already, or its folder cannot be made."""
    file = Path(path)
    if file.is_dir() or path.endswith(_SEPARATORS):
        try:
            file.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput(
                f"The folder {file} cannot be created ({error.strerror}). Name another folder, or a file."
            ) from error
        file /= f"provgraph-backup-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.zip"
    if file.exists():
        raise InvalidInput(f"{file} already exists. Name another file, or a folder.")
    return file


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@format_option("text", "json")
@target_options(create=True, remote=False)
def restore(target: Target, file: Path, style: str) -> None:
    """Restore backup FILE into a new folder, named with --data."""
    from provgraph.archiving.snapshot import RestoreProgress, restored

    with StepProgress() as progress:
        for step in restored(file, target.data, target.settings.max_archive_mb * _MB):
            if isinstance(step, RestoreProgress):
                progress.show(step.doing, step.done, step.total)
            else:
                manifest = step
    if style == "json":
        echo_json({"data": str(target.data), "made": manifest.made, "provgraph": manifest.provgraph})
    else:
        say(f"Restored {target.data}, as it was at {manifest.made}.")
