"""Children are small by themselves and large together: the largest is ended."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import ExitStack

from provgraph.adapters.child_memory import ChildMemory, held

HOLDING = "import sys, time; held = b'a' * (int(sys.argv[1]) * 1_000_000); print('ready', flush=True); time.sleep(60)"


def holding(megabytes: int, within: ExitStack) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", HOLDING, str(megabytes)]
    child = within.enter_context(
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    )
    within.callback(child.kill)
    assert child.stdout
    assert child.stdout.readline() == "ready\n"
    return child


def test_the_largest_child_is_ended_where_all_together_have_too_much() -> None:
    memory = ChildMemory(150_000_000)
    with ExitStack() as within:
        small, large = holding(60, within), holding(80, within)
        one = within.enter_context(memory.counted(small.pid))
        other = within.enter_context(memory.counted(large.pid))
        time.sleep(0.3)
        assert (one.is_ended, other.is_ended) == (False, False)
        within.enter_context(memory.counted(holding(70, within).pid))
        assert large.wait(5) < 0
        time.sleep(0.3)
        assert (one.is_ended, other.is_ended) == (False, True)
        assert small.poll() is None


def test_what_is_allowed_for_a_file_counts() -> None:
    memory = ChildMemory(50_000_000)
    with ExitStack() as within:
        child = holding(80, within)
        within.enter_context(memory.counted(child.pid, more=100_000_000))
        time.sleep(0.3)
        assert child.poll() is None
        assert held(child.pid) > 80_000_000
