"""The services `flow`, `config` and `collection-management`: one flow, prompts to see, and collections."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from provgraph.catalogue.collections import CollectionNote, CollectionNotes
from provgraph.errors import NotFound, NotProvided
from provgraph.gateway.catalogue_routes import Catalogue
from provgraph.gateway.trustgraph import fields
from provgraph.gateway.trustgraph.fields import Body
from provgraph.gateway.trustgraph.services import FLOW, ServiceReply
from provgraph.prompts import shown_prompts
from provgraph.rdf.graphs import collection_name

BLUEPRINT: Final = "provgraph"
PROMPT: Final = "prompt"
_FLOW: Final = {
    "description": "All services of this process",
    "blueprint-name": BLUEPRINT,
    "interfaces": {},
    "parameters": {},
}
_BLUEPRINT: Final = {
    "description": "ProvGraph in one process",
    "flow": {},
    "interfaces": {},
    "parameters": {},
}


async def flow_service(body: Body) -> AsyncGenerator[ServiceReply]:
    """Lists and shows; flows are neither started nor stopped."""
    operation = fields.text(body, "operation")
    match operation:
        case "list-flows":
            yield ServiceReply({"flow-ids": [FLOW]})
        case "get-flow":
            _require(fields.text(body, "flow-id"), FLOW, "flow")
            yield ServiceReply({"flow": json.dumps(_FLOW)})
        case "list-blueprints":
            yield ServiceReply({"blueprint-names": [BLUEPRINT]})
        case "get-blueprint":
            _require(fields.text(body, "blueprint-name"), BLUEPRINT, "blueprint")
            yield ServiceReply({"blueprint-definition": json.dumps(_BLUEPRINT)})
        case _:
            raise NotProvided(
                f"{operation[:80]!r} is not provided here: there is one flow, {FLOW!r}, and it always runs."
            )


@dataclass(frozen=True)
class ConfigService:
    """The configuration as clients can see it: the prompts, and nothing else. It is not changed from here."""

    prompts: Path | None

    async def __call__(self, body: Body) -> AsyncGenerator[ServiceReply]:
        operation = fields.text(body, "operation")
        match operation:
            case "list":
                yield ServiceReply({"directory": list(self._values(fields.text(body, "type")))})
            case "get":
                keys = [
                    (fields.text(key, "type"), fields.text(key, "key")) for key in fields.parts(body, "keys")
                ]
                yield ServiceReply(
                    {"values": [self._entry(kind, key) for kind, key in keys if key in self._values(kind)]}
                )
            case "getvalues" | "getvalues-all-ws":
                kind = fields.text(body, "type")
                yield ServiceReply({"values": [self._entry(kind, key) for key in self._values(kind)]})
            case "config":
                yield ServiceReply({"config": {PROMPT: self._values(PROMPT)}, "version": 0})
            case _:
                raise NotProvided(
                    f"{operation[:80]!r} is not provided here: settings are environment variables of the service, and "
                    "prompts are files. See docs/configuration.md."
                )

    def _entry(self, kind: str, key: str) -> dict[str, str]:
        return {"workspace": "default", "type": kind, "key": key, "value": self._values(kind)[key]}

    def _values(self, kind: str) -> dict[str, str]:
        """The values of a kind by their keys, each a JSON text as these clients have it."""
        if kind != PROMPT:
            return {}
        templates = {
            f"template.{name}": json.dumps({"prompt": text, "response-type": "text"})
            for name, text in shown_prompts(self.prompts).items()
        }
        return {"system": json.dumps("Each prompt has a system part of its own."), **templates}


def _require(name: str, known: str, kind: str) -> None:
    if name != known:
        raise NotFound(f"There is no {kind} {name[:80]!r}. The one there is has the name {known!r}.")


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
