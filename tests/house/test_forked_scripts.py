"""A script that hangs takes nothing with it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from servers.alive import is_alive
from servers.forked import ForkedScripts


def test_a_script_that_does_not_end_is_killed_and_the_next_one_runs(tmp_path: Path) -> None:
    (tmp_path / "hangs.py").write_text("import os, time; print(os.getpid(), flush=True); time.sleep(1000)")
    (tmp_path / "echoes.py").write_text("import sys; print(sys.stdin.read(), *sys.argv[1:]); sys.exit(3)")
    scripts = ForkedScripts(Path(sys.executable), ["json"])
    with pytest.raises(subprocess.TimeoutExpired) as late:
        scripts.run(tmp_path / "hangs.py", [], "", os.environ, timeout_s=1)
    hanging = int(late.value.stdout or "")
    ended = scripts.run(tmp_path / "echoes.py", ["there"], "hello", os.environ, timeout_s=60)
    assert (ended.returncode, ended.stdout) == (3, "hello there\n")
    assert not is_alive(hanging)
    scripts.close()
