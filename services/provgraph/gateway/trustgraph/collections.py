"""The service `collection-management`: collections with the names, descriptions and tags that clients give them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from provgraph.catalogue.collections import CollectionNote, CollectionNotes
from provgraph.errors import NotProvided
from provgraph.gateway.catalogue_routes import Catalogue
from provgraph.gateway.trustgraph import fields
from provgraph.gateway.trustgraph.fields import Body
from provgraph.gateway.trustgraph.services import ServiceReply
from provgraph.rdf.graphs import collection_name


@dataclass(frozen=True)
class CollectionService:
    catalogue: Catalogue
    notes: CollectionNotes

    async def __call__(self, body: Body) -> AsyncGenerator[ServiceReply]:
        match fields.text(body, "operation"):
            case "list-collections":
                yield ServiceReply({"collections": await self._list(body)})
            case "update-collection":
                yield ServiceReply({"collections": [await self._update(body)]})
            case "delete-collection":
                await self.catalogue.remove(fields.text(body, "collection"))
                yield ServiceReply({})
            case unknown:
                raise NotProvided(f"The operation {unknown[:80]!r} on collections is not provided here.")

    async def _list(self, body: Body) -> list[Mapping[str, Any]]:
        """All collections; with tags to filter by, those that have one of them."""
        wanted = set(fields.texts(body, "tag_filter")) | set(fields.texts(body, "tag-filter"))
        notes = {name: await self.notes.of(name) for name in await self.catalogue.collections.names()}
        return [_view(name, note) for name, note in notes.items() if not wanted or wanted & set(note.tags)]

    async def _update(self, body: Body) -> Mapping[str, Any]:
        """Make the collection where there is none, and change what is given of its note."""
        name = collection_name(fields.text(body, "collection"))
        await self.catalogue.collections.make(name, datetime.now(UTC))
        known = await self.notes.of(name)
        tags = tuple(filter(None, fields.texts(body, "tags"))) if body.get("tags") is not None else known.tags
        note = CollectionNote(
            fields.text(body, "name", known.title), fields.text(body, "description", known.description), tags
        )
        await self.notes.write(name, note)
        return _view(name, note)


def _view(name: str, note: CollectionNote) -> Mapping[str, Any]:
    return {
        "collection": name,
        "name": note.title or name,
        "description": note.description,
        "tags": list(note.tags),
    }
