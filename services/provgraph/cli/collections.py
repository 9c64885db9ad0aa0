"""`provgraph collection`: what collections there are, and how each is read and asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from provgraph.cli.connection import Target, connect
from provgraph.cli.extraction import chosen_ontology
from provgraph.cli.options import echo_json, format_option, target_options
from provgraph.cli.terminal import say
from provgraph.errors import NotFound
from provgraph.extraction.names import EXTRACTORS

SETTINGS = ("engine", "method", "corrective", "rerank", "extractors", "ontology", "max_tokens", "sparing")


@click.command()
@click.argument("name", default="")
@click.option("--engine", type=click.Choice(["model-free", "model"]), help="What answers questions to it.")
@click.option("--method", help="How candidates are ranked.")
@click.option("--corrective/--no-corrective", default=None, help="Whether candidates are checked.")
@click.option("--rerank/--no-rerank", default=None, help="Whether candidates are scored a second time.")
@click.option(
    "--extractor",
    "extractors",
    multiple=True,
    type=click.Choice(EXTRACTORS),
    help="How its documents are read; may be given several times.",
)
@click.option("--ontology", help="An OWL or RDFS file to be guided by, or 'research', which is shipped.")
@click.option("--max-tokens", type=click.IntRange(min=1), help="The most tokens to spend on each file.")
@click.option("--sparing/--no-sparing", default=None, help="Whether rules go first, to save calls.")
@click.option(
    "--unset",
    multiple=True,
    type=click.Choice([*(each.replace("_", "-") for each in SETTINGS), "extractor"]),
    help="A setting to take back; may be given several times.",
)
@format_option("text", "json")
@target_options(create=True)
def collection(target: Target, name: str, unset: tuple[str, ...], style: str, **given: Any) -> None:
    """Show how the collection NAME is read and asked, or all collections; with options set it, and make it if need be.

    `ingest` and `ask` do as it says, unless they are told otherwise.
    """
    changes: dict[str, Any] = {
        key: list(value) if key == "extractors" else value
        for key, value in given.items()
        if value not in (None, ())
    }
    changes |= {"extractors" if key == "extractor" else key.replace("-", "_"): None for key in unset}
    if changes and not name:
        raise click.UsageError("Name the collection that is to be set.")
    if changes.get("ontology"):
        file, content = chosen_ontology(changes["ontology"])
        changes |= {"ontology": content.decode(errors="replace"), "ontology_name": file}
    with connect(target) as service:
        if changes:
            found = [service.json("POST", "/api/v1/collections", {"collection": name, **changes})]
        else:
            listed = service.get("/api/v1/collections").json()
            found = [each for each in listed if name in ("", each["collection"])]
    if not found:
        raise NotFound(f"There is no collection {name!r}. Ingest something into it, or set something of it.")
    if style == "json":
        echo_json(found[0] if name else found)
        return
    for each in found:
        for line in _lines(each):
            say(line)


def _lines(found: dict[str, Any]) -> Iterator[str]:
    yield found["collection"]
    if found.get("unavailable"):
        yield f"    {found['unavailable']}"
    settings = found["settings"]
    for key in SETTINGS:
        if (value := settings.get(key)) not in (None, "", [], 0):
            yield f"    {key.replace('_', ' ')}: {_said(value)}"


def _said(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(value)
        case {"name": name, "sha256": sha256}:
            return f"{name} (SHA-256 {sha256[:12]}…)"
    return str(value)
