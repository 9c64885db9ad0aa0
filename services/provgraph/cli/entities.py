"""`provgraph entities`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from provgraph.cli.connection import Service, Target, connect
from provgraph.cli.explanation import Json, place_text, shortened
from provgraph.cli.options import collection_option, format_option, show, target_options
from provgraph.cli.terminal import own_name
from provgraph.errors import InvalidInput

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
