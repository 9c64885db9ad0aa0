"""`provgraph traces --purge`: what would go is shown, asked about, and removed."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import click

from provgraph.cli.connection import Service
from provgraph.cli.options import Command, counted
from provgraph.cli.terminal import say
from provgraph.errors import InvalidInput


@dataclass(frozen=True)
class PurgeChoice:
    """The options of a purge: `older_than` an age or a time."""

    wanted: bool
    older_than: str
    dry_run: bool
    yes: bool


def purge_options(command: Command) -> Command:
    """`--purge`, `--older-than`, `--dry-run` and `--yes`, given to the command by the names of `PurgeChoice`."""
    options = (
        click.option("--purge", "wanted", is_flag=True, help="Remove old traces, and say how many."),
        click.option(
            "--older-than", default="", help="For --purge: an age such as 30d, 12h or 4w, or a date."
        ),
        click.option("--dry-run", is_flag=True, help="For --purge: show what would be removed."),
        click.option("--yes", is_flag=True, help="For --purge: remove without asking."),
    )
    for option in reversed(options):
        command = option(command)
    return command


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
