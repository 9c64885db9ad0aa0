"""`provgraph sparql`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import click

from provgraph.cli.connection import Target, connect
from provgraph.cli.options import (
    collection_option,
    format_option,
    rdf_option,
    show,
    target_options,
)
from provgraph.cli.terminal import say
from provgraph.errors import InvalidInput

WIDEST_CELL: Final = 70
RESULT_TYPES: Final = {
    "json": "application/sparql-results+json, application/ld+json;q=0.5",
    "csv": "text/csv, text/turtle;q=0.5",
    "tsv": "text/tab-separated-values, text/turtle;q=0.5",
    "xml": "application/sparql-results+xml, application/rdf+xml;q=0.5",
    "turtle": "text/turtle, text/csv;q=0.5",
    "ntriples": "application/n-triples, text/csv;q=0.5",
    "trig": "application/trig, text/csv;q=0.5",
    "nquads": "application/n-quads, text/csv;q=0.5",
    "jsonld": "application/ld+json, application/sparql-results+json;q=0.5",
}


@click.command()
@click.argument("query", default="")
@click.option(
    "--saved",
    is_flag=False,
    flag_value="",
    metavar="[NAME]",
    help="Run a saved query; without NAME, list them.",
)
@click.option(
    "--param", "parameters", multiple=True, metavar="NAME=VALUE", help="A parameter of the saved query."
)
@rdf_option
@collection_option
@format_option("table", *RESULT_TYPES)
@target_options()
def sparql(target: Target, query: str, collection: str, style: str, **chosen: Any) -> None:
    """Run a SPARQL QUERY over facts and provenance; @FILE reads it from a file."""
    saved, parameters = chosen["saved"], _parameters(chosen["parameters"])
    if bool(query) == (saved is not None) or (parameters and not saved):
        raise InvalidInput("Give one query: its text, @FILE, or --saved NAME with its --param NAME=VALUE.")
    accept = RESULT_TYPES["csv" if style == "table" else style]
    asked = {"collection": collection, **({"rdf": chosen["rdf"]} if chosen["rdf"] else {})}
    with connect(target) as service:
        if saved == "":
            show(service.get("/api/v1/queries").json(), style, _saved)
            return
        if saved:
            path = f"/api/v1/queries/{quote(saved, safe='')}"
            answer = service.get(path, accept=accept, **{**parameters, **asked})
        else:
            text = _query(query).encode()
            answer = service.post("/sparql", text, "application/sparql-query", accept=accept, **asked)
    for header in ("ProvGraph-Syntax", "ProvGraph-Truncated"):
        if note := answer.headers.get(header):
            say(f"Note: {note}", err=True)
    if style == "table" and answer.headers["Content-Type"].startswith("text/csv"):
        _echo_table(answer.text)
    else:
        click.echo(answer.text, nl=not answer.text.endswith("\n"))


def _parameters(given: tuple[str, ...]) -> dict[str, str]:
    pairs = [text.partition("=") for text in given]
    for name, equals, _ in pairs:
        if not name or not equals or name in ("accept", "path", "self", "collection", "format", "rdf"):
            raise InvalidInput(f"{name[:80]!r} is not a parameter. Write --param NAME=VALUE.")
    return {name: value for name, _, value in pairs}


def _saved(found: list[dict[str, Any]]) -> Iterator[str]:
    for query in found:
        yield query["name"]
        yield f"    {query['description']}"
        for parameter in query["parameters"]:
            default = f"  [default: {parameter['default']}]" if parameter.get("default") else ""
            yield f"    --param {parameter['name']}={parameter['kind'].upper()}  {parameter['meaning']}{default}"


def _query(given: str) -> str:
    if not given.startswith("@"):
        return given
    try:
        return Path(given[1:]).read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"The query file {given[1:]} cannot be read ({error}). Check the path.") from error


def _cell(text: str) -> str:
    """A value on one line, cut to what a table can show; the other formats give it whole."""
    line = " ".join(text.split())
    return line if len(line) <= WIDEST_CELL else f"{line[: WIDEST_CELL - 1]}…"


def _echo_table(text: str) -> None:
    rows = [[_cell(cell) for cell in row] for row in csv.reader(io.StringIO(text))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for number, row in enumerate(rows):
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
        if number == 0:
            say("  ".join("-" * width for width in widths))
