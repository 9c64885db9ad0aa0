"""Object stores that take no more, each in the words of its server, over HTTP."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta

import pytest

from provgraph.adapters.object_contents import opened_objects
from provgraph.errors import NoRoom, Unavailable
from servers.bounded_bucket import BoundedBucket, Refusal, bounded_bucket


@pytest.fixture
def bucket(s3_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[BoundedBucket]:
    """Before the server that `s3_url` leads to."""
    assert s3_url
    with bounded_bucket(os.environ["AWS_ENDPOINT_URL"]) as before:
        monkeypatch.setenv("AWS_ENDPOINT_URL", before.url)
        yield before


AT_ONCE = timedelta(milliseconds=1)

REFUSED_FOR_ROOM = {
    "MinIO's drives": Refusal(
        507, "XMinioStorageFull", "Storage backend has reached its minimum free drive threshold."
    ),
    "MinIO's drives, late": Refusal(
        500, "InternalError", "We encountered an error (no space left on device)."
    ),
    "MinIO's quota": Refusal(400, "XMinioAdminBucketQuotaExceeded", "Bucket quota exceeded"),
    "Ceph's quota": Refusal(403, "QuotaExceeded"),
    "Garage's quota": Refusal(403, "AccessDenied", "Forbidden: Object quota is reached, maximum objects: 9"),
    "OBS' quota": Refusal(403, "InsufficientStorageSpace", "Insufficient storage space."),
}


@pytest.mark.slow
@pytest.mark.parametrize("refusal", REFUSED_FOR_ROOM.values(), ids=REFUSED_FOR_ROOM)
async def test_a_bucket_that_takes_no_more_is_told_as_that_and_takes_it_when_there_is_room(
    bucket: BoundedBucket, s3_url: str, refusal: Refusal
) -> None:
    contents = opened_objects(s3_url, AT_ONCE)
    bucket.refusal = refusal
    with pytest.raises(
        NoRoom, match=rf"has no room for a write \({refusal.status} {refusal.code}.*Free some space"
    ):
        await contents.put({"a/1": b"1", "a/2": b"2"})
    assert await contents.sizes(["a/1", "a/2"]) == [None, None]
    bucket.refusal = None
    await contents.put({"a/1": b"1", "a/2": b"2"})
    assert await contents.get("a/2") == b"2"


async def test_no_other_refusal_is_taken_for_a_lack_of_room(bucket: BoundedBucket, s3_url: str) -> None:
    contents = opened_objects(s3_url)
    for refusal in (
        Refusal(403, "AccessDenied", "Access Denied."),
        Refusal(403),
        Refusal(400, "EntityTooLarge"),
    ):
        bucket.refusal = refusal
        with pytest.raises(Unavailable) as raised:
            await contents.put({"<Code>QuotaExceeded</Code>/no space left on device": b"1"})
        assert not isinstance(raised.value, NoRoom), refusal
