"""Text of documents on a terminal, as characters to read and never as commands to it; and who types there,
for what is recorded."""

from __future__ import annotations

import getpass
import json
from typing import Any, Final

import click

from provgraph.client.files import COMMANDS, harmless

__all__ = [
    "be_quiet",
    "complain",
    "harmless",
    "is_quiet",
    "json_line",
    "json_text",
    "own_name",
    "say",
    "shortened",
]

_QUIET: Final = "provgraph.quiet"


def be_quiet(context: click.Context) -> None:
    """From now on the command says nothing on stderr but errors, and shows no bar."""
    context.meta[_QUIET] = True


def is_quiet() -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


def own_name() -> str:
    """The name of the user of this machine; nothing where it has none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def json_text(value: Any) -> str:
    """JSON for programs and people: what a terminal could obey is escaped, so the value stays what it is."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return COMMANDS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def json_line(value: Any) -> str:
    """The same on one line."""
    text = json.dumps(value, ensure_ascii=False)
    return COMMANDS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def shortened(text: str, width: int = 100) -> str:
    """The text on one line of at most so many characters; what is longer ends in an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1].rstrip()}…"


def say(text: str = "", *, err: bool = False) -> None:
    """A line, or several, for people; not for output that programs read. What goes to stderr is left out where
    `--quiet` says so."""
    if not (err and is_quiet()):
        click.echo(harmless(text), err=err)


def complain(text: str) -> None:
    """An error on stderr, however quiet the command is."""
    click.echo(harmless(text), err=True)
