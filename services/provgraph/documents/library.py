"""The library: document bytes, page text and answer text, each under the IRI that the graph names it by."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from provgraph.errors import NotFound
from provgraph.ports.content_store import ContentStore
from provgraph.rdf.terms import NamedNode

_COMPANION: Final = "/layout"


class Library:
    """Content by collection and IRI, over any `ContentStore`.

    What is kept is final: an IRI names one content for ever, so a second `keep` changes nothing.
    """

    def __init__(self, contents: ContentStore) -> None:
        self._contents = contents

    async def keep(self, collection: str, iri: NamedNode, content: bytes) -> None:
        await self.keep_all(collection, {iri: content})

    async def keep_all(self, collection: str, contents: Mapping[NamedNode, bytes]) -> None:
        await self._contents.put({_key(collection, iri): content for iri, content in contents.items()})

    async def content(self, collection: str, iri: NamedNode) -> bytes:
        """Raises `NotFound` when the library holds nothing under this IRI."""
        try:
            return await self._contents.get(_key(collection, iri))
        except NotFound as error:
            raise NotFound(
                f"The library holds no content for {iri.value} in collection {collection!r}. "
                "Look up the ids with 'provgraph documents'."
            ) from error

    async def holds(self, collection: str, iris: Sequence[NamedNode]) -> list[bool]:
        """Whether there is content under each IRI."""
        return [size is not None for size in await self.sizes(collection, iris)]

    async def sizes(self, collection: str, iris: Sequence[NamedNode]) -> list[int | None]:
        """The bytes under each IRI, None where there is no content."""
        return await self._contents.sizes([_key(collection, iri) for iri in iris])

    async def text(self, collection: str, iri: NamedNode) -> str:
        """The content as text; bytes that were damaged to no character stand as U+FFFD, for a check to find."""
        return (await self.content(collection, iri)).decode(errors="replace")

    async def keep_companions(self, collection: str, contents: Mapping[NamedNode, bytes]) -> None:
        """What is known of contents beside their bytes, as the layout of a page: it goes when they go."""
        await self._contents.put(
            {_key(collection, companion_iri(iri)): content for iri, content in contents.items()}
        )

    async def companion(self, collection: str, iri: NamedNode) -> bytes:
        """Raises `NotFound` where nothing is known of it."""
        return await self._contents.get(_key(collection, companion_iri(iri)))

    async def drop(self, collection: str, iri: NamedNode) -> None:
        """Remove one content and its companion; nothing there is no error."""
        await self._contents.delete(_key(collection, iri))
        await self._contents.delete(_key(collection, companion_iri(iri)))

    async def drop_all(self, collection: str, iris: Iterable[NamedNode]) -> None:
        """Remove several contents; those that are not there are no error."""
        for iri in iris:
            await self.drop(collection, iri)

    async def forget(self, collection: str) -> None:
        """Remove all content of a collection."""
        await self._contents.delete(collection)


def companion_iri(iri: NamedNode) -> NamedNode:
    """The name under which the library keeps what is known of a content beside its bytes."""
    return NamedNode(f"{iri.value}{_COMPANION}")


def companion_of(iri: NamedNode) -> NamedNode:
    """The content beside which this is kept; the name itself where it is no companion's."""
    return NamedNode(iri.value.removesuffix(_COMPANION))


def _key(collection: str, iri: NamedNode) -> str:
    name = hashlib.sha256(iri.value.encode()).hexdigest()
    return f"{collection}/{name[:2]}/{name}"
