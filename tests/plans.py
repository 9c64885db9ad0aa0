"""What a file is planned to be, read in this process."""

from __future__ import annotations

from collections.abc import Iterator

from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.reading import open_documents
from provgraph.errors import ProvGraphError
from provgraph.ingestion.planning import PlannedDocument, SourceFile, planned_of
from provgraph.ports.text_recogniser import TextRecogniser


def planned_documents(
    file: SourceFile, settings: ChunkingSettings, recogniser: TextRecogniser | None = None
) -> Iterator[PlannedDocument | ProvGraphError]:
    """The documents of a file, one by one, and in the place of one that cannot be read its error."""
    return planned_of(open_documents(file.content, file.name, file.media_type, recogniser), file, settings)
