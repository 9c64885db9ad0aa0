"""Text of documents on a terminal, as characters to read and never as commands to it; and who types there,
for what is recorded."""

from __future__ import annotations

import getpass
import json
import re
from typing import Any, Final

import click


def own_name() -> str:
    """The name of the user of this machine; nothing where it has none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


_COMMANDS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e\ud800-\udfff]")
"""Control characters other than tab and line feed, what reverses text, and bytes that are no character."""


def harmless(text: str) -> str:
    """`text` with a replacement character for each that a terminal could obey."""
    return _COMMANDS.sub("\ufffd", text)


def json_text(value: Any) -> str:
    """JSON for programs and people: what a terminal could obey is escaped, so the value stays what it is."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def say(text: str = "", *, err: bool = False) -> None:
    """A line, or several, for people; not for output that programs read."""
    click.echo(harmless(text), err=err)
