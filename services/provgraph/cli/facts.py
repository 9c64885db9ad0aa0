"""`provgraph lineage`, `compare` and `entities`: what stands behind a fact, a document's facts, and a name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from provgraph.cli.connection import Service, Target, connect
from provgraph.cli.explanation import Json, contradiction_lines, extraction_text, fact_text, place_text
from provgraph.cli.options import collection_option, counted, format_option, show, target_options
from provgraph.cli.terminal import own_name, shortened
from provgraph.errors import InvalidInput


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


_VERDICTS = ("same", "apart", "undo")


@click.command()
@click.argument("name", default="")
@click.option("--same", nargs=2, metavar="A B", help="Record that A and B are the same.")
@click.option("--apart", nargs=2, metavar="A B", help="Record that A and B are different.")
@click.option("--undo", nargs=2, metavar="A B", help="Remove the decision about A and B.")
@click.option("--ambiguous", is_flag=True, help="List entities whose identity is uncertain.")
@collection_option
@format_option("text", "json")
@target_options()
def entities(
    target: Target, name: str, ambiguous: bool, collection: str, style: str, **asked: tuple[str, str] | None
) -> None:
    """Show which entities are the same as NAME and why, or decide it yourself. Facts are never changed.

    A and B are names or IRIs. Giving one name twice confirms that it stands for a single entity.
    """
    decisions = [(verdict, asked[verdict]) for verdict in _VERDICTS if asked[verdict]]
    if len(decisions) + bool(name) + ambiguous != 1:
        raise InvalidInput("Give a NAME, or one of --same, --apart, --undo and --ambiguous.")
    with connect(target) as service:
        if decisions:
            found: Any = _decided(service, *decisions[0], collection)
        else:
            query = {"ambiguous": "true"} if ambiguous else {"name": name}
            found = service.get("/api/v1/entities", collection=collection, **query).json()
    nobody = "No entity has an uncertain identity." if ambiguous else f"No entity named {name!r}."
    show(found, style, _decision_lines if decisions else entity_lines, nobody)
    if name and not found:
        raise SystemExit(1)


def entity_lines(found: list[Json]) -> Iterator[str]:
    for entity in found:
        types = f"  ({', '.join(entity['types'])})" if entity["types"] else ""
        yield f"{' · '.join(entity['labels'])}{types}"
        yield f"    {entity['id']}"
        if entity.get("doubt"):
            yield f"    Ambiguous: {entity['doubt']}."
        for other in entity["one_with"]:
            yield f"    One with {other['label']}  {other['id']}"
            for tie in other["ties"]:
                yield from _tie_lines(tie)
        for other in entity["apart"]:
            yield f"    Kept apart from {other['label']}  {other['id']}: {other['reason']}"
        for decision in entity["decisions"]:
            yield from (f"    {line}" for line in _decision_lines(decision))


def _tie_lines(tie: Json) -> Iterator[str]:
    yield f"      {tie['told']}"
    for source in tie["sources"]:
        yield f"        “{shortened(source['text'], 160)}”"
        yield f"          {place_text(source)}"


def _decided(service: Service, verdict: str, names: tuple[str, str] | None, collection: str) -> Json:
    body = {"verdict": verdict, "entities": names, "collection": collection, "by": own_name()}
    done: Json = service.json("POST", "/api/v1/entities/decisions", body)
    return done


def _decision_lines(decision: Json) -> Iterator[str]:
    verdict = "are one" if decision["verdict"] == "same" else "are not one"
    ids = " and ".join(decision["entities"])
    alone = f"{ids} is one thing" if len(decision["entities"]) == 1 else f"{ids} {verdict}"
    told = f"Decided by {decision['by']}, {decision['at'][:19]}: {alone}"
    yield f"{told}; undone {decision['undone'][:19]}." if decision.get("undone") else f"{told}."
