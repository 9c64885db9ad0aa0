"""`ContentStore` in an object store: S3, Google Cloud Storage, Azure Blob Storage, or what speaks like them.

`obstore`, which reaches all of them, is an extra. How it gets in stands where each of them expects it: in the
environment (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL`, `GOOGLE_APPLICATION_CREDENTIALS`, `AZURE_STORAGE_ACCOUNT_NAME` …).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from anyio import to_thread

from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.full_storage import answer_of_no_room
from provgraph.errors import InvalidInput, NoRoom, NotFound, Unavailable, said_by

if TYPE_CHECKING:
    from obstore.store import ObjectStore

T = TypeVar("T")

_AT_ONCE: Final = 16
_ASKED_FOR: Final = "provgraph-readiness"
_PATIENCE: Final = timedelta(seconds=30)


def opened_objects(url: str, patience: timedelta = _PATIENCE) -> ObjectContentStore:
    """The object store at a URL: `s3://bucket/prefix`, `gs://bucket/prefix`, `az://account/container/prefix`.

    What fails with a status of 500 and more is tried again for as long as `patience`, but ten times at most.
    Raises `InvalidInput` for a URL that is none of these, and where the extra is not installed.
    """
    try:
        import obstore
        from obstore.store import from_url
    except ImportError as error:
        raise InvalidInput(
            "PROVGRAPH_LIBRARY_URL needs what is not installed. Install it with: pip install 'provgraph[objects]'"
        ) from error
    try:
        store = from_url(url, client_options={"allow_http": True}, retry_config={"retry_timeout": patience})
    except (obstore.exceptions.BaseError, ValueError, TypeError) as error:
        said = str(error).partition("\n")[0]
        raise InvalidInput(
            f"PROVGRAPH_LIBRARY_URL is {url!r}, and leads to no library ({said}). "
            "Give s3://bucket/prefix, gs://bucket/prefix, az://account/container/prefix or file:///folder."
        ) from error
    return ObjectContentStore(store, url)


class ObjectContentStore:
    """Each key an object below the URL's prefix. Object stores show an object whole or not at all."""

    def __init__(self, store: ObjectStore, told: str) -> None:
        self._store = store
        self._location = told
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def put(self, contents: Mapping[str, bytes]) -> None:
        import obstore

        async def put_one(key: str, content: bytes) -> None:
            try:
                await self._tried(lambda: obstore.put_async(self._store, key, content))
            except FileNotFoundError as error:  # no such bucket
                raise self._unavailable(error) from error

        await _all([put_one(key, content) for key, content in contents.items()])

    async def get(self, key: str) -> bytes:
        import obstore

        async def got() -> bytes:
            found = await obstore.get_async(self._store, key)
            return bytes(await found.bytes_async())

        try:
            return await self._tried(got)
        except FileNotFoundError as error:
            raise NotFound(f"There is no content under {key}.") from error

    async def sizes(self, keys: Sequence[str]) -> list[int | None]:
        return await _all([self._size(key) for key in keys])

    async def delete(self, prefix: str) -> None:
        import obstore

        async def delete_some(keys: list[str]) -> None:
            try:
                await self._tried(lambda: obstore.delete_async(self._store, keys))
            except FileNotFoundError:
                return  # gone already

        await delete_some([prefix])
        async for keys in self._listed(prefix):
            await delete_some(keys)

    def open_snapshot(self, folder: Path) -> FolderContentStore:
        return FolderContentStore(folder)

    async def snapshot(self, folder: Path) -> None:
        """Let everything stand below `folder` too; what is there from an earlier call is not fetched again."""

        async def fetch(key: str) -> None:
            path = folder / key
            if path.exists():
                return
            try:
                content = await self.get(key)
            except NotFound:
                return  # deleted at this moment
            await to_thread.run_sync(_write, path, content)

        async for keys in self._listed(""):
            await _all([fetch(key) for key in keys])

    async def answers(self, seconds: float) -> None:
        """Raises `Unavailable` where the object store does not answer within so many seconds."""
        try:
            async with asyncio.timeout(seconds):
                async for _ in self._listed(_ASKED_FOR):
                    break
        except TimeoutError as error:
            raise self._unavailable(TimeoutError("no answer")) from error

    async def _size(self, key: str) -> int | None:
        import obstore

        try:
            head = await self._tried(lambda: obstore.head_async(self._store, key))
        except FileNotFoundError:
            return None
        return int(head["size"])

    async def _listed(self, prefix: str) -> AsyncGenerator[list[str]]:
        """The keys below a prefix, as many at a time as the store gives."""
        import obstore

        try:
            async for found in obstore.list(self._store, prefix=prefix):
                yield [each["path"] for each in found]
        except (obstore.exceptions.BaseError, OSError) as error:
            raise self._unavailable(error) from error

    async def _tried(self, call: Callable[[], Awaitable[T]]) -> T:
        """What the call gives; `obstore` tries again by itself what may pass. `FileNotFoundError` goes through."""
        import obstore

        async with self._turns:
            try:
                return await call()
            except FileNotFoundError:
                raise
            except (obstore.exceptions.BaseError, OSError) as error:
                raise self._unavailable(error) from error

    def _unavailable(self, error: Exception) -> Unavailable:
        if full := answer_of_no_room(error):
            return NoRoom(
                f"The library at {self._location} has no room for a write ({full:.300}). Free some space there, or "
                "raise its quota; queued work continues by itself; send anything else again."
            )
        said = said_by(error).partition("\n")[0][:300]
        return Unavailable(
            f"The library at {self._location} cannot be reached ({said}). "
            "Check PROVGRAPH_LIBRARY_URL and the credentials in the environment, then try again."
        )


async def _all(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """What the calls give, when all have ended; raises the first of their errors."""
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    return [_result_or_raise(outcome) for outcome in outcomes]


def _result_or_raise(outcome: T | BaseException) -> T:
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
