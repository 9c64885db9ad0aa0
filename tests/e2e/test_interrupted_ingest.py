"""Ctrl-C during an ingest: one quiet word, no work that nobody waits for, and the same command again goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from e2e.commands import PROGRAMS, Serving, environment, invoke
from servers.openai_server import Answer, OpenAIServer

pytestmark = pytest.mark.slow

TEXT = "\n\n".join(["Stone and water. " * 12] * 7_000)
"""More than a million characters, or no workers are started; quick to read, as nothing is said of anything."""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for the workers in /proc")
def test_ctrl_c_shows_no_traceback_of_any_process_and_the_ingest_can_be_run_again(tmp_path: Path) -> None:
    (tmp_path / "stones.txt").write_text(TEXT)
    command = [str(Path(sys.executable).with_name("provgraph")), "ingest", "stones.txt", "--data", "data"]
    environment = {**os.environ, "PROVGRAPH_EXTRACTION_PROCESSES": "2"}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as ingest:
        while len(_group(ingest.pid)) < 3 and ingest.poll() is None:
            time.sleep(0.005)
        os.killpg(ingest.pid, signal.SIGINT)
        _, said = ingest.communicate(timeout=60)
    assert said.split() == ["Stopped."]
    assert ingest.returncode == 130


def test_ctrl_c_ends_the_calls_of_a_model_that_a_service_makes(
    tmp_path: Path, model_server: OpenAIServer, service_with_model: Serving
) -> None:
    """Each call would take longer than a client waits, and one is made at a time. A worker apart hears of it within a
    second, and may have begun another call until then."""
    model_server.answer(lambda asked: Answer('{"facts": []}', delay_s=0 if "Otters" in asked.user else 90))
    (tmp_path / "towns.txt").write_text("\n\n".join(f"Person{n} founded Town{n}." * 20 for n in range(40)))
    (tmp_path / "otters.txt").write_text("Otters eat fish.")
    to = ("--url", service_with_model.url, "--extractor", "agent")
    command = [str(PROGRAMS / "provgraph"), "ingest", *to, str(tmp_path / "towns.txt")]
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True) as ingest:
        while not model_server.asked and ingest.poll() is None:
            time.sleep(0.005)
        ingest.send_signal(signal.SIGINT)
        _, said = ingest.communicate(timeout=60)
    assert (said.split(), ingest.returncode) == (["Stopped."], 130)
    after = invoke("ingest", *to, tmp_path / "otters.txt")
    assert after.exit_code == 0, after.output
    of_otters = ["Otters" in asked.user for asked in model_server.asked]
    assert of_otters.count(True) == 1
    assert of_otters.count(False) <= 3


def _group(leader: int) -> list[int]:
    """The processes of a group: the command, and the workers that it has started."""
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return [pid for pid in pids if _group_of(pid) == leader]


def _group_of(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return 0
