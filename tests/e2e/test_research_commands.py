"""`provgraph research build` against an arXiv of the suite's own: waits are seen, Ctrl-C is clean, a build goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import termios
from pathlib import Path

import pytest

from e2e.commands import PROGRAMS, environment, run_here
from servers.arxiv_server import ArxivServer
from servers.papers import HOSTILE, TABLES

pytestmark = pytest.mark.slow


def test_a_wait_for_arxiv_is_seen_ctrl_c_ends_it_with_one_word_and_the_same_command_goes_on(
    folder: Path, arxiv: ArxivServer
) -> None:
    arxiv.withdrawn.add(HOSTILE.number)
    arxiv.busy = [429]
    command = ["research", "build", "tables document", "--max", "3", "--data", str(folder)]
    shown, status = until_stopped([str(PROGRAMS / "provgraph"), *command], b"waiting 5 s for arXiv")
    assert status == 130
    assert shown.split()[-1] == "Stopped."
    assert "Traceback" not in shown
    built = run_here(*command)
    assert built.status == 1  # one is missing
    assert f"{TABLES.title}: 2 pages, 2 chunks" in built.out
    assert "the paper may have been withdrawn" in built.err
    found = json.loads(run_here("research", "papers", "--data", folder, "--format", "json").out)
    withdrawn = next(paper for paper in found["papers"] if paper["title"] == HOSTILE.title)
    assert withdrawn["abstract"]
    (gap,) = found["gaps"]
    assert gap["title"] == HOSTILE.title


def until_stopped(command: list[str], sight: bytes) -> tuple[str, int]:
    """What a command shows on a terminal that is stopped by Ctrl-C at the sight of some words, and its status."""
    terminal, its_end = os.openpty()
    termios.tcsetwinsize(its_end, (24, 120))
    with subprocess.Popen(command, env=environment(), stderr=its_end) as running:
        os.close(its_end)
        shown, piece, stopped = b"", b"", False
        while piece := read(terminal):
            shown += piece
            if sight in shown and not stopped:
                running.send_signal(signal.SIGINT)
                stopped = True
    os.close(terminal)
    return shown.decode(), running.returncode


def read(terminal: int) -> bytes:
    """What comes next; nothing when nobody is left to write."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""
