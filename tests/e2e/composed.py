"""The services of the compose file as plain processes: their commands, environment, ports and health checks.

Each has an address of its own on loopback, as it has in a network of containers, so ports stay as they are written;
names of services in addresses, and folders of volumes, become what they stand for.
"""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import yaml

from e2e.commands import PATIENCE_S, PROGRAMS, Serving

ROOT: Final = Path(__file__).parents[2]
TOKEN: Final = "a-secret-of-sixteen"
_HEALTHY_WITHIN_S: Final = 240  # seven processes that start at once on a busy machine
COMPOSE: Final = ROOT / "docker-compose.yml"
DOCKERFILE: Final = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")


@dataclass
class Composed:
    """The services that start without a profile, by name; `folder` has their volumes and logs.

    `variables` are those of the person who starts them, which the compose file puts in or hands on.
    """

    folder: Path
    variables: Mapping[str, str]
    services: Mapping[str, Mapping[str, Any]]
    network: str = field(default_factory=lambda: f"127.{random.randint(1, 250)}.{random.randint(1, 250)}")
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def gateway(self) -> Serving:
        """What clients know of."""
        process = cast("subprocess.Popen[str]", self.processes["gateway"])
        return Serving(process, self.url("gateway", 8888), self.token)

    @property
    def token(self) -> str:
        return self.variables["PROVGRAPH_TOKEN"]

    def url(self, name: str, port: int) -> str:
        return f"http://{self.address(name)}:{port}"

    def address(self, name: str) -> str:
        return f"{self.network}.{list(self.services).index(name) + 1}"

    def data(self, name: str) -> Path:
        return self._place(name, "/data")

    def start(self, name: str) -> None:
        service = self.services[name]
        entrypoint = service.get("entrypoint") or json.loads(_instructions("ENTRYPOINT")[0])
        words = [self._there(name, word) for word in (*entrypoint, *service["command"])]
        for mounted in self._mounts(name).values():
            mounted.mkdir(parents=True, exist_ok=True)
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [_program(words[0]), *words[1:]], stdout=log, stderr=log, env=self._environment(name)
            )

    def wait_until_healthy(self, name: str) -> None:
        check = [
            self._there(name, word).replace("127.0.0.1", self.address(name)) for word in self._check(name)
        ]
        until = time.monotonic() + _HEALTHY_WITHIN_S
        words, environment = [_program(check[0]), *check[1:]], self._environment(name)
        while subprocess.run(words, capture_output=True, check=False, env=environment).returncode:
            assert self.processes[name].poll() is None, self.log(name)
            assert time.monotonic() < until, self.log(name)
            time.sleep(0.5)

    def end(self, name: str, number: int = signal.SIGTERM) -> int:
        process = self.processes.pop(name)
        process.send_signal(number)
        try:
            return process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            raise

    def log(self, name: str) -> str:
        return f"{name}: " + (self.folder / f"{name}.log").read_text()[-2000:]

    def _environment(self, name: str) -> dict[str, str]:
        image = dict(pair.split("=", 1) for line in _instructions("ENV") for pair in shlex.split(line))
        own = {
            key: value for key, value in os.environ.items() if not key.startswith(("PROVGRAPH_", "OPENAI_"))
        }
        given = {**image, **(self.services[name].get("environment") or {})}
        given.pop("PATH", None)
        set_ = {key: self.variables.get(key) if value is None else str(value) for key, value in given.items()}
        return {**own, **{key: self._there(name, value) for key, value in set_.items() if value is not None}}

    def _there(self, name: str, text: str) -> str:
        """What a word of the compose file is where the services are processes of this machine."""
        text = re.sub(
            r"\$\{(\w+):(?:\?|-([^}]*))[^}]*\}", lambda put: self.variables.get(put[1]) or put[2] or "", text
        )
        text = text.replace("0.0.0.0", self.address(name))
        for other in self.services:
            text = text.replace(f"//{other}:", f"//{self.address(other)}:")
        for inside, outside in self._mounts(name).items():
            text = re.sub(rf"(?<![\w/]|(?<!:)/){inside}(?![\w-])|(?<=file://){inside}\b", str(outside), text)
        return text

    def _mounts(self, name: str) -> dict[str, Path]:
        volumes = [volume.split(":")[:2] for volume in self.services[name].get("volumes", [])]
        anonymous = dict.fromkeys(_instructions("VOLUME"), self.folder / "anonymous" / name)
        return anonymous | {inside: self.folder / "volumes" / volume for volume, inside in volumes}

    def _place(self, name: str, inside: str) -> Path:
        return self._mounts(name)[inside]

    def _check(self, name: str) -> list[str]:
        kind, *words = self.services[name]["healthcheck"]["test"]
        return ["sh", "-c", *words] if kind == "CMD-SHELL" else words


@contextmanager
def composed(folder: Path, variables: Mapping[str, str] | None = None) -> Iterator[Composed]:
    """All services, started at once and healthy; they are ended in the end."""
    services = yaml.safe_load(COMPOSE.read_text())["services"]
    given = {"PROVGRAPH_TOKEN": TOKEN, "PROVGRAPH_EXTRACTION_PROCESSES": "0", **(variables or {})}
    made = Composed(folder, given, {k: v for k, v in services.items() if "profiles" not in v})
    try:
        for name in made.services:
            made.start(name)
        for name in made.services:
            made.wait_until_healthy(name)
        yield made
    finally:
        for process in made.processes.values():
            process.terminate()
        for process in made.processes.values():
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _instructions(name: str) -> list[str]:
    """The arguments of an instruction, of the last stage of the image."""
    return re.findall(rf"^{name}\s+(.*)$", DOCKERFILE.rpartition("\nFROM ")[2], re.MULTILINE)


def _program(name: str) -> str:
    found = shutil.which(name, path=f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}")
    assert found, f"{name} is not installed"
    return found
