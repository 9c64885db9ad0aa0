"""`provgraph traces` and `provgraph trace`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import click

from provgraph.cli.connection import Service, Target, connect
from provgraph.cli.explanation import trace_lines, why_not_lines
from provgraph.cli.files import picture_format, write_file
from provgraph.cli.options import (
    counted,
    echo_json,
    format_option,
    picture_option,
    rdf_option,
    show,
    target_options,
    together,
)
from provgraph.cli.terminal import say, shortened
from provgraph.errors import InvalidInput
from provgraph.provenance.prov_document import PROV_FORMATS

MEDIA_TYPES: Final = {
    "turtle": "text/turtle",
    "trig": "application/trig",
    "ntriples": "application/n-triples",
    "nquads": "application/n-quads",
    "jsonld": "application/ld+json",
    **PROV_FORMATS,
}


@dataclass(frozen=True)
class PurgeChoice:
    """The options of a purge: `older_than` an age or a time."""

    wanted: bool
    older_than: str
    dry_run: bool
    yes: bool


purge_options = together(
    click.option("--purge", "wanted", is_flag=True, help="Remove old traces, and say how many."),
    click.option("--older-than", default="", help="For --purge: an age such as 30d, 12h or 4w, or a date."),
    click.option("--dry-run", is_flag=True, help="For --purge: show what would be removed."),
    click.option("--yes", is_flag=True, help="For --purge: remove without asking."),
)
"""Given to the command by the names of `PurgeChoice`."""


@click.command()
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 10_000))
@click.option(
    "--stale", is_flag=True, help="Only answers whose evidence was deleted, changed or contradicted."
)
@purge_options
@format_option("text", "json")
@target_options()
def traces(target: Target, limit: int, stale: bool, style: str, **purge: Any) -> None:
    """List past questions, newest first, or remove old ones."""
    choice = PurgeChoice(**purge)
    with connect(target) as service:
        if choice.wanted:
            done = purge_traces(service, choice)
            echo_json(done) if style == "json" else say_purged(done)
            return
        found = service.get("/api/v1/traces", limit=limit, stale=str(stale).lower()).json()
    none_asked = 'No question was asked yet. Ask one with: provgraph ask "…"'
    show(found, style, _listed, "No answer is stale." if stale else none_asked)


def _listed(found: list[dict[str, Any]]) -> Iterator[str]:
    for session in found:
        query, outcome = shortened(session["query"], 300), session.get("outcome") or "running"
        yield f"{session['started'][:19]}  {outcome:<11}  {query}"
        yield f"    {session['session']}"
        if session["received"]:
            yield "    received from outside"
        for reason in session["stale"]:
            yield f"    stale: {reason}"


@click.command()
@click.argument("session")
@click.option(
    "--why-not",
    metavar="EDGE",
    help="Explain why an edge was not used: 'SUBJECT | RELATION | OBJECT', its IRI, or an entity's name.",
)
@picture_option("Draw the graph of the answer into an .svg or .png file.")
@rdf_option
@format_option("text", "json", *MEDIA_TYPES)
@target_options()
def trace(
    target: Target, session: str, why_not: str | None, picture: Path | None, rdf: str | None, style: str
) -> None:
    """Show SESSION (an IRI or a UUID) step by step, down to the source characters."""
    path = f"/api/v1/traces/{quote(session, safe='')}"
    kind = picture_format(picture) if picture else ""
    with connect(target) as service:
        if picture:
            draw_trace(service, session, picture, kind)
            return
        if why_not is not None:
            _tell_why_not(service.get(f"{path}/why-not", edge=why_not).json(), style)
            return
        if style in MEDIA_TYPES:
            query = {"rdf": rdf} if rdf else {}
            click.echo(service.get(path, accept=MEDIA_TYPES[style], **query).text, nl=False)
            return
        found = service.get(path).json()
    show(found, style, trace_lines)


def draw_trace(service: Service, session: str, picture: Path, kind: str) -> None:
    """Write the picture of a session into a file, as svg or png."""
    pieces = service.download(f"/api/v1/traces/{quote(session, safe='')}/picture", "*/*", format=kind)
    size = write_file(picture, pieces, picture.name)
    say(f"Wrote {picture} ({size:,} bytes).", err=True)


def _tell_why_not(found: dict[str, Any], style: str) -> None:
    if style not in ("text", "json"):
        raise InvalidInput("--why-not has the formats text and json. Choose one with --format.")
    show(found, style, why_not_lines)


def purge_traces(service: Service, choice: PurgeChoice) -> dict[str, Any]:
    """Purge, or say what a purge would do. Raises `InvalidInput` where nobody can be asked, and without an age."""
    if not choice.older_than:
        raise InvalidInput("Say how old with --older-than, such as --older-than 30d.")
    planned = _sent(service, choice.older_than, dry_run=True)
    if choice.dry_run or not planned["sessions"]:
        return planned
    if not choice.yes:
        if not sys.stdin.isatty():
            raise InvalidInput(f"{_summary(planned)} would be removed. Add --yes to remove them.")
        click.confirm(f"Remove {_summary(planned)} with answers, prompts and replies?", abort=True, err=True)
    return _sent(service, planned["before"], dry_run=False)


def say_purged(done: dict[str, Any]) -> None:
    if not done["sessions"]:
        say(f"No traces from before {done['before'][:19]}.")
    elif done["dry_run"]:
        say(f"{_summary(done)} would be removed. Nothing was removed.")
    else:
        say(f"Removed {_summary(done)}.\n    {done['purge']}")


def _summary(done: dict[str, Any]) -> str:
    span = f"{done['oldest'][:10]} to {done['newest'][:10]}"
    return f"{counted(done['sessions'], 'trace')} from {span}"


def _sent(service: Service, older_than: str, *, dry_run: bool) -> dict[str, Any]:
    done: dict[str, Any] = service.json(
        "DELETE", "/api/v1/traces", older_than=older_than, dry_run=str(dry_run).lower()
    )
    return done
