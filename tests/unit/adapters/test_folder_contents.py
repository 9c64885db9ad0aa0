"""The folder behind the library, beyond what every content store keeps to."""

from __future__ import annotations

from pathlib import Path

import pytest

from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.errors import Unavailable


async def test_content_that_is_there_already_is_not_written_again(tmp_path: Path) -> None:
    contents = FolderContentStore(tmp_path)
    await contents.put({"a/b": b"content"})
    before = (tmp_path / "a" / "b").stat()
    await contents.put({"a/b": b"content"})
    after = (tmp_path / "a" / "b").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


async def test_damaged_content_is_mended_by_putting_it_again(tmp_path: Path) -> None:
    contents = FolderContentStore(tmp_path)
    await contents.put({"a": b"content"})
    (tmp_path / "a").write_bytes(b"c0ntent")
    await contents.put({"a": b"content"})
    assert await contents.get("a") == b"content"


async def test_a_put_that_fails_is_told_and_leaves_no_draft(tmp_path: Path) -> None:
    (tmp_path / "taken" / "inner").mkdir(parents=True)
    with pytest.raises(Unavailable, match="cannot be written"):
        await FolderContentStore(tmp_path).put({"taken": b"content"})
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
