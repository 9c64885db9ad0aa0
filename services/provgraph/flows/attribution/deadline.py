"""How long a check may take."""

from __future__ import annotations

import time
from typing import Final

from provgraph.errors import TimedOut

CHECKING_S: Final = 300.0
"""All of a check."""


class Deadline:
    """Raises `TimedOut` at the first step after `seconds`."""

    def __init__(self, seconds: float = CHECKING_S) -> None:
        self._seconds = seconds
        self._ends = time.monotonic() + seconds

    def step(self) -> None:
        if time.monotonic() > self._ends:
            raise TimedOut(
                f"The text could not be checked within {self._seconds:.0f} seconds. "
                "Check it in parts, or against fewer sources."
            )
