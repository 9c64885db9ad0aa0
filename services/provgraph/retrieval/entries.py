"""Contents of documents → entries of the indexes, and the payloads that come back from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from provgraph.catalogue.naming import stand_in
from provgraph.language.name_forms import name_forms
from provgraph.language.terms import terms
from provgraph.rdf.iris import digest, local_name
from provgraph.rdf.json_terms import triple_to_json
from provgraph.rdf.terms import NamedNode, Triple
from provgraph.retrieval.collection_index import IndexChanges
from provgraph.retrieval.contents import DocumentContents, DocumentPart, ExtractorRun, SubgraphContents
from provgraph.retrieval.identity.marks import mark_entries
from provgraph.retrieval.keyword_index import Entry
from provgraph.retrieval.names import mentioned, told_type, topic

PARTS_AT_ONCE: Final = 64
LONG_DOCUMENT: Final = 12
"""Chunks from which on a document is long."""


def index_changes(documents: Iterable[DocumentContents]) -> Iterator[IndexChanges]:
    """What takes the place of what is indexed of each document, some parts at a time: entries of many facts are many
    times as large as the document."""
    for document in documents:
        yield IndexChanges(documents=[document.iri.value], marks=list(mark_entries(document)))
        for start in range(0, len(document.parts), PARTS_AT_ONCE):
            yield _changes_of(document, document.parts[start : start + PARTS_AT_ONCE])


def _changes_of(document: DocumentContents, parts: Sequence[DocumentPart]) -> IndexChanges:
    changes = IndexChanges()
    for part in parts:
        changes.chunks.append(_chunk_entry(document, part))
        for subgraph in part.subgraphs:
            changes.entities += _entity_entries(subgraph)
            changes.readings += [
                _reading_entry(document, part, reading) for reading in subgraph.readings.values()
            ]
    return changes


def fact_key(fact: Triple) -> str:
    """What a fact is called in the index of readings."""
    return digest(str(fact).encode())


@lru_cache(maxsize=16_384)
def label_key(label: str) -> str:
    """What a name in a question must be to be this label exactly: the same terms in the same order."""
    return " ".join(terms(label))


def _chunk_entry(document: DocumentContents, part: DocumentPart) -> Entry:
    names = mentioned(f"{document.title}\n{part.text}") if part.place else {}
    about = topic(document.title, part.text) if part.place else ""
    payload: dict[str, object] = {
        "chunk": part.iri.value,
        "document": document.iri.value,
        "title": document.title,
        "topic": about,
        "names": names,
    }
    if part.place:
        payload["context"] = part.context
        payload["place"] = [part.place.page.value, part.place.start, part.place.end]
    return Entry(
        payload,
        keys={
            "chunk": [part.iri.value],
            "document": [document.iri.value],
            "subgraph": [subgraph.iri.value for subgraph in part.subgraphs],
            "topic": [about] if about else [],
            "name": list(names),
            "called": sorted(_called(document)) if part.place else [],
        },
        terms={
            "words": [*terms(document.title), *terms(part.context), *terms(part.text)] if part.place else []
        },
    )


def _called(document: DocumentContents) -> set[str]:
    """What a question may call a long document by: the words of its title and of its file's name.

    Every chunk of it has the words of its title, so that they hardly tell these from each other; but they tell which
    document is meant. A short document is found by the words of its title as it is.
    """
    if len(document.parts) < LONG_DOCUMENT:
        return set()
    file = document.source.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]
    return {*terms(document.title), *terms(re.sub(r"[_\W]+", " ", file))}


def _reading_entry(document: DocumentContents, part: DocumentPart, reading: ExtractorRun) -> Entry:
    fact = reading.fact
    said = {term for label in reading.labels for term in _distinct_terms(label)}
    context = _distinct_terms(reading.sentence) - said
    titled = _distinct_terms(document.title) - said - context
    key = fact_key(fact)
    nodes = list(
        dict.fromkeys(term.value for term in (fact.subject, fact.object) if isinstance(term, NamedNode))
    )
    payload = {
        "key": key,
        "document": document.iri.value,
        "chunk": part.iri.value,
        "nodes": nodes,
        "fact": triple_to_json(fact),
        "labels": reading.labels,
        "confidence": reading.confidence,
        "said": " ".join(sorted(said)),
        "context": " ".join(sorted(context)),
        "title": " ".join(sorted(titled)),
    }
    return Entry(
        payload,
        keys={
            "document": [document.iri.value],
            "chunk": [part.iri.value],
            "fact": [key],
            "node": nodes,
            "type": [kind] if (kind := told_type(reading.labels)) else [],
        },
        terms={"labels": list(said), "context": [*context, *titled]},
    )


@lru_cache(maxsize=1024)
def _distinct_terms(text: str) -> frozenset[str]:
    """Of a label, a title or a sentence, which the facts of one passage share."""
    return frozenset(terms(text))


def _entity_entries(subgraph: SubgraphContents) -> Iterator[Entry]:
    """One entry for each name of each node that stands in a statement as its subject or object."""
    things = {
        thing: label
        for reading in subgraph.readings.values()
        for thing, label in (
            (reading.fact.subject, reading.labels[0]),
            (reading.fact.object, reading.labels[2]),
        )
        if isinstance(thing, NamedNode)
    }
    for thing, shown in things.items():
        types = sorted({term for kind in subgraph.types.get(thing, ()) for term in terms(local_name(kind))})
        aliases = {stand_in(fact.object) for fact in subgraph.aliases if fact.subject == thing}
        for label in dict.fromkeys([shown, *subgraph.names.get(thing, ())]):
            if key := label_key(label):
                yield Entry(
                    {"entity": thing.value, "label": label},
                    keys={
                        "key": [f"{thing.value} {label}"],
                        "label": [key],
                        "type": types,
                        "entity": [] if label in aliases else [thing.value],
                        "form": [] if label in aliases else list(name_forms(label)),
                    },
                    terms={"words": key.split(" ")},
                )
