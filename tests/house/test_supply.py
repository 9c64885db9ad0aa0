"""What the image and CI are made of is written down, file by file, and nothing else gets in."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
OF_IMAGE = [*PROJECT["dependencies"], *EXTRAS["apart"], *EXTRAS["otel"], *EXTRAS["mcp"]]
LOCKS = {"image": OF_IMAGE, "ci": [*OF_IMAGE, *EXTRAS["dev"]], "build": ["hatchling"]}


def locked(name: str) -> dict[str, list[Version]]:
    """The versions of each package; several where they differ by platform."""
    found: dict[str, list[Version]] = {}
    for line in (ROOT / "locks" / f"{name}.txt").read_text().splitlines():
        if pinned := re.match(r"([\w.-]+)==([^\s;]+)", line):
            found.setdefault(canonicalize_name(pinned[1]), []).append(Version(pinned[2]))
    return found


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_what_the_project_asks_for(name: str) -> None:
    versions = locked(name)
    for wanted in map(Requirement, LOCKS[name]):
        if wanted.marker is None or wanted.marker.evaluate({"python_version": "3.11"}):
            have = versions[canonicalize_name(wanted.name)]
            assert all(wanted.specifier.contains(version) for version in have), f"make lock: {wanted}"


@pytest.mark.parametrize("name", LOCKS)
def test_every_file_of_a_lock_has_its_hash_and_none_comes_from_an_address(name: str) -> None:
    text = (ROOT / "locks" / f"{name}.txt").read_text()
    assert "://" not in text
    assert "index-url" not in text
    packages = re.split(r"\n(?=[\w])", text)
    assert all("--hash=sha256:" in package for package in packages)


def test_the_image_has_nothing_that_nobody_asks_for() -> None:
    """Each package of the lock is the project's own wish, or that of another of them."""
    text = (ROOT / "locks" / "image.txt").read_text()
    wished = {canonicalize_name(Requirement(each).name) for each in OF_IMAGE}
    direct = {
        canonicalize_name(re.split(r"==", package)[0])
        for package in re.split(r"\n(?=[\w])", text)
        if "provgraph (pyproject.toml)" in package
    }
    assert direct == wished, "make lock"


@pytest.mark.slow
def test_one_command_writes_what_the_image_is_made_of(tmp_path: Path) -> None:
    pytest.importorskip("cyclonedx_py")
    command = re.search(r"cyclonedx-py (.*) -o provgraph.cdx.json", (ROOT / "Makefile").read_text())
    assert command
    subprocess.run(
        [sys.executable, "-m", "cyclonedx_py", *command[1].split(), "-o", tmp_path / "sbom.json"],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    made = json.loads((tmp_path / "sbom.json").read_text())
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.6")
    assert {canonicalize_name(part["name"]) for part in made["components"]} == locked("image").keys()
