"""TrustGraph's published command line, as it is, in a virtual environment of its own.

`TRUSTGRAPH_CLIENT` names that environment. Where it is not set, one is made once in the user's cache, which needs a
package index; where there is none, the tests that need it are skipped, unless the variable is set.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from e2e.commands import PATIENCE_S, Done, environment
from servers.forked import ForkedScripts

VARIABLE: Final = "TRUSTGRAPH_CLIENT"
CACHE: Final = (
    Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "provgraph" / "trustgraph-cli"
)
PACKAGES: Final = """
    trustgraph-cli trustgraph-base aiohappyeyeballs aiohttp aiosignal attrs certifi charset-normalizer frozenlist idna
    msgpack multidict prometheus-client propcache pyparsing rdflib requests tabulate typing-extensions urllib3
    websockets yarl
""".split()
"""What the commands import: without the clients of message queues, which no command here uses, half the size."""


SHARED: Final = ("trustgraph.api", "tabulate", "rdflib", "websockets")
"""What most commands import first."""


@cache
def _scripts(folder: Path) -> ForkedScripts:
    return ForkedScripts(folder / "python", SHARED)


@dataclass(frozen=True)
class TrustGraphClient:
    """The commands in `folder`, spoken to the service at `url`."""

    folder: Path
    url: str
    token: str = ""

    def __call__(self, command: str, *arguments: str | Path, stdin: str = "") -> Done:
        """Run a command to its end. Whatever went wrong, nobody was shown a traceback, and nothing hung."""
        own = {"TRUSTGRAPH_URL": self.url, "TRUSTGRAPH_API": self.url, "PYTHONUNBUFFERED": "1"}
        env = {**environment(), **own, **({"TRUSTGRAPH_TOKEN": self.token} if self.token else {})}
        ended = _scripts(self.folder).run(
            self.folder / command,
            [str(argument) for argument in arguments],
            stdin,
            _without(env, "TRUSTGRAPH_TOKEN" if not self.token else ""),
            PATIENCE_S,
        )
        done = Done(ended.returncode, ended.stdout, ended.stderr)
        assert "Traceback" not in done.err, done.err
        return done

    def commands(self) -> set[str]:
        return {path.name for path in self.folder.glob("tg-*")}


def programs() -> Path:
    """The folder of the client's commands, installed if need be."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named) / "bin"
    if not (CACHE / "bin" / "tg-show-flows").exists():
        try:
            install(CACHE)
        except subprocess.CalledProcessError as error:
            shutil.rmtree(CACHE, ignore_errors=True)
            pytest.skip(f"trustgraph-cli could not be installed: {error.stderr.decode()[-300:]}")
    return CACHE / "bin"


def install(folder: Path) -> None:
    """Make the environment, of the newest versions of the packages."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
    pip = [str(folder / "bin" / "pip"), "install", "--quiet", "--no-deps", *PACKAGES]
    subprocess.run(pip, check=True, capture_output=True)


def _without(env: Mapping[str, str], name: str) -> dict[str, str]:
    return {key: value for key, value in env.items() if key != name}


if __name__ == "__main__":
    install(Path(sys.argv[1]))
