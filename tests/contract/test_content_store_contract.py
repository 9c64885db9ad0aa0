"""What every `ContentStore` keeps to, whatever it stands on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.object_contents import opened_objects
from provgraph.errors import NotFound
from provgraph.ports.content_store import ContentStore


@pytest.fixture(params=["in a folder", "in memory", "on S3"])
def contents(request: pytest.FixtureRequest, tmp_path: Path) -> ContentStore:
    if request.param == "in memory":
        return opened_objects("memory:///")
    if request.param == "on S3":
        return opened_objects(request.getfixturevalue("s3_url"))
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


async def test_it_is_known_how_much_stands_under_a_key(contents: ContentStore) -> None:
    await contents.put({"a/1": b"1", "a/b/2": b""})
    assert await contents.sizes(["a/1", "a/b/2", "a", "a/3"]) == [1, 0, None, None]


async def test_many_contents_are_put_and_deleted_together(contents: ContentStore) -> None:
    keys = [f"a/{number % 7}/{number}" for number in range(60)]
    await contents.put({key: key.encode() for key in keys})
    assert None not in await contents.sizes(keys)
    await contents.delete("a")
    assert await contents.sizes(keys) == [None] * 60
