"""`provgraph queue`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

from provgraph.cli.connection import Service, Target, connect
from provgraph.cli.options import counted, echo_json, format_option, target_options
from provgraph.cli.terminal import say


@click.command()
@click.argument("action", type=click.Choice(["show", "dead", "replay", "discard"]), default="show")
@click.argument("ids", nargs=-1, metavar="[ID…]")
@format_option("text", "json")
@target_options()
def queue(target: Target, action: str, ids: tuple[str, ...], style: str) -> None:
    """Show the ingest queue; list failed tasks (`dead`), retry them (`replay`) or drop them (`discard`).

    `replay` and `discard` take the ids that `dead` lists, or the word all.
    """
    if bool(ids) != (action in ("replay", "discard")):
        raise click.UsageError(
            "Give the ids of failed tasks with replay and discard, and no ids with show and dead."
        )
    with connect(target) as service:
        found = _found(service, action, ids)
    if style == "json":
        echo_json(found)
        return
    for each in found:
        _SAYING[action](each)
    if not found:
        say("Nothing was given up.", err=True)


def _found(service: Service, action: str, ids: tuple[str, ...]) -> list[dict[str, Any]]:
    if action == "show":
        waiting: list[dict[str, Any]] = service.get("/api/v1/queue").json()
        return waiting
    dead: list[dict[str, Any]] = (
        service.get("/api/v1/queue/dead").json() if action == "dead" or "all" in ids else []
    )
    if action == "dead":
        return dead
    chosen = [each["id"] for each in dead] if "all" in ids else list(ids)
    if action == "replay":
        return [service.json("POST", f"/api/v1/queue/dead/{each}/replay") for each in chosen]
    return [service.json("DELETE", f"/api/v1/queue/dead/{each}") for each in chosen]


def _say_depth(each: dict[str, Any]) -> None:
    say(
        f"{each['kind']}: {counted(each['waiting'], 'task')} waiting, {each['under_way']:,} under way, "
        f"{each['dead']:,} given up"
    )


def _say_dead(each: dict[str, Any]) -> None:
    files = ", ".join(each["files"]) or "nothing that can be read"
    say(f"{each['id']}  {each['at'][:19]}  {each['kind']} of {files}; {counted(each['attempts'], 'attempt')}")
    say(f"    {each['reason']}")


_SAYING: Final[dict[str, Callable[[dict[str, Any]], None]]] = {
    "show": _say_depth,
    "dead": _say_dead,
    "replay": lambda each: say(f"{each['id']} will be retried for job {each['job']}."),
    "discard": lambda each: say(f"{each['id']} is dropped."),
}
