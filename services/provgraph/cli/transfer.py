"""`provgraph export`, `import` and `nanopub`: a collection as RDF, or as an archive with all of its library."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from provgraph.cli.archives import export_archive, import_archive, is_archive, say_imported
from provgraph.cli.connection import Service, Target, connect
from provgraph.cli.files import write_pieces
from provgraph.cli.options import collection_option, echo_json, format_option, rdf_option, target_options
from provgraph.cli.terminal import say
from provgraph.client.calls import RDF_FORMATS
from provgraph.errors import InvalidInput
from provgraph.rdf.graphs import DEFAULT_COLLECTION


@click.command()
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file instead of stdout.")
@click.option("--archive", is_flag=True, help="Write one ZIP file that includes the library.")
@click.option("--nanopubs", is_flag=True, help="Each fact as a nanopublication, in TriG.")
@click.option(
    "--graph",
    type=click.Choice(("knowledge", "source", "retrieval")),
    help="Only the facts, only where they were read, or only how questions were answered.",
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
        raise InvalidInput("An archive and nanopublications are two files. Give one of the two options.")
    style, rdf, graph = chosen["style"], chosen["rdf"] or "", chosen["graph"] or ""
    if (archive or nanopubs) and (rdf or graph):
        raise InvalidInput(
            "--rdf and --graph are of an export as RDF. Leave them out, or --archive or --nanopubs."
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
    pieces = service.pieces(path, "*/*", **query)
    if output is None:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
    else:
        size = write_pieces(output, pieces, output.name)
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
            done = service.upload("/api/v1/import", (file.name, _content(file)), fields)
    if style == "json":
        echo_json(done)
    elif is_archive(file):
        say_imported(done)
    else:
        say(f"{done['restored']} statements restored, {done['facts']} facts imported from {file.name}.")
        if done["left_out"]:
            say(f"{done['left_out']} statements on answers that are here were left out.", err=True)
        if done["restored"]:
            say("Page texts are no part of an export: ingest the same files here to have them.", err=True)


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read ({error.strerror}). Check its permissions.") from error
