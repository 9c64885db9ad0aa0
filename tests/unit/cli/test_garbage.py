"""A service collects its garbage where nobody waits for it. The collector is the process's, so each test has one."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import gc, time, weakref
from provgraph.cli.garbage import collect_aside

class Ring:
    def __init__(self):
        self.own = self

full = []
gc.callbacks.append(lambda phase, info: full.append(phase) if info["generation"] == 2 and phase == "start" else None)
collect_aside(look_s=0.1)
ring = Ring()
seen = weakref.ref(ring)
kept = [[number] for number in range(1_000_000)]
assert not full, "all was collected while there was work"
del ring
begun = time.process_time()
while time.process_time() - begun < 0.6:
    pass
deadline = time.monotonic() + 30
while seen() and time.monotonic() < deadline:
    time.sleep(0.05)
assert seen() is None and full
"""


def test_all_is_collected_when_there_is_little_to_do_and_not_before() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
