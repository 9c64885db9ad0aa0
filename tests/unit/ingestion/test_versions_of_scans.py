"""What a recogniser made of a scan is in the name of its version, since an IRI names one text for ever."""

from __future__ import annotations

from dataclasses import dataclass

from plans import planned_documents
from provgraph.documents.chunking import ChunkingSettings
from provgraph.ingestion.planning import PlannedDocument, SourceFile
from provgraph.ports.text_recogniser import RecognisedText, RecogniserProfile
from provgraph.rdf.iris import digest
from unit.documents.scans import CURIE, SODDY, scan

SCAN = scan(CURIE)


@dataclass(frozen=True)
class Reciter:
    version: str = "1"
    text: str = CURIE

    def profile(self) -> RecogniserProfile:
        return RecogniserProfile("reciter", self.version)

    def recognise(self, _: bytes) -> RecognisedText:
        return RecognisedText(self.text, 0.9)


def planned(recogniser: Reciter) -> PlannedDocument:
    (document,) = planned_documents(SourceFile("scan.pdf", SCAN), ChunkingSettings(), recogniser)
    assert isinstance(document, PlannedDocument)
    return document


def test_the_same_bytes_read_by_the_same_recogniser_alike_are_the_same_version() -> None:
    assert planned(Reciter()) == planned(Reciter())


def test_another_version_of_the_recogniser_makes_another_version_of_the_document() -> None:
    first, second = planned(Reciter("1")), planned(Reciter("2"))
    assert first.iri == second.iri
    assert first.version != second.version
    assert {first.content_hash, second.content_hash} == {digest(SCAN)}


def test_another_text_of_the_same_recogniser_makes_another_version() -> None:
    assert planned(Reciter()).version != planned(Reciter(text=SODDY)).version
