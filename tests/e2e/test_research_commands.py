"""`provgraph research build` against an arXiv of the suite's own: what is missing is named, Ctrl-C is clean."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

from e2e.commands import PROGRAMS, environment, run_here
from servers.arxiv_server import arxiv_server
from servers.papers import ALL, HOSTILE, TABLES

TOPIC = "tables"


def test_ctrl_c_ends_a_build_with_one_word_and_the_same_command_goes_on(tmp_path: Path) -> None:
    with arxiv_server(ALL) as arxiv:
        arxiv.withdrawn.add(HOSTILE.number)
        arxiv.busy = [429]
        command = ["research", "build", TOPIC, "--max", "3", "--data", str(tmp_path / "data")]
        env = {"PROVGRAPH_ARXIV_URL": arxiv.url}
        with subprocess.Popen(
            [str(PROGRAMS / "provgraph"), *command], env=environment(env), stderr=subprocess.PIPE, text=True
        ) as building:
            while not arxiv.asked and building.poll() is None:
                time.sleep(0.005)
            building.send_signal(signal.SIGINT)
            _, said = building.communicate(timeout=60)
        assert (said.split(), building.returncode) == (["Stopped."], 130)
        built = run_here(*command, env=env)
        print(built, arxiv.asked)
    assert built.status == 1  # one is missing
    assert f"{TABLES.title}: 2 pages, 2 chunks" in built.out
    assert "the paper may have been withdrawn" in built.err
    listed = json.loads(run_here("research", "papers", "--data", tmp_path / "data", "--format", "json").out)
    print(listed)
