"""A program's commands, each in a process of its own that begins with what they all import: a second less for each."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from select import select
from typing import Final

_FORKING: Final = Path(__file__).with_name("forking.py")


class ForkedScripts:
    """Scripts for the Python interpreter at `python`, which imports `modules` once."""

    def __init__(self, python: Path, modules: Sequence[str]) -> None:
        self._command: list[str | Path] = [python, _FORKING, *modules]
        self._process: subprocess.Popen[str] | None = None
        atexit.register(self.close)

    def run(
        self,
        script: Path,
        arguments: Sequence[str],
        stdin: str,
        environment: Mapping[str, str],
        timeout_s: float,
    ) -> subprocess.CompletedProcess[str]:
        """A script that has ended. Raises `TimeoutExpired` for one that does not in that time: it is killed."""
        with tempfile.TemporaryDirectory() as place:
            files = [Path(place) / name for name in ("in", "out", "err")]
            for file, content in zip(files, (stdin, "", ""), strict=True):
                file.write_text(content)
            asked = {
                "script": str(script),
                "arguments": list(arguments),
                "files": [str(file) for file in files],
                "environment": dict(environment),
            }
            try:
                status = self._asked(json.dumps(asked), timeout_s)
            except TimeoutError as late:
                self.close()
                printed = [file.read_bytes() for file in files[1:]]
                raise subprocess.TimeoutExpired(script, timeout_s, *printed) from late
            except BaseException:
                self.close()
                raise
            return subprocess.CompletedProcess(script, status, files[1].read_text(), files[2].read_text())

    def close(self) -> None:
        """End the process, and a script that still runs; the next script is given a new one."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            with process:  # closes its pipes, and waits for its end
                pass

    def _asked(self, line: str, timeout_s: float) -> int:
        if self._process is None:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, process_group=0
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(line, file=self._process.stdin, flush=True)
        ready, _, _ = select([self._process.stdout], [], [], timeout_s)
        if not ready:
            raise TimeoutError
        return int(self._process.stdout.readline())
