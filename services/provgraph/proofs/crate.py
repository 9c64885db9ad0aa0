"""What describes a bundle for other programs: RO-Crate 1.1 metadata, and quotations as Web Annotations.

Sources: https://www.researchobject.org/ro-crate/specification/1.1/ and https://www.w3.org/TR/annotation-model/
(sections 4.2.4, text quote selector, and 4.2.5, text position selector).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any, Final

from provgraph.proofs.page import CitedPage
from provgraph.proofs.verify_bundle import ANSWER
from provgraph.wire.trace import TraceView

_CRATE: Final = "https://w3id.org/ro/crate/1.1"
_TYPES: Final = {
    ".html": "text/html",
    ".txt": "text/plain",
    ".png": "image/png",
    ".json": "application/json",
    ".jsonld": "application/ld+json",
    ".trig": "application/trig",
    ".nq": "application/n-quads",
}
_NAMES: Final = {
    "index.html": "The answer and what proves it, to be read in a browser",
    ANSWER: "The answer",
    "annotations.jsonld": "Which words of which page support which sentence (Web Annotation)",
    "trace.json": "How the question was answered, step by step",
    "provenance-rdf-1.2.trig": "Provenance (PROV-O), with triple terms of RDF 1.2",
    "provenance-rdf-1.1.nq": "The same for readers of RDF 1.1: triple terms as nodes with rdf:subject, rdf:predicate "
    "and rdf:object",
}


def web_annotations(view: TraceView, pages: Mapping[str, CitedPage]) -> dict[str, Any]:
    """Each sentence of the answer with the words that it cites; both as text position and as text quote."""
    return {
        "@context": "http://www.w3.org/ns/anno.jsonld",
        "@graph": list(_annotations(view, pages)),
    }


def _annotations(view: TraceView, pages: Mapping[str, CitedPage]) -> Iterator[dict[str, Any]]:
    number = 0
    for sentence in view.answer.sentences if view.answer else ():
        for source in sentence.sources:
            if page := pages.get(source.page):
                number += 1
                said = _selected(ANSWER, sentence.start, sentence.end, sentence.text)
                quoted = _selected(page.text_file, source.start, source.end, source.text)
                yield {
                    "id": f"{view.session}#quotation-{number}",
                    "type": "Annotation",
                    "motivation": "linking",
                    "body": said,
                    "target": {**quoted, "scope": source.page},
                }


def _selected(file: str, start: int, end: int, words: str) -> dict[str, Any]:
    return {
        "type": "SpecificResource",
        "source": file,
        "selector": [
            {"type": "TextPositionSelector", "start": start, "end": end},
            {"type": "TextQuoteSelector", "exact": words},
        ],
    }


def crate(
    view: TraceView, parts: Mapping[str, bytes], pages: Mapping[str, CitedPage], about: Mapping[str, Any]
) -> dict[str, Any]:
    """The metadata of the bundle: its files, the documents that are cited, and the session that made the answer."""
    names = {page.text_file: f"Text of {page.iri}" for page in pages.values()}
    names |= {page.picture_file: f"Picture of {page.iri}" for page in pages.values()}
    files = [
        {
            "@id": name,
            "@type": "File",
            "name": _NAMES.get(name) or names.get(name, name),
            "encodingFormat": _TYPES.get(PurePath(name).suffix, "application/octet-stream"),
            "contentSize": str(len(content)),
        }
        for name, content in parts.items()
    ]
    cited = [
        {
            "@id": document.id,
            "@type": "CreativeWork",
            "name": document.title,
            "encodingFormat": document.media_type,
        }
        for document in view.cited_documents
    ]
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": f"Proof of an answer: {view.query}",
        "description": "An answer with the words of documents that support each sentence, and how it came about.",
        "datePublished": about["made"],
        "license": "The words of the documents are under the terms of the documents.",
        "hasPart": [{"@id": name} for name in parts],
        "mentions": [{"@id": view.session}],
    }
    session = {
        "@id": view.session,
        "@type": "CreateAction",
        "name": view.query,
        "startTime": view.started,
        "endTime": view.ended or view.started,
        "instrument": {"@id": "#provgraph"},
        "object": [{"@id": document.id} for document in view.cited_documents],
        "result": {"@id": ANSWER},
    }
    software = {"@id": "#provgraph", "@type": "SoftwareApplication", "name": about["software"]}
    descriptor = {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "conformsTo": {"@id": _CRATE},
        "about": {"@id": "./"},
    }
    return {"@context": f"{_CRATE}/context", "@graph": [descriptor, root, *files, *cited, session, software]}
