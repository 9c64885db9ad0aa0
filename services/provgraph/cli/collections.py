"""`provgraph collection`: what collections there are, and how each is read and asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from provgraph.cli.connection import Service, Target, connect
from provgraph.cli.extraction import chosen_ontology
from provgraph.cli.options import counted, echo_json, format_option, target_options
from provgraph.cli.terminal import say
from provgraph.errors import NotFound
from provgraph.extraction.names import ACCEPTED, EXTRACTORS

SETTINGS = ("engine", "method", "corrective", "rerank", "extractors", "ontology", "max_tokens", "sparing")


@click.command()
@click.argument("name", default="")
@click.option(
    "--engine",
    type=click.Choice(["model-free", "model"]),
    help="Answer questions with the language model or without it.",
)
@click.option("--method", help="How candidates are ranked.")
@click.option("--corrective/--no-corrective", default=None, help="Check retrieved candidates for relevance.")
@click.option("--rerank/--no-rerank", default=None, help="Rerank candidates.")
@click.option(
    "--extractor",
    "extractors",
    multiple=True,
    type=click.Choice(ACCEPTED),
    metavar=f"[{'|'.join(EXTRACTORS)}]",
    help="An extractor to read documents with; may be repeated.",
)
@click.option(
    "--ontology", help="An OWL or RDFS file to guide extraction, or 'research' for the one that is included."
)
@click.option("--max-tokens", type=click.IntRange(min=1), help="Token limit per file.")
@click.option(
    "--rules-first/--no-rules-first",
    "--sparing/--no-sparing",
    "sparing",
    default=None,
    help="Run rules first, and send only chunks without facts to the model.",
)
@click.option(
    "--unset",
    multiple=True,
    type=click.Choice([*(each.replace("_", "-") for each in SETTINGS), "extractor"]),
    help="A setting to reset; may be repeated.",
)
@format_option("text", "json")
@target_options(create=True)
def collection(target: Target, name: str, unset: tuple[str, ...], style: str, **given: Any) -> None:
    """Show the settings of collection NAME, or list all collections; with options, change them or create it.

    `ingest` and `ask` use these settings unless an option overrides them.
    """
    changes: dict[str, Any] = {
        key: list(value) if key == "extractors" else value
        for key, value in given.items()
        if value not in (None, ())
    }
    changes |= {"extractors" if key == "extractor" else key.replace("-", "_"): None for key in unset}
    if changes and not name:
        raise click.UsageError("Name the collection to change.")
    if changes.get("ontology"):
        file, content = chosen_ontology(changes["ontology"])
        changes |= {"ontology": content.decode(errors="replace"), "ontology_name": file}
    with connect(target) as service:
        if changes:
            found = [service.json("POST", "/api/v1/collections", {"collection": name, **changes})]
        else:
            listed = service.get("/api/v1/collections").json()
            found = [each for each in listed if name in ("", each["collection"])]
        reachable = bool(name and found and not changes and not found[0].get("unavailable"))
        readings = _readings(service, name) if reachable else {}
    if not found:
        raise NotFound(
            f"There is no collection {name!r}. Ingest a document into it, or give an option to create it."
        )
    if style == "json":
        echo_json(found[0] | readings if name else found)
        return
    for each in found:
        for line in (*_lines(each), *_reading_lines(readings.get("readings", []))):
            say(line)


def _lines(found: dict[str, Any]) -> Iterator[str]:
    yield found["collection"]
    if found.get("unavailable"):
        yield f"    {found['unavailable']}"
    settings = found["settings"]
    for key in SETTINGS:
        if (value := settings.get(key)) not in (None, "", [], 0):
            yield f"    {key.replace('_', ' ')}: {_setting_text(value)}"


def _readings(service: Service, collection: str) -> dict[str, Any]:
    readings: dict[str, Any] = service.get("/api/v1/documents/readings", collection=collection).json()
    return readings


def _reading_lines(readings: list[dict[str, Any]]) -> Iterator[str]:
    """Which versions of which extractors read the documents."""
    for each in readings:
        model = f" with {each['model']}" if each["model"] else ""
        size = f"{counted(each['documents'], 'document')}, {counted(each['chunks'], 'chunk')}"
        old = "; outdated: provgraph ingest --reread" if each["outdated"] else ""
        yield f"    read by {each['extractor']} {each['version']}{model}: {size}{old}"


def _setting_text(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(value)
        case {"name": name, "sha256": sha256}:
            return f"{name} (SHA-256 {sha256[:12]}…)"
    return str(value)
