"""Source provenance: document ← page ← chunk ← subgraph, the sentence of each fact, question-answer pairs,
recognised pages, and failed attempts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from provgraph.ports.language_model import TokenUsage
from provgraph.provenance.nodes import entity_quads
from provgraph.rdf import literals
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import activity_iri, agent_iri, metadata_iri
from provgraph.rdf.terms import Literal, NamedNode, Quad, Triple
from provgraph.rdf.vocabulary import DC, PROV, RDF, RDFS, TG


@dataclass(frozen=True)
class Pair:
    """`clause` is the number by which the place is cited, as in 3.1(a), or empty."""

    question: str
    answer: str
    clause: str = ""


def pair_quads(quotation: NamedNode, pair: Pair, graph: NamedNode) -> list[Quad]:
    """What the words of a quotation answer.

    <subgraph/quotation/0> a tg:QuestionAnswerPair ; tg:pairQuestion "Who discovered polonium?" ;
        tg:pairAnswer "Curie" ; tg:clause "3.1(a)" .
    """
    quads = [
        Quad(quotation, RDF.type, TG.QuestionAnswerPair, graph),
        Quad(quotation, TG.pair_question, literals.text(pair.question), graph),
        Quad(quotation, TG.pair_answer, literals.text(pair.answer), graph),
    ]
    if pair.clause:
        quads.append(Quad(quotation, TG.clause, literals.text(pair.clause), graph))
    return quads


@dataclass(frozen=True)
class Component:
    """The software behind an activity: becomes its agent and its `tg:componentVersion`."""

    name: str
    label: str
    version: str
    model: str = ""
    ontology: NamedNode | None = None


@dataclass(frozen=True)
class DocumentRecord:
    iri: NamedNode
    version: NamedNode
    content_hash: str
    title: str
    media_type: str
    page_count: int
    creators: tuple[str, ...] = ()
    date: str = ""
    source: str = ""
    identifiers: tuple[str, ...] = ()
    abstract: str = ""
    metadata: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class PageRecord:
    """`recogniser` and `confidence` (0 to 1) are of a page whose text was recognised in a picture."""

    iri: NamedNode
    document: NamedNode
    version: NamedNode
    number: int
    recogniser: Component | None = None
    confidence: float = 0


@dataclass(frozen=True)
class ChunkRecord:
    """`offset` and `length` are in characters of the text of `page`; `index` counts the page's chunks from 0."""

    iri: NamedNode
    page: NamedNode
    index: int
    offset: int
    length: int


@dataclass(frozen=True)
class QuotationRecord:
    """The words of one page from which `facts` were read, all with one confidence, or drawn from one `pair`."""

    iri: NamedNode
    page: NamedNode
    offset: int
    text: str
    confidence: float
    facts: tuple[Triple, ...]
    pair: Pair | None = None


@dataclass(frozen=True)
class SubgraphRecord:
    """`cost` is that of the model's call, where there was one."""

    iri: NamedNode
    chunk: NamedNode
    facts: tuple[Triple, ...]
    quotations: tuple[QuotationRecord, ...]
    cost: TokenUsage | None = None


def document_quads(record: DocumentRecord, reader: Component, at: datetime, graph: NamedNode) -> list[Quad]:
    """A document, the version of it that these bytes are, and the activity that read its pages.

    <doc> a prov:Entity, tg:Document ; rdfs:label "Radioactive substances" ; dc:title "Radioactive substances" ;
        dc:creator "M. Curie" ; dc:date "1903"^^xsd:gYear ; dc:source "thesis.pdf" ;
        dc:identifier "doi:10.1000/182" ; dc:description "A thesis on radium and polonium." ;
        tg:mimeType "application/pdf" ; tg:pageCount 2 .
    <doc/version/9f86d0> a prov:Entity, tg:DocumentVersion ; prov:specializationOf <doc> ;
        tg:contentHash "9f86d0" .
    <doc/version/9f86d0/reading> a prov:Activity ; rdfs:label "Read pages" ; prov:used <doc/version/9f86d0> ;
        prov:wasAssociatedWith <urn:trustgraph:agent:reader> ; tg:componentVersion "1" ;
        prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime .
    <urn:trustgraph:agent:reader> a prov:Agent ; rdfs:label "ProvGraph reader" .
    """
    doc = record.iri
    described: list[tuple[NamedNode, NamedNode, NamedNode | Literal]] = [
        (doc, RDF.type, PROV.Entity),
        (doc, RDF.type, TG.Document),
        (doc, RDFS.label, literals.text(record.title)),
        (doc, DC.title, literals.text(record.title)),
        *((doc, DC.creator, literals.text(creator)) for creator in record.creators),
        *((doc, DC.identifier, literals.text(identifier)) for identifier in record.identifiers),
        (doc, TG.mime_type, literals.text(record.media_type)),
        (doc, TG.page_count, literals.integer(record.page_count)),
        (record.version, RDF.type, PROV.Entity),
        (record.version, RDF.type, TG.DocumentVersion),
        (record.version, PROV.specialization_of, doc),
        (record.version, TG.content_hash, literals.text(record.content_hash)),
    ]
    if record.date:
        described.append((doc, DC.date, literals.date(record.date)))
    if record.source:
        described.append((doc, DC.source, literals.text(record.source)))
    if record.abstract:
        described.append((doc, DC.description, literals.text(record.abstract)))
    reading = activity_iri(record.version, "reading")
    return [
        *(Quad(s, p, o, graph) for s, p, o in described),
        *metadata_quads(doc, record.metadata, graph),
        *described_activity(reading, "Read pages", record.version, reader, at, graph),
    ]


def metadata_quads(document: NamedNode, metadata: Iterable[tuple[str, str]], graph: NamedNode) -> list[Quad]:
    """What was given with a document, as names and values.

    <doc> tg:metadata <doc/metadata/0635065f931f10e611709db7d3a431ee> .
    <doc/metadata/0635065f931f10e611709db7d3a431ee> a prov:Entity, tg:MetadataEntry ; tg:metadataName "company" ;
        tg:metadataValue "PepsiCo" .
    """
    quads = []
    for name, value in metadata:
        node = metadata_iri(document, name, value)
        quads += [
            Quad(document, TG.metadata, node, graph),
            *entity_quads(node, TG.MetadataEntry, graph),
            Quad(node, TG.metadata_name, literals.text(name), graph),
            Quad(node, TG.metadata_value, literals.text(value), graph),
        ]
    return quads


def page_quads(record: PageRecord, graph: NamedNode) -> list[Quad]:
    """A page of a version of a document; generated as `recognition_quads` tells where its text was recognised.

    <doc/version/9f86d0/page/1> a prov:Entity, tg:Page ; prov:wasDerivedFrom <doc> ; tg:pageNumber 1 ;
        tg:documentVersion <doc/version/9f86d0> ; prov:wasGeneratedBy <doc/version/9f86d0/reading> .
    """
    named_node = (
        activity_iri(record.iri, "recognition")
        if record.recogniser
        else activity_iri(record.version, "reading")
    )
    return [
        *entity_quads(record.iri, TG.Page, graph),
        Quad(record.iri, PROV.was_derived_from, record.document, graph),
        Quad(record.iri, TG.page_number, literals.integer(record.number), graph),
        Quad(record.iri, TG.document_version, record.version, graph),
        Quad(record.iri, PROV.was_generated_by, named_node, graph),
    ]


def chunking_quads(page: PageRecord, chunker: Component, at: datetime, graph: NamedNode) -> list[Quad]:
    """The activity that cut a page into chunks.

    <doc/version/9f86d0/page/1/chunking> a prov:Activity ; rdfs:label "Cut chunks" ;
        prov:used <doc/version/9f86d0/page/1> ; prov:wasAssociatedWith <urn:trustgraph:agent:chunker> ;
        tg:componentVersion "1 size=1000 overlap=100" ;
        prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime .
    <urn:trustgraph:agent:chunker> a prov:Agent ; rdfs:label "ProvGraph chunker" .
    """
    return described_activity(activity_iri(page.iri, "chunking"), "Cut chunks", page.iri, chunker, at, graph)


def chunk_quads(record: ChunkRecord, graph: NamedNode) -> list[Quad]:
    """A chunk and its exact place: `page_text[offset : offset + length]` is its text.

    <doc/chunk/2c26b4-0> a prov:Entity, tg:Chunk ; prov:wasDerivedFrom <doc/version/9f86d0/page/1> ;
        tg:chunkIndex 0 ; tg:charOffset 0 ; tg:charLength 812 ;
        prov:wasGeneratedBy <doc/version/9f86d0/page/1/chunking> .
    """
    return [
        *entity_quads(record.iri, TG.Chunk, graph),
        Quad(record.iri, PROV.was_derived_from, record.page, graph),
        Quad(record.iri, TG.chunk_index, literals.integer(record.index), graph),
        Quad(record.iri, TG.char_offset, literals.integer(record.offset), graph),
        Quad(record.iri, TG.char_length, literals.integer(record.length), graph),
        Quad(record.iri, PROV.was_generated_by, activity_iri(record.page, "chunking"), graph),
    ]


def subgraph_quads(
    record: SubgraphRecord, extractor: Component, at: datetime, graphs: CollectionGraphs
) -> list[Quad]:
    """The facts of a chunk, what made them, and where each was read: N facts cost N + 12 source triples.

        <subgraph> a prov:Entity, tg:Subgraph ; tg:contains <<( e:curie e:discovered e:polonium )>> ;
            prov:wasDerivedFrom <doc/chunk/2c26b4-0> ; prov:wasGeneratedBy <subgraph/extraction> .
        <subgraph/extraction> a prov:Activity ; rdfs:label "Extract facts" ; prov:used <doc/chunk/2c26b4-0> ;
            prov:wasAssociatedWith <urn:trustgraph:agent:guided> ; tg:componentVersion "1" ;
            prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime ;
            tg:llmModel "a-model" ; tg:ontology <https://example.org/chemistry> ;
            tg:inToken 900 ; tg:outToken 120 ; tg:llmDurationMs 640 .
        <urn:trustgraph:agent:guided> a prov:Agent ; rdfs:label "Ontology-guided extractor" .

    A model and an ontology are one triple more each, where there is one, and what a model's call cost up to three.
    The quotations are beside that model
    and change nothing in it: see `quotation_quads`. The facts themselves are asserted in the knowledge graph.
    """
    graph = graphs.source
    activity = activity_iri(record.iri, "extraction")
    return [
        *entity_quads(record.iri, TG.Subgraph, graph),
        Quad(record.iri, PROV.was_derived_from, record.chunk, graph),
        Quad(record.iri, PROV.was_generated_by, activity, graph),
        *(Quad(record.iri, TG.contains, fact, graph) for fact in record.facts),
        *described_activity(activity, "Extract facts", record.chunk, extractor, at, graph),
        *(_cost_quads(activity, record.cost, graph) if record.cost else ()),
        *quotation_quads(record.iri, record.quotations, graph),
        *(Quad(fact.subject, fact.predicate, fact.object, graphs.knowledge) for fact in record.facts),
    ]


def quotation_quads(
    subgraph: NamedNode, quotations: Iterable[QuotationRecord], graph: NamedNode
) -> Iterator[Quad]:
    """A sentence as a reifier of the facts read from it (RDF 1.2): Q quotations of N facts cost 8·Q + N triples.

        <subgraph/quotation/0> a prov:Entity, tg:Quotation ; tg:inSubgraph <subgraph> ;
            prov:wasQuotedFrom <doc/version/9f86d0/page/1> ; tg:confidence 0.8 ;
            tg:sourceText "Curie discovered polonium." ; tg:sourceCharOffset 0 ; tg:sourceCharLength 26 ;
            rdf:reifies <<( e:curie e:discovered e:polonium )>> .

    So SPARQL 1.2 reads it as an annotation: `e:curie e:discovered e:polonium {| tg:sourceText ?sentence |}`.
    """
    for quotation in quotations:
        node = quotation.iri
        yield from entity_quads(node, TG.Quotation, graph)
        yield Quad(node, TG.in_subgraph, subgraph, graph)
        yield Quad(node, PROV.was_quoted_from, quotation.page, graph)
        yield Quad(node, TG.confidence, literals.decimal(quotation.confidence), graph)
        yield Quad(node, TG.source_text, literals.text(quotation.text), graph)
        yield Quad(node, TG.source_char_offset, literals.integer(quotation.offset), graph)
        yield Quad(node, TG.source_char_length, literals.integer(len(quotation.text)), graph)
        for fact in quotation.facts:
            yield Quad(node, RDF.reifies, fact, graph)
        if quotation.pair:
            yield from pair_quads(node, quotation.pair, graph)


def _cost_quads(activity: NamedNode, cost: TokenUsage, graph: NamedNode) -> Iterator[Quad]:
    counted = (
        (TG.in_token, cost.in_tokens),
        (TG.out_token, cost.out_tokens),
        (TG.llm_duration_ms, cost.duration_ms),
    )
    for term, count in counted:
        if count is not None:
            yield Quad(activity, term, literals.integer(count), graph)


def described_activity(
    activity: NamedNode, label: str, used: NamedNode, by: Component, at: datetime, graph: NamedNode
) -> list[Quad]:
    """An activity of extraction with its agent."""
    agent = agent_iri(by.name)
    quads = [
        Quad(activity, RDF.type, PROV.Activity, graph),
        Quad(activity, RDFS.label, literals.text(label), graph),
        Quad(activity, PROV.used, used, graph),
        Quad(activity, PROV.was_associated_with, agent, graph),
        Quad(activity, PROV.started_at_time, literals.date_time(at), graph),
        Quad(activity, TG.component_version, literals.text(by.version), graph),
        Quad(agent, RDF.type, PROV.Agent, graph),
        Quad(agent, RDFS.label, literals.text(by.label), graph),
    ]
    if by.model:
        quads.append(Quad(activity, TG.llm_model, literals.text(by.model), graph))
    if by.ontology:
        quads.append(Quad(activity, TG.ontology, by.ontology, graph))
    return quads


STEP = "attempt"


def attempt_quads(
    subgraph: NamedNode, chunk: NamedNode, extractor: Component, failure: str, at: datetime, graph: NamedNode
) -> list[Quad]:
    """An extraction that failed, under the name of the subgraph that it did not make.

    <subgraph/attempt> a prov:Activity ; rdfs:label "Extract facts (failed)" ; prov:used <doc/chunk/2c26b4-0> ;
        prov:wasAssociatedWith <urn:trustgraph:agent:agent> ; tg:componentVersion "1" ; tg:llmModel "a-model" ;
        prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime ;
        tg:failure "The model did not answer in 120 s. Try later." .
    <urn:trustgraph:agent:agent> a prov:Agent ; rdfs:label "ProvGraph agent extractor" .
    """
    activity = activity_iri(subgraph, STEP)
    described = described_activity(activity, "Extract facts (failed)", chunk, extractor, at, graph)
    return [*described, Quad(activity, TG.failure, literals.text(failure), graph)]


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
