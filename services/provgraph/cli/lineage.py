"""`provgraph lineage` and `provgraph compare`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from provgraph.cli.connection import Target, connect
from provgraph.cli.explanation import (
    Json,
    contradiction_lines,
    extraction_text,
    fact_text,
    place_text,
    shortened,
)
from provgraph.cli.options import collection_option, counted, format_option, show, target_options


@click.command()
@click.argument("subject")
@click.argument("relation")
@click.argument("object")
@collection_option
@format_option("text", "json")
@target_options()
def lineage(target: Target, subject: str, relation: str, object: str, collection: str, style: str) -> None:
    """Show every source of a fact, SUBJECT RELATION OBJECT, and every fact that contradicts it.

    Each is a label or an IRI; OBJECT may be a value. The exit status is 1 if no document states the fact.
    """
    with connect(target) as service:
        found = service.get("/api/v1/lineage", s=subject, p=relation, o=object, collection=collection).json()
    show(found, style, lineage_lines)
    if not found["sources"]:
        raise SystemExit(1)


def lineage_lines(found: Json) -> Iterator[str]:
    yield fact_text(found)
    documents, subgraphs = counted(found["documents"], "document"), counted(found["subgraphs"], "subgraph")
    yield f"Said in {documents}, contained in {subgraphs}." if found["sources"] else "Nothing says it."
    for source in found["sources"]:
        yield from _source_lines(source)
    yield from contradiction_lines(found["contradictions"])
    for fact in found["contradictions"]:
        for source in fact["sources"]:
            yield f"  “{shortened(source['text'], 160)}”"
            yield f"    {place_text(source)}"


def _source_lines(source: Json) -> Iterator[str]:
    yield f"  “{shortened(source['text'], 160)}”"
    yield f"    {place_text(source)}"
    yield f"    {source['document']}"
    yield f"    {source['chunk']}"
    yield f"    {source['subgraph']}"
    if made := source.get("extraction"):
        yield f"    {extraction_text(made)}, confidence {source['confidence']:.2f}"


@click.command()
@click.argument("id")
@click.option(
    "--by",
    type=click.Choice(["extractor", "model", "version"]),
    default="extractor",
    show_default=True,
    help="What to compare.",
)
@click.option("--between", multiple=True, metavar="NAME", help="A name to compare; give at least two.")
@collection_option
@format_option("text", "json")
@target_options()
def compare(target: Target, id: str, by: str, between: tuple[str, ...], collection: str, style: str) -> None:
    """Compare the facts that several extractors, models or versions found in document ID."""
    with connect(target) as service:
        found = service.get(
            "/api/v1/compare", id=id, by=by, between=list(between), collection=collection
        ).json()
    show(found, style, comparison_lines)


def comparison_lines(found: Json) -> Iterator[str]:
    """A table of who found how many, then the facts, those that all found first."""
    readers = found["readers"]
    width = max((len(reader["name"]) for reader in readers), default=0)
    width = max(width, len(found["by"]))
    yield f"{found['by']:<{width}}  {'facts':>7}  {'only here':>9}"
    for reader in readers:
        yield f"{reader['name']:<{width}}  {reader['facts']:>7,}  {reader['only']:>9,}"
    if len(readers) < 2:
        yield "There is nothing to compare it with. Ingest the document with another --extractor first."
        return
    yield f"Found by all: {counted(found['shared'], 'fact')} of {len(found['facts']):,}"
    groups: dict[tuple[str, ...], list[Json]] = {}
    for fact in found["facts"]:
        groups.setdefault(tuple(fact["found_by"]), []).append(fact)
    for names in sorted(groups, key=lambda names: (-len(names), names)):
        yield f"{'Only ' if len(names) == 1 else ''}{' and '.join(names)}"
        yield from (f"  {fact_text(fact)}" for fact in groups[names])
