"""A reply of one JSON object a line, read while it streams, whatever stands around the lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

_AROUND_JSON: Final = re.compile(r"```\w*|[\[\],\s]*")


class JsonLines:
    """Gives the value of each line that is complete; None for a line that is no JSON.

    Empty lines, Markdown fences, the brackets of a list over several lines, and lines that are `beside` are passed
    over.
    """

    def __init__(self, beside: re.Pattern[str] | None = None) -> None:
        self._beside = beside
        self._line = ""

    def feed(self, piece: str) -> Iterator[Any]:
        *lines, self._line = (self._line + piece).split("\n")
        for line in lines:
            yield from self._values(line)

    def finish(self) -> Iterator[Any]:
        """The last line, which no line feed ended."""
        line, self._line = self._line, ""
        yield from self._values(line)

    def _values(self, line: str) -> Iterator[Any]:
        line = line.strip()
        if _AROUND_JSON.fullmatch(line) or (self._beside and self._beside.fullmatch(line)):
            return
        try:
            yield json.loads(line.rstrip(","), strict=False)
        except (ValueError, RecursionError):
            yield None
