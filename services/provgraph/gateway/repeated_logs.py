"""Log lines that say the same again and again, told a few times and then counted: a log fills no disk.

Nor does it hold a password that stands in an address.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import Final

from provgraph.passwords import without_passwords

LINES: Final = 5
WINDOW_S: Final = 10.0
_MOST_KEYS: Final = 1000


@dataclass
class _Window:
    ends: float
    lines: int = 0
    left_out: int = 0


class RepeatedLines(logging.Filter):
    """Lets `LINES` lines of one kind through in each `WINDOW_S` seconds; the first of the next window says how many
    were left out. Lines are of one kind when logger, level and text before its values are put in are the same."""

    def __init__(self) -> None:
        super().__init__()
        self._windows: dict[tuple[str, int, str], _Window] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        key, now = (record.name, record.levelno, str(record.msg)[:200]), time.monotonic()
        window = self._windows.get(key)
        if window is None or now >= window.ends:
            left_out = window.left_out if window else 0
            window = self._opened(key, now)
            if left_out:
                record.msg = f"{record.getMessage()} (and {left_out:,} more like this since)"
                record.args = ()
        window.lines += 1
        if window.lines <= LINES:
            return True
        window.left_out += 1
        return False

    def _opened(self, key: tuple[str, int, str], now: float) -> _Window:
        if len(self._windows) >= _MOST_KEYS:
            self._windows.clear()
        self._windows[key] = _Window(now + WINDOW_S)
        return self._windows[key]


class NoPasswords(logging.Filter):
    """Takes passwords out of the addresses in a line and in its traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        if (told := without_passwords(said)) != said:
            record.msg, record.args = told, ()
        if record.exc_info and not record.exc_text:
            record.exc_text = without_passwords(_plain.formatException(record.exc_info))
        return True


_plain: Final = logging.Formatter()


def guard_logs() -> None:
    """Let every handler of this process leave out lines that repeat, and passwords."""
    repeated, without = RepeatedLines(), NoPasswords()
    loggers = [logging.getLogger(name) for name in ("", "uvicorn", "uvicorn.error", "asyncio")]
    handlers = {handler for logger in loggers for handler in logger.handlers}
    if logging.lastResort:
        handlers.add(logging.lastResort)
    for handler in handlers:
        handler.addFilter(repeated)
        handler.addFilter(without)
