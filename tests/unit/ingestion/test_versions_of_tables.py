"""Documents without tables keep their names; those with tables have the form of tables in the name of their version."""

from __future__ import annotations

from plans import planned_documents
from provgraph.documents.chunking import ChunkingSettings
from provgraph.ingestion.planning import PlannedDocument, SourceFile
from provgraph.rdf.iris import digest, version_iri


def planned(content: bytes, name: str) -> PlannedDocument:
    (document,) = planned_documents(SourceFile(name, content), ChunkingSettings())
    assert isinstance(document, PlannedDocument)
    return document


def test_the_version_of_a_document_without_a_table_is_named_by_its_bytes() -> None:
    content = b"# Radium\n\nIt was found in 1898. Either a | b or none.\n"
    document = planned(content, "a.md")
    assert document.version == version_iri(document.iri, digest(content))


def test_the_version_of_one_with_a_table_has_another_name_and_the_hash_of_its_bytes() -> None:
    content = b"| Item | 2019 |\n|---|---|\n| Revenue | 1,200 |\n"
    document = planned(content, "a.md")
    assert document.version != version_iri(document.iri, digest(content))
    assert document.version == planned(content, "a.md").version
    assert document.content_hash == digest(content)
