"""Which documents were read by an older version of an extractor, and how they are read again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.readings import DocumentReading, document_readings
from provgraph.errors import NotFound
from provgraph.extraction.extractors import ExtractionOptions, Extractors
from provgraph.extraction.names import FREE, current_name
from provgraph.rdf.terms import NamedNode


@dataclass(frozen=True)
class OutdatedDocuments:
    """What of a collection is to be read again, by the extractors `names`."""

    documents: Sequence[NamedNode]
    names: tuple[str, ...]

    @property
    def options(self) -> ExtractionOptions:
        return ExtractionOptions(self.names, replace=True)


@dataclass(frozen=True)
class Rereading:
    """Compares what the store was read with to what reads now."""

    collections: Collections
    extractors: Extractors

    async def readings(self, collection: str) -> list[DocumentReading]:
        """Those of extractors that this version knows, by whatever name. Raises `NotFound` for no such collection."""
        graphs = await self.collections.require(collection)
        found = await document_readings(self.collections.store, graphs.source)
        return [each for each in found if self.extractors.knows(each.extractor)]

    async def outdated(self, collection: str, extractors: Sequence[str] = ()) -> OutdatedDocuments:
        """The documents that an older version of `extractors` read; without any, of those that cost nothing.

        Raises `NotFound` where there is none, or no such collection.
        """
        wanted = {current_name(each) for each in extractors} or set(FREE)
        old = [
            each
            for each in await self.readings(collection)
            if current_name(each.extractor) in wanted and not self.is_current(each.extractor, each.version)
        ]
        if not old:
            raise NotFound(
                f"Nothing in the collection {collection!r} was read by an older version of {_listed(wanted)}. "
                "See what read it with 'provgraph collection NAME'."
            )
        names = tuple(dict.fromkeys(current_name(each.extractor) for each in old))
        return OutdatedDocuments(list(dict.fromkeys(each.document for each in old)), names)

    def is_current(self, extractor: str, version: str) -> bool:
        return self.extractors.is_current(extractor, version)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
