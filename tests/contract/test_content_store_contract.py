"""What every `ContentStore` keeps to, whatever it stands on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.errors import NotFound
from provgraph.ports.content_store import ContentStore


@pytest.fixture
def contents(tmp_path: Path) -> ContentStore:
    return FolderContentStore(tmp_path / "contents")


async def test_what_is_put_is_got(contents: ContentStore) -> None:
    await contents.put({"a/b/c": b"\x00\xff", "a/b/d": b""})
    assert [await contents.get(key) for key in ("a/b/c", "a/b/d")] == [b"\x00\xff", b""]


async def test_a_second_put_replaces_the_first(contents: ContentStore) -> None:
    await contents.put({"a/b": b"first"})
    await contents.put({"a/b": b"other"})
    assert await contents.get("a/b") == b"other"


async def test_what_was_never_put_is_not_found(contents: ContentStore) -> None:
    with pytest.raises(NotFound):
        await contents.get("a/b")


async def test_a_content_is_seen_whole_or_not_at_all(contents: ContentStore) -> None:
    versions = [letter * 1_000_000 for letter in (b"a", b"b")]
    await contents.put({"key": versions[0]})

    async def put_both() -> None:
        for version in versions * 10:
            await contents.put({"key": version})

    putting = asyncio.create_task(put_both())
    while not putting.done():
        assert await contents.get("key") in versions
    await putting


async def test_deleting_takes_a_key_and_all_below_it_and_no_others(contents: ContentStore) -> None:
    await contents.put({"a/1": b"1", "a/b/2": b"2", "ab/3": b"3"})
    await contents.delete("a/1")
    with pytest.raises(NotFound):
        await contents.get("a/1")
    await contents.delete("a")
    with pytest.raises(NotFound):
        await contents.get("a/b/2")
    assert await contents.get("ab/3") == b"3"


async def test_deleting_what_is_not_there_is_no_error(contents: ContentStore) -> None:
    await contents.delete("a/b")
    with pytest.raises(NotFound):
        await contents.get("a/b")


async def test_it_is_known_which_keys_hold_something(contents: ContentStore) -> None:
    await contents.put({"a/1": b"1", "a/b/2": b""})
    assert await contents.holds(["a/1", "a/b/2", "a", "a/3"]) == [True, True, False, False]
