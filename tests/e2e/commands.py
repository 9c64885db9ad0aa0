"""The command line as a person runs it: each command a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from click.testing import CliRunner, Result

from provgraph.cli.program import main

PROGRAMS: Final = Path(sys.executable).parent
PATIENCE_S: Final = 60
GRANTED: Final[dict[str, str]] = {}
"""What every command is given at present: the token of a service that asks for one, or a setting."""


@dataclass(frozen=True)
class Done:
    """A process that has ended. Whatever went wrong, nobody was shown a traceback."""

    status: int
    out: str
    err: str


@contextmanager
def granted(given: Mapping[str, str]) -> Iterator[None]:
    """Every command is given these too, for as long as the context lasts."""
    before = dict(GRANTED)
    GRANTED.update(given)
    try:
        yield
    finally:
        GRANTED.clear()
        GRANTED.update(before)


def run(
    *arguments: str | Path,
    program: str = "provgraph",
    stdin: bytes = b"",
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> Done:
    ended = subprocess.run(
        [PROGRAMS / program, *arguments],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env=environment(env),
        timeout=PATIENCE_S,
        check=False,
    )
    done = Done(ended.returncode, ended.stdout.decode(), ended.stderr.decode())
    assert "Traceback" not in done.err, done.err
    return done


def run_here(
    *arguments: str | Path, stdin: bytes | None = None, env: Mapping[str, str] | None = None
) -> Done:
    """The same in this process, which is seconds quicker: for what is the same in every process."""
    given = [str(argument) for argument in arguments]
    ended = CliRunner().invoke(main, given, input=stdin, env=environment(env))
    assert ended.exception is None or isinstance(ended.exception, SystemExit), ended.exception
    return Done(ended.exit_code, ended.stdout, ended.stderr)


def environment(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment without settings of ProvGraph, and with the given changes."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PROVGRAPH_")}
    return {
        **own,
        "PROVGRAPH_EXTRACTION_PROCESSES": "0",
        "PROVGRAPH_READING_PROCESSES": "0",
        **GRANTED,
        **(changes or {}),
    }


def invoke(*arguments: str | Path, **env: str) -> Result:
    """A command in this process, which is quicker than one of its own."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], env=environment(env))


@dataclass(frozen=True)
class Serving:
    """A `provgraph serve` that says it listens at `url`, and what it asks its clients for."""

    process: subprocess.Popen[str]
    url: str
    token: str = ""

    def stop(self, number: int = signal.SIGINT) -> Done:
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=PATIENCE_S)
        return Done(self.process.returncode, out, err)


@contextmanager
def serving(
    data: Path, *arguments: str, env: Mapping[str, str] | None = None, command: Sequence[str | Path] = ()
) -> Iterator[Serving]:
    """A service of the folder on a free port, stopped in the end if the test has not done it."""
    process = subprocess.Popen(
        list(command) or [PROGRAMS / "provgraph", "serve", "--port", "0", "--data", data, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(env),
    )
    try:
        assert process.stderr is not None
        before, found = list[str](), None
        while not found and (
            line := process.stderr.readline()
        ):  # a watched one may tell that its start was slow
            before.append(line)
            found = re.search(r" at (https?://\S+)", line)
        assert found, "".join(before)
        yield Serving(process, found[1])
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()
