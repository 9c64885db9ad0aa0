"""Extraction beside the event loop: in a thread for little text, in processes for much."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest

from provgraph.errors import Unavailable
from provgraph.extraction.facts import Fact, FactExtractor, Passage
from provgraph.extraction.workers import PROCESSES_FROM, ExtractionWorkers
from servers.alive import is_alive

MUCH = "word " * (PROCESSES_FROM // 5)

NAMER = """
import os, signal
from provgraph.extraction.facts import Entity, Fact

class ProcessNamer:
    name, version = "process-namer", "1"

    def extract(self, passage):
        if passage.title == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        return [Fact(Entity("a"), str(os.getpid()), Entity("b"), 1.0, 0, 1)]
"""
PARENT = """
# as scripts are often written: all of it is run on import, too
import asyncio, time
from process_namer import ProcessNamer
from provgraph.extraction.facts import Passage
from provgraph.extraction.workers import PROCESSES_FROM, ExtractionWorkers

workers = ExtractionWorkers(2)
much = [Passage("word " * (PROCESSES_FROM // 5))]

async def extract_twice():
    return await asyncio.gather(workers.extract(ProcessNamer(), much), workers.extract(ProcessNamer(), much))

asyncio.run(extract_twice())
print(*workers._pool._processes, flush=True)
time.sleep(60)
"""


@pytest.fixture
def namer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FactExtractor:
    """Names the process that it runs in, and ends it when the title says so."""
    (tmp_path / "process_namer.py").write_text(NAMER)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "process_namer", raising=False)
    extractor: FactExtractor = import_module("process_namer").ProcessNamer()
    return extractor


def processes(extracted: Sequence[Sequence[Fact]]) -> set[int]:
    return {int(fact.relation) for facts in extracted for fact in facts}


async def test_little_text_is_extracted_in_this_process(namer: FactExtractor) -> None:
    workers = ExtractionWorkers(2)
    assert processes(await workers.extract(namer, [Passage("a word")] * 3)) == {os.getpid()}


async def test_without_processes_much_text_is_extracted_here_too(namer: FactExtractor) -> None:
    workers = ExtractionWorkers(0)
    assert processes(await workers.extract(namer, [Passage(MUCH)])) == {os.getpid()}


async def test_a_thread_leaves_the_interpreter_to_answers_while_there_are_any(namer: FactExtractor) -> None:
    workers, rests, answering = ExtractionWorkers(0), list[float](), False
    workers.give_way(lambda: answering, rests.append)
    await workers.extract(namer, [Passage("a word")] * 3)
    assert not rests
    answering = True
    await workers.extract(namer, [Passage("a word")] * 3)
    assert len(rests) == 3
    assert min(rests) > 0


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks into /proc")
def test_a_process_ends_with_its_parent_even_when_that_is_killed(
    namer: FactExtractor, tmp_path: Path
) -> None:
    (tmp_path / "parent.py").write_text(PARENT)
    parent = subprocess.Popen([sys.executable, tmp_path / "parent.py"], stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    workers = [int(process) for process in parent.stdout.readline().split()]
    assert len(workers) == 2
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 10
    while any(map(is_alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(is_alive, workers))


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks into /proc")
async def test_a_killed_process_is_told_and_the_next_work_starts_anew(namer: FactExtractor) -> None:
    workers = ExtractionWorkers(1)
    with pytest.raises(Unavailable, match="process was killed"):
        await workers.extract(namer, [Passage(MUCH, "kill")])
    assert os.getpid() not in processes(await workers.extract(namer, [Passage(MUCH)]))
    workers.close()
