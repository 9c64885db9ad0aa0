"""Steps that a computation takes: lines of Python that are run, however fast the machine is."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps(work: Callable[[], object]) -> int:
    """Lines run by `work` in this thread, and in threads that it begins, of the package's own code only: what libraries
    do in C is not seen."""
    count = 0

    def line(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, _event: str, _argument: object) -> Any:
        return line if "/provgraph/" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(call)
    threading.settrace(call)
    try:
        work()
    finally:
        sys.settrace(before)
        threading.settrace(None)
    return count
