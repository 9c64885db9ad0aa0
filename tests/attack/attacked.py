"""A service under attack, and what others see of it meanwhile: whether it answers, how fast, and its memory."""

from __future__ import annotations

import atexit
import math
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import httpx2

from e2e.commands import Serving, serving
from servers.direct import DIRECT

TOKEN: Final = "attacked-by-tests"
TEXT: Final = "Marie Curie discovered polonium in 1898. She was born in Warsaw."
QUESTION: Final = "Who discovered polonium?"
MOST_MEMORY_MB: Final = 1000
HELD_UP_S: Final = 1.0
"""Health must come sooner, but for what a busy machine takes; what an attack held up took seconds."""

USUAL_S: Final = 0.1
_LONG_S: Final = 0.6

_CONTROL: Final = """
from http.server import BaseHTTPRequestHandler, HTTPServer

class Answering(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass

server = HTTPServer(("127.0.0.1", 0), Answering)
print(server.server_port, flush=True)
server.serve_forever()
"""


@dataclass(frozen=True)
class Attacked:
    """`client` has the token; who attacks without one makes a client of its own."""

    serving: Serving
    client: httpx2.Client

    @property
    def url(self) -> str:
        return self.serving.url

    @property
    def process(self) -> int:
        return self.serving.process.pid

    @property
    def address(self) -> tuple[str, int]:
        split = urlsplit(self.url)
        return split.hostname or "", split.port or 0

    def ask(self) -> str:
        """What the service says to an honest question."""
        told = self.client.post("/api/v1/graph-rag", json={"query": QUESTION})
        assert told.status_code == 200, told.text
        return str(told.json()["response"])


@dataclass
class Beside:
    """What somebody else saw of the service during an attack: seconds that `/health` took, without those in which the
    machine was busy with others, those that an idle server on the same machine took, the most memory, and who
    held it."""

    waits: list[float] = field(default_factory=list)
    control: list[float] = field(default_factory=list)
    memory_mb: float = 0
    held_by: str = ""
    begun: threading.Event = field(default_factory=threading.Event)


@contextmanager
def attacked(data: Path, env: Mapping[str, str] | None = None) -> Iterator[Attacked]:
    """A service of a new folder with one document in it."""
    given = {
        "PROVGRAPH_TOKEN": TOKEN,
        "PROVGRAPH_EXTRACTION_PROCESSES": "0",
        "PROVGRAPH_READING_PROCESSES": "2",
        "PROVGRAPH_SPARQL_TIMEOUT_S": "2",
        **(env or {}),
    }
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with (
        serving(data, env=given) as made,
        httpx2.Client(base_url=made.url, headers=headers, timeout=30, **DIRECT) as client,
    ):
        service = Attacked(made, client)
        sent = client.post("/api/v1/documents", json={"text": TEXT, "name": "curie.txt"})
        finished(client, sent.json()["id"])
        service.ask()
        yield service


def finished(client: httpx2.Client, job: str, within_s: float = 60) -> dict[str, object]:
    """The job when it has ended; fails when it has not by then."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        told: dict[str, object] = client.get(f"/api/v1/jobs/{job}").json()
        if told["state"] not in ("waiting", "queued", "running"):
            return told
        time.sleep(0.05)
    raise AssertionError(f"job {job} has not ended within {within_s} s: {told}")


@contextmanager
def others_go_on(service: Attacked) -> Iterator[Beside]:
    """While the block attacks, somebody asks `/health`; it fails where they waited, or memory ran away."""
    seen, ended = Beside(), threading.Event()
    watching = threading.Thread(target=watch, args=(service, seen, ended))
    watching.start()
    seen.begun.wait(20)
    try:
        yield seen
    finally:
        ended.set()
        watching.join()
    machine_s = 3 * max(seen.control)
    assert max(seen.waits) < HELD_UP_S + machine_s, f"the service stood still for {max(seen.waits):.1f} s"
    usual_s = USUAL_S + 3 * statistics.median(seen.control)
    assert len(seen.waits) < 5 or statistics.median(seen.waits) < usual_s, sorted(seen.waits)
    assert seen.memory_mb < MOST_MEMORY_MB, f"{seen.memory_mb:.0f} MB"
    assert service.ask()


def watch(service: Attacked, seen: Beside, ended: threading.Event, is_told: bool = False) -> None:
    """Ask `/health` again and again. With `is_told` the service (`attack.watched`) writes down what its threads do
    while it keeps somebody waiting."""
    control = _idle_server()
    with httpx2.Client(timeout=20, **DIRECT) as client:
        while True:
            queued, worked = queued_s(service.process), processor_s(service.process)
            teller = threading.Timer(_LONG_S, os.kill, (service.process, signal.SIGUSR1))
            if is_told:
                teller.start()
            seconds = _seconds(client, f"{service.url}/health")
            teller.cancel()
            in_queue = max(0.0, queued_s(service.process) - queued)  # what ended threads waited is forgotten
            waited = max(0.0, seconds - in_queue)
            if math.isfinite(waited) and machine_is_busy():
                waited = min(waited, processor_s(service.process) - worked)
            seen.waits.append(waited)
            seen.control.append(_seconds(client, control))
            seen.begun.set()
            if (memory := memory_mb(service.process)) > seen.memory_mb:
                seen.memory_mb, seen.held_by = memory, held_by(service.process)
            if ended.wait(0.05):
                return


def _seconds(client: httpx2.Client, url: str) -> float:
    """Until an answer came, or nobody waited any longer; for ever where nobody listened."""
    begun = time.monotonic()
    try:
        client.get(url).raise_for_status()
    except httpx2.TimeoutException:
        pass  # on a machine that is busy with others it is no fault
    except httpx2.HTTPError:
        return math.inf
    return time.monotonic() - begun


@cache
def _idle_server() -> str:
    """The address of a server that has nothing else to do until this process ends: what it takes to answer, the machine
    takes."""
    process = subprocess.Popen([sys.executable, "-S", "-c", _CONTROL], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    atexit.register(process.kill)
    return f"http://127.0.0.1:{int(process.stdout.readline())}/"


def queued_s(process: int) -> float:
    """How long the threads of a process were ready to go on, and the machine had no processor for them: what a busy
    machine takes, and no fault of the service (Linux, Documentation/scheduler/sched-stats.rst)."""
    seconds = 0.0
    for told in Path(f"/proc/{process}/task").glob("*/schedstat"):
        with suppress(OSError, ValueError, IndexError):
            seconds += int(told.read_text().split()[1]) / 1e9
    return seconds


def processor_s(process: int) -> float:
    """What a process has computed: where it got no processor, it held nobody up."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def machine_is_busy() -> bool:
    """Whether something waited for a processor more than half of the last ten seconds (Linux, accounting/psi.rst)."""
    try:
        told = Path("/proc/pressure/cpu").read_text()
    except OSError:
        return False
    return float(told.split()[1].removeprefix("avg10=")) > 50


def memory_mb(process: int) -> float:
    """Of a process and its children. One that is just being started is its parent's memory still (vfork, or a copy on
    write), and counts with what it has beyond that."""
    own, command = _resident_mb(process), _command(process)
    started = children(process)
    copies = [each for each in started if _command(each) == command]
    return (
        own
        + sum(memory_mb(each) for each in started if each not in copies)
        + sum(max(0.0, _resident_mb(each) - own) for each in copies)
    )


def _resident_mb(process: int) -> float:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096 / 1e6
    except OSError:
        return 0


def _command(process: int) -> str:
    try:
        return (
            Path(f"/proc/{process}/cmdline")
            .read_bytes()
            .replace(b"\0", b" ")
            .decode(errors="replace")
            .strip()
        )
    except OSError:
        return ""


def held_by(process: int) -> str:
    """MB and the end of the command of a process and each of its children."""
    own = f"{_resident_mb(process):.0f} {_command(process)[-50:]}"
    return "; ".join([own, *map(held_by, children(process))])


def children(process: int) -> list[int]:
    """Those of all its threads: Linux tells them apart."""
    found = []
    for told in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            found += [int(child) for child in told.read_text().split()]
    return found
