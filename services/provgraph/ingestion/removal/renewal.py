"""What an ingest takes back before and after it reads: the version before, and older readings where that is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from provgraph.extraction.facts import ExtractorProfile
from provgraph.ingestion.events import ChunkChanges
from provgraph.ingestion.planning import PlannedDocument
from provgraph.ingestion.recording import Recorder
from provgraph.ingestion.removal.replacement import Replacement
from provgraph.ingestion.removal.revision import Revision
from provgraph.ports.quad_store import QuadStore
from provgraph.provenance.change import ChangeRecord
from provgraph.rdf.iris import change_iri, collection_iri

BY: Final = "ingest"


@dataclass(frozen=True)
class Renewal:
    """`profiles` are the extractors of one ingest into one collection."""

    store: QuadStore
    collection: str
    recorder: Recorder
    profiles: Sequence[ExtractorProfile]

    async def revise(self, document: PlannedDocument) -> ChunkChanges | None:
        """Put the document in the place of another version; None where the store has no other."""
        revision = Revision(self.collection, document, self.recorder, self.profiles, self._record(document))
        return await self.store.transact(revision.decide)

    async def replace(self, document: PlannedDocument) -> int:
        """Retire what these extractors read in the document before; tells how many subgraphs went."""
        replacement = Replacement(
            self.collection, document, self.recorder, self.profiles, self._record(document)
        )
        return await self.store.transact(replacement.decide)

    def _record(self, document: PlannedDocument) -> ChangeRecord:
        collection = collection_iri(self.collection)
        return ChangeRecord(change_iri(str(uuid4())), document.iri, collection, BY, self.recorder.at)
