"""A service proves that the folder of a command is its own, and nobody else can."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from provgraph.adapters.served_folder import FolderProver, announced, announcement, challenge
from provgraph.errors import NotFound, Unavailable


@pytest.fixture
async def prover(tmp_path: Path) -> FolderProver:
    (tmp_path / "orig").mkdir()
    made = FolderProver(tmp_path / "orig")
    await made.open()
    return made


async def test_a_service_proves_the_folder_that_it_has_open(prover: FolderProver, tmp_path: Path) -> None:
    with challenge(tmp_path / "orig") as asked:
        assert asked.is_met_by(prover.proof(asked.question, 8888), 8888)
    assert not list((tmp_path / "orig").iterdir())
    await prover.close()


async def test_a_folder_is_the_same_through_a_link_and_under_a_new_name(
    prover: FolderProver, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "orig")
    with challenge(tmp_path / "link") as asked:
        assert asked.is_met_by(prover.proof(asked.question, 1), 1)
    (tmp_path / "orig").rename(tmp_path / "moved")
    with challenge(tmp_path / "moved") as asked:
        assert asked.is_met_by(prover.proof(asked.question, 1), 1)
    await prover.close()


@pytest.mark.parametrize("copied", [shutil.copy2, os.link], ids=["copy", "hard links"])
async def test_a_copy_is_not_the_folder(prover: FolderProver, tmp_path: Path, copied: object) -> None:
    with announced(tmp_path / "orig", "http://127.0.0.1:8888"):
        shutil.copytree(tmp_path / "orig", tmp_path / "copy", copy_function=copied)  # type: ignore[arg-type]
    assert announcement(tmp_path / "copy")
    with challenge(tmp_path / "copy") as asked, pytest.raises(NotFound):
        prover.proof(asked.question, 8888)
    await prover.close()


async def test_a_proof_that_was_fetched_from_another_port_is_none(
    prover: FolderProver, tmp_path: Path
) -> None:
    with challenge(tmp_path / "orig") as asked:
        relayed = prover.proof(asked.question, 8888)
        assert not asked.is_met_by(relayed, 9999)
        assert not asked.is_met_by("", 8888)
        assert not asked.is_met_by("é", 8888)
    await prover.close()


def test_a_folder_where_nothing_can_be_written_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="--url"), challenge(tmp_path / "none"):
        pass


def test_challenges_that_a_crash_left_are_removed_at_the_next_start(tmp_path: Path) -> None:
    (tmp_path / "challenge-x").touch()
    with announced(tmp_path, "http://127.0.0.1:8888"):
        assert [file.name for file in tmp_path.iterdir()] == ["serving.json"]
