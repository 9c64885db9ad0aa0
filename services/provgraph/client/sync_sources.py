"""What a collection can be kept in step with: a folder, a page or sitemap of the web, or a prefix of an object store.

What is not a folder is fetched into one that is not kept. Something that is there and cannot be fetched is refused, and
never taken for gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, Protocol

from provgraph.client.files import files_of, is_address
from provgraph.client.folder_sync import FoundFile, KnownFile, file_sha256, found_files
from provgraph.client.metadata import without_sidecars
from provgraph.errors import InvalidInput, NotFound, ProvGraphError, TooLarge, Unavailable

if TYPE_CHECKING:
    from provgraph.client.web_sources import WebDocument, WebReader

Tell = Callable[[str], None]
"""Hears what is being fetched."""
_PATIENCE: Final = timedelta(seconds=30)
_OBJECTS: Final = ("s3://", "gs://", "az://")


@dataclass
class Collected:
    """`refused` tells by path why something that is there could not be fetched. Where it is not
    `is_whole`, there is more, and nothing may be taken for gone."""

    files: list[FoundFile] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    is_whole: bool = True


class SyncSource(Protocol):
    @property
    def name(self) -> str:
        """What it is known by in the metadata of its documents."""
        ...

    def collected(self, into: Path, tell: Tell, known: Mapping[str, KnownFile]) -> Collected:
        """What is there now; `into` is an empty folder for what is fetched. What the collection has of a `known` path
        need not be fetched again. Raises what tells that nothing is known."""
        ...


def is_folder(source: str) -> bool:
    return not is_address(source) and not source.casefold().startswith(_OBJECTS)


def sync_source(source: str, reader: Callable[[], WebReader], most_bytes: int) -> SyncSource:
    """Raises `NotFound` for a folder that is not there."""
    if is_address(source):
        return WebSource(source, reader())
    if not is_folder(source):
        return ObjectSource(source, most_bytes)
    if not Path(source).is_dir():
        raise NotFound(f"There is no folder {source}. Check the path; nothing was changed.")
    return FolderSource(Path(source))


@contextmanager
def collected(source: SyncSource, tell: Tell, known: Mapping[str, KnownFile]) -> Iterator[Collected]:
    """What is there; its files are there within this context."""
    with TemporaryDirectory(prefix="provgraph-sync-") as into:
        yield source.collected(Path(into), tell, known)


@dataclass(frozen=True)
class FolderSource:
    folder: Path

    @property
    def name(self) -> str:
        return str(self.folder.resolve())

    def collected(self, into: Path, tell: Tell, known: Mapping[str, KnownFile]) -> Collected:  # noqa: ARG002
        return Collected(found_files(self.folder, without_sidecars(files_of([self.folder]))))


@dataclass(frozen=True)
class WebSource:
    """A page, or the pages of a sitemap; each has its address as its path and its id."""

    address: str
    reader: WebReader

    @property
    def name(self) -> str:
        return self.address

    def collected(self, into: Path, tell: Tell, known: Mapping[str, KnownFile]) -> Collected:
        everything = Collected()
        places = list(dict.fromkeys(self.reader.documents(self.address)))
        if self.reader.is_cut_off:
            everything.is_whole = False
            everything.refused[self.address] = str(self.reader.rest_of(self.address))
        addresses: set[str] = set()
        for number, place in enumerate(places):
            tell(place)
            try:
                file = self._fetched(place, into / str(number), known.get(place))
            except ProvGraphError as error:
                everything.refused[place] = str(error)
                continue
            if file.address not in addresses:  # unless another one leads to the same page
                addresses.add(file.address)
                everything.files.append(file)
        return everything

    def _fetched(self, place: str, into: Path, known: KnownFile | None) -> FoundFile:
        """A page as it is now; of one that has not changed there is no file."""
        from provgraph.client.web_sources import Validators  # loaded with the reader

        page: WebDocument | None
        if not known or not known.sha256:
            page = self.reader.fetch(place)
        elif not (page := self.reader.fetch_changed(place, Validators(known.etag, known.modified))):
            return FoundFile(into, place, known.sha256, known.ids[0], known.etag, known.modified)
        file = _kept(into, page.name, page.content)
        etag, modified = page.validators.etag, page.validators.modified
        return FoundFile(file, place, file_sha256(file), page.address, etag, modified)


@dataclass(frozen=True)
class ObjectSource:
    """The objects below a prefix, as if it were a folder. `obstore`, which reaches the store, is an extra; keys stand
    in the environment, as `AWS_ACCESS_KEY_ID`."""

    url: str
    most_bytes: int

    @property
    def name(self) -> str:
        return self.url.rstrip("/")

    def collected(self, into: Path, tell: Tell, known: Mapping[str, KnownFile]) -> Collected:  # noqa: ARG002
        """Raises `InvalidInput` for a URL that is none and without the extra, `Unavailable` where the store is away."""
        try:
            import obstore
            from obstore.store import from_url
        except ImportError as error:
            raise InvalidInput(
                "Object stores need another package: pip install 'provgraph[objects]'."
            ) from error
        everything = Collected()
        try:
            store = from_url(
                self.url, client_options={"allow_http": True}, retry_config={"retry_timeout": _PATIENCE}
            )
            listed = [(each["path"], each["size"]) for page in obstore.list(store) for each in page]
            for path, size in sorted(listed):
                if not _is_plain(path):
                    continue
                tell(path)
                if size > self.most_bytes:
                    everything.refused[path] = str(_too_large(path, self.most_bytes))
                    continue
                _kept(into, path, bytes(obstore.get(store, path).bytes()))
        except (obstore.exceptions.BaseError, FileNotFoundError, PermissionError) as error:
            first = str(error).strip().partition("\n")[0]
            raise Unavailable(
                f"{self.url} cannot be read ({first}). Check the address, and the keys in the environment."
            ) from error
        except (ValueError, TypeError) as error:
            raise InvalidInput(
                f"{self.url} is no object store ({error}). Give s3://bucket/prefix."
            ) from error
        everything.files = found_files(into, without_sidecars(files_of([into])))
        return everything


def _is_plain(path: str) -> bool:
    """Whether a key can be the path of a visible file below a folder."""
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.endswith("/") and not any(part.startswith((".", "/")) for part in parts)


def _kept(into: Path, path: str, content: bytes) -> Path:
    file = into / path
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    except OSError as error:
        raise Unavailable(f"{path} cannot be kept in {into} ({error.strerror}). Free some space.") from error
    return file


def _too_large(path: str, most: int) -> TooLarge:
    return TooLarge(f"{path} has more than {most:,} bytes. Split it, or raise PROVGRAPH_MAX_UPLOAD_MB.")
