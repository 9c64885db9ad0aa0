"""A library in an object store, when it is not there, and as it is copied."""

from __future__ import annotations

from pathlib import Path

import pytest

from provgraph.adapters.object_contents import opened_objects
from provgraph.errors import InvalidInput, Unavailable


@pytest.mark.parametrize("url", ["nowhere://x", "s3:/", "not a url"])
def test_a_url_that_leads_nowhere_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="PROVGRAPH_LIBRARY_URL"):
        opened_objects(url)


async def test_a_bucket_that_is_not_there_is_told_with_what_to_do(s3_url: str) -> None:
    elsewhere = opened_objects(s3_url.replace("library", "elsewhere", 1))
    with pytest.raises(Unavailable, match=r"s3://elsewhere.*Check PROVGRAPH_LIBRARY_URL"):
        await elsewhere.put({"a": b"1"})
    with pytest.raises(Unavailable, match=r"s3://elsewhere"):
        await elsewhere.answers(30)


async def test_it_answers_also_where_it_holds_nothing(s3_url: str) -> None:
    contents = opened_objects(s3_url)
    await contents.answers(30)
    assert await contents.sizes(["a"]) == [None]


async def test_a_copy_in_a_folder_holds_everything_and_is_continued(s3_url: str, tmp_path: Path) -> None:
    contents = opened_objects(s3_url)
    await contents.put({"a/b/1": b"1", "c/2": b"2"})
    await contents.snapshot(tmp_path)
    await contents.delete("c")
    await contents.put({"a/3": b"3"})
    await contents.snapshot(tmp_path)
    copied = {
        path.relative_to(tmp_path).as_posix(): path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    assert copied == {"a/b/1": b"1", "c/2": b"2", "a/3": b"3"}
