"""Text of documents and names of files as characters to read, and never as commands to a terminal."""

from __future__ import annotations

import re
from typing import Final

COMMANDS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e\ud800-\udfff]")
"""Control characters other than tab and line feed, what reverses text, and bytes that are no character."""


def harmless(text: str) -> str:
    """`text` with a replacement character for each that a terminal could obey."""
    return COMMANDS.sub("\ufffd", text)
