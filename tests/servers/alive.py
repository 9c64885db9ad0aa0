"""Whether a process lives, for what no test is the parent of."""

from __future__ import annotations

from pathlib import Path


def is_alive(process: int) -> bool:
    """One that has ended and was not waited for does not count, and none does where there is no /proc."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
