"""That the text of a page was recognised in a picture, by whom, and how sure they are of it."""

from __future__ import annotations

from datetime import datetime

from provgraph.provenance.source import PageRecord, described_activity
from provgraph.rdf import literals
from provgraph.rdf.iris import activity_iri
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import TG


def recognition_quads(page: PageRecord, at: datetime, graph: NamedNode) -> list[Quad]:
    """That a page's text was recognised in a picture, by whom, and how sure they are of its words; else nothing.

    <doc/version/9f86d0/page/1> tg:recognitionConfidence 0.93 .
    <doc/version/9f86d0/page/1/recognition> a prov:Activity ; rdfs:label "Recognise text" ;
        prov:used <doc/version/9f86d0> ; prov:wasAssociatedWith <urn:trustgraph:agent:tesseract> ;
        tg:componentVersion "5.3.0 languages=eng layout=3" ;
        prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime .
    <urn:trustgraph:agent:tesseract> a prov:Agent ; rdfs:label "tesseract" .
    """
    if page.recogniser is None:
        return []
    activity = activity_iri(page.iri, "recognition")
    return [
        Quad(page.iri, TG.recognition_confidence, literals.decimal(page.confidence), graph),
        *described_activity(activity, "Recognise text", page.version, page.recogniser, at, graph),
    ]
