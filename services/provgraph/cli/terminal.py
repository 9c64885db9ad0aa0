"""Text of documents on a terminal, as characters to read and never as commands to it; and who types there,
for what is recorded."""

from __future__ import annotations

import getpass
import json
from typing import Any

import click

from provgraph.client.control_characters import COMMANDS, harmless

__all__ = ["harmless", "json_text", "own_name", "say"]


def own_name() -> str:
    """The name of the user of this machine; nothing where it has none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def json_text(value: Any) -> str:
    """JSON for programs and people: what a terminal could obey is escaped, so the value stays what it is."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def say(text: str = "", *, err: bool = False) -> None:
    """A line, or several, for people; not for output that programs read."""
    click.echo(harmless(text), err=err)
