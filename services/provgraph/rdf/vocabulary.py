"""The vocabularies that ProvGraph writes, as data.

Every term here is declared in `ontology/provgraph.ttl` or belongs to a standard vocabulary; a test holds the
two together.
"""

from __future__ import annotations

from typing import Final

from pyoxigraph import NamedNode

PREFIXES: Final = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "prov": "http://www.w3.org/ns/prov#",
    "dc": "http://purl.org/dc/elements/1.1/",
    "oa": "http://www.w3.org/ns/oa#",
    "tg": "https://trustgraph.ai/ns/",
    "e": "http://trustgraph.ai/e/",
    "r": "https://trustgraph.ai/ns/relation/",
}


def _term(prefix: str, name: str) -> NamedNode:
    return NamedNode(PREFIXES[prefix] + name)


class RDF:
    type: Final = _term("rdf", "type")
    reifies: Final = _term("rdf", "reifies")
    subject: Final = _term("rdf", "subject")
    predicate: Final = _term("rdf", "predicate")
    object: Final = _term("rdf", "object")
    Property: Final = _term("rdf", "Property")
    Statement: Final = _term("rdf", "Statement")
    first: Final = _term("rdf", "first")
    rest: Final = _term("rdf", "rest")
    nil: Final = _term("rdf", "nil")
    lang_string: Final = _term("rdf", "langString")


class RDFS:
    label: Final = _term("rdfs", "label")
    comment: Final = _term("rdfs", "comment")
    domain: Final = _term("rdfs", "domain")
    range: Final = _term("rdfs", "range")
    sub_class_of: Final = _term("rdfs", "subClassOf")
    Class: Final = _term("rdfs", "Class")
    Literal: Final = _term("rdfs", "Literal")
    see_also: Final = _term("rdfs", "seeAlso")


class OWL:
    """What ontologies are read by; nothing of it is written."""

    Ontology: Final = _term("owl", "Ontology")
    Class: Final = _term("owl", "Class")
    Thing: Final = _term("owl", "Thing")
    ObjectProperty: Final = _term("owl", "ObjectProperty")
    DatatypeProperty: Final = _term("owl", "DatatypeProperty")
    FunctionalProperty: Final = _term("owl", "FunctionalProperty")
    union_of: Final = _term("owl", "unionOf")


class XSD:
    boolean: Final = _term("xsd", "boolean")
    date: Final = _term("xsd", "date")
    date_time: Final = _term("xsd", "dateTime")
    decimal: Final = _term("xsd", "decimal")
    g_year: Final = _term("xsd", "gYear")
    g_year_month: Final = _term("xsd", "gYearMonth")
    integer: Final = _term("xsd", "integer")
    string: Final = _term("xsd", "string")


class DC:
    title: Final = _term("dc", "title")
    creator: Final = _term("dc", "creator")
    date: Final = _term("dc", "date")
    source: Final = _term("dc", "source")
    description: Final = _term("dc", "description")
    identifier: Final = _term("dc", "identifier")


class SKOS:
    definition: Final = _term("skos", "definition")


class PROV:
    Activity: Final = _term("prov", "Activity")
    Agent: Final = _term("prov", "Agent")
    Collection: Final = _term("prov", "Collection")
    Entity: Final = _term("prov", "Entity")
    ended_at_time: Final = _term("prov", "endedAtTime")
    generated_at_time: Final = _term("prov", "generatedAtTime")
    invalidated_at_time: Final = _term("prov", "invalidatedAtTime")
    specialization_of: Final = _term("prov", "specializationOf")
    started_at_time: Final = _term("prov", "startedAtTime")
    used: Final = _term("prov", "used")
    value: Final = _term("prov", "value")
    was_associated_with: Final = _term("prov", "wasAssociatedWith")
    was_attributed_to: Final = _term("prov", "wasAttributedTo")
    was_derived_from: Final = _term("prov", "wasDerivedFrom")
    was_generated_by: Final = _term("prov", "wasGeneratedBy")
    was_informed_by: Final = _term("prov", "wasInformedBy")
    was_invalidated_by: Final = _term("prov", "wasInvalidatedBy")
    was_quoted_from: Final = _term("prov", "wasQuotedFrom")
    was_revision_of: Final = _term("prov", "wasRevisionOf")


class OA:
    """Web Annotation; written only where a trace is shown."""

    Annotation: Final = _term("oa", "Annotation")
    SpecificResource: Final = _term("oa", "SpecificResource")
    TextPositionSelector: Final = _term("oa", "TextPositionSelector")
    TextQuoteSelector: Final = _term("oa", "TextQuoteSelector")
    motivated_by: Final = _term("oa", "motivatedBy")
    linking: Final = _term("oa", "linking")
    has_body: Final = _term("oa", "hasBody")
    has_target: Final = _term("oa", "hasTarget")
    has_source: Final = _term("oa", "hasSource")
    has_selector: Final = _term("oa", "hasSelector")
    start: Final = _term("oa", "start")
    end: Final = _term("oa", "end")
    exact: Final = _term("oa", "exact")


class TG:
    """TrustGraph's terms first, as its clients know them; then those that ProvGraph adds."""

    # source provenance
    Document: Final = _term("tg", "Document")
    Page: Final = _term("tg", "Page")
    Chunk: Final = _term("tg", "Chunk")
    Subgraph: Final = _term("tg", "Subgraph")
    contains: Final = _term("tg", "contains")
    mime_type: Final = _term("tg", "mimeType")
    page_count: Final = _term("tg", "pageCount")
    MetadataEntry: Final = _term("tg", "MetadataEntry")
    metadata: Final = _term("tg", "metadata")
    metadata_name: Final = _term("tg", "metadataName")
    metadata_value: Final = _term("tg", "metadataValue")
    page_number: Final = _term("tg", "pageNumber")
    chunk_index: Final = _term("tg", "chunkIndex")
    char_offset: Final = _term("tg", "charOffset")
    char_length: Final = _term("tg", "charLength")
    component_version: Final = _term("tg", "componentVersion")
    llm_model: Final = _term("tg", "llmModel")
    ontology: Final = _term("tg", "ontology")
    source_text: Final = _term("tg", "sourceText")
    source_char_offset: Final = _term("tg", "sourceCharOffset")
    source_char_length: Final = _term("tg", "sourceCharLength")

    # query provenance
    Question: Final = _term("tg", "Question")
    GraphRagQuestion: Final = _term("tg", "GraphRagQuestion")
    DocRagQuestion: Final = _term("tg", "DocRagQuestion")
    Grounding: Final = _term("tg", "Grounding")
    Exploration: Final = _term("tg", "Exploration")
    Focus: Final = _term("tg", "Focus")
    EdgeSelection: Final = _term("tg", "EdgeSelection")
    ChunkSelection: Final = _term("tg", "ChunkSelection")
    Synthesis: Final = _term("tg", "Synthesis")
    Answer: Final = _term("tg", "Answer")
    query: Final = _term("tg", "query")
    concept: Final = _term("tg", "concept")
    edge_count: Final = _term("tg", "edgeCount")
    chunk_count: Final = _term("tg", "chunkCount")
    entity: Final = _term("tg", "entity")
    selected_edge: Final = _term("tg", "selectedEdge")
    selected_chunk: Final = _term("tg", "selectedChunk")
    edge: Final = _term("tg", "edge")
    score: Final = _term("tg", "score")
    reasoning: Final = _term("tg", "reasoning")
    document: Final = _term("tg", "document")
    in_token: Final = _term("tg", "inToken")
    out_token: Final = _term("tg", "outToken")
    llm_duration_ms: Final = _term("tg", "llmDurationMs")

    # ProvGraph's own: where a fact was read
    Collection: Final = _term("tg", "Collection")
    DocumentVersion: Final = _term("tg", "DocumentVersion")
    Quotation: Final = _term("tg", "Quotation")
    document_version: Final = _term("tg", "documentVersion")
    content_hash: Final = _term("tg", "contentHash")
    Record: Final = _term("tg", "Record")
    record_statement: Final = _term("tg", "recordStatement")
    record_signature: Final = _term("tg", "recordSignature")
    record_entries: Final = _term("tg", "recordEntries")
    Receipt: Final = _term("tg", "Receipt")
    received_in: Final = _term("tg", "receivedIn")
    in_chunk: Final = _term("tg", "inChunk")
    in_subgraph: Final = _term("tg", "inSubgraph")
    confidence: Final = _term("tg", "confidence")
    recognition_confidence: Final = _term("tg", "recognitionConfidence")
    settings: Final = _term("tg", "settings")
    quantity: Final = _term("tg", "quantity")
    QuestionAnswerPair: Final = _term("tg", "QuestionAnswerPair")
    pair_question: Final = _term("tg", "pairQuestion")
    pair_answer: Final = _term("tg", "pairAnswer")
    clause: Final = _term("tg", "clause")

    # ProvGraph's own: what was handed to the library, and how it was read
    Deposit: Final = _term("tg", "Deposit")
    Processing: Final = _term("tg", "Processing")
    tag: Final = _term("tg", "tag")

    # ProvGraph's own: how a question went
    Session: Final = _term("tg", "Session")
    ExtractiveQuestion: Final = _term("tg", "ExtractiveQuestion")
    KgqaQuestion: Final = _term("tg", "KgqaQuestion")
    PassedOverEdge: Final = _term("tg", "PassedOverEdge")
    PassedOverChunk: Final = _term("tg", "PassedOverChunk")
    ChunkQuotation: Final = _term("tg", "ChunkQuotation")
    RetrievedDocument: Final = _term("tg", "RetrievedDocument")
    AnswerSentence: Final = _term("tg", "AnswerSentence")
    collection: Final = _term("tg", "collection")
    outcome: Final = _term("tg", "outcome")
    failure: Final = _term("tg", "failure")
    setting: Final = _term("tg", "setting")
    asked_as: Final = _term("tg", "askedAs")
    without_document: Final = _term("tg", "withoutDocument")
    without_edge: Final = _term("tg", "withoutEdge")
    candidate_of: Final = _term("tg", "candidateOf")
    candidate_edge: Final = _term("tg", "candidateEdge")
    candidate_notes: Final = _term("tg", "candidateNotes")
    CandidateNotes: Final = _term("tg", "CandidateNotes")
    sentence_of: Final = _term("tg", "sentenceOf")
    sentence_index: Final = _term("tg", "sentenceIndex")
    supported: Final = _term("tg", "supported")
    supported_by: Final = _term("tg", "supportedBy")
    quotation: Final = _term("tg", "quotation")
    overlap: Final = _term("tg", "overlap")
    prompt: Final = _term("tg", "prompt")
    prompt_hash: Final = _term("tg", "promptHash")
    reply: Final = _term("tg", "reply")
    ignored_lines: Final = _term("tg", "ignoredLines")
    warning: Final = _term("tg", "warning")
    Purge: Final = _term("tg", "Purge")
    purged_before: Final = _term("tg", "purgedBefore")
    purged_sessions: Final = _term("tg", "purgedSessions")
    purging: Final = _term("tg", "purging")
    RelevanceCheck: Final = _term("tg", "RelevanceCheck")
    Reformulation: Final = _term("tg", "Reformulation")
    Reranking: Final = _term("tg", "Reranking")
    relevant: Final = _term("tg", "relevant")
    rerank_score: Final = _term("tg", "rerankScore")
    retrieval_method: Final = _term("tg", "retrievalMethod")
    retrieval_parameter: Final = _term("tg", "retrievalParameter")
    found_by: Final = _term("tg", "foundBy")
    found_along: Final = _term("tg", "foundAlong")

    # ProvGraph's own: a question to the best passages
    PassagesQuestion: Final = _term("tg", "PassagesQuestion")

    # ProvGraph's own: a short answer, and how it was derived
    origin: Final = _term("tg", "origin")
    short_answer: Final = _term("tg", "shortAnswer")
    short_answer_kind: Final = _term("tg", "shortAnswerKind")
    derivation: Final = _term("tg", "derivation")
    DerivationStep: Final = _term("tg", "DerivationStep")
    derivation_of: Final = _term("tg", "derivationOf")
    operation: Final = _term("tg", "operation")
    used_fact: Final = _term("tg", "usedFact")
    sparql_query: Final = _term("tg", "sparqlQuery")
    DerivedValue: Final = _term("tg", "DerivedValue")

    # ProvGraph's own: a text of somebody else's that is checked claim by claim
    AttributionQuestion: Final = _term("tg", "AttributionQuestion")
    software_version: Final = _term("tg", "softwareVersion")
    claim_offset: Final = _term("tg", "claimOffset")
    claim_length: Final = _term("tg", "claimLength")
    cited_document: Final = _term("tg", "citedDocument")
    cited_supports: Final = _term("tg", "citedSupports")

    # ProvGraph's own: how a claim was judged
    ClaimQuestion: Final = _term("tg", "ClaimQuestion")
    claim_verdict: Final = _term("tg", "claimVerdict")
    verdict_confidence: Final = _term("tg", "verdictConfidence")
    verdict_coverage: Final = _term("tg", "verdictCoverage")
    stance: Final = _term("tg", "stance")
    ClaimElement: Final = _term("tg", "ClaimElement")
    element_of: Final = _term("tg", "elementOf")
    element_text: Final = _term("tg", "elementText")
    element_role: Final = _term("tg", "elementRole")
    element_relation: Final = _term("tg", "elementRelation")

    # ProvGraph's own: papers, how alike they are, and what is asked of them
    PaperSimilarity: Final = _term("tg", "PaperSimilarity")
    PaperComparison: Final = _term("tg", "PaperComparison")
    similar_to: Final = _term("tg", "similarTo")
    similarity: Final = _term("tg", "similarity")
    weight: Final = _term("tg", "weight")
    method: Final = _term("tg", "method")
    embedding_model: Final = _term("tg", "embeddingModel")
    PaperBuild: Final = _term("tg", "PaperBuild")
    PaperGap: Final = _term("tg", "PaperGap")
    gap_of: Final = _term("tg", "gapOf")
    ResearchQuestion: Final = _term("tg", "ResearchQuestion")
    Conversation: Final = _term("tg", "Conversation")
    conversation: Final = _term("tg", "conversation")
    conversation_with: Final = _term("tg", "conversationWith")
    chosen_paper: Final = _term("tg", "chosenPaper")

    # ProvGraph's own: what was taken back, and which answers stood on it
    Deletion: Final = _term("tg", "Deletion")
    Revision: Final = _term("tg", "Revision")
    Replacement: Final = _term("tg", "Replacement")
    PastQuotation: Final = _term("tg", "PastQuotation")
    changed_document: Final = _term("tg", "changedDocument")
    removed_pages: Final = _term("tg", "removedPages")
    removed_chunks: Final = _term("tg", "removedChunks")
    removed_subgraphs: Final = _term("tg", "removedSubgraphs")
    removed_facts: Final = _term("tg", "removedFacts")
    kept_facts: Final = _term("tg", "keptFacts")
    removed_entities: Final = _term("tg", "removedEntities")
    kept_chunks: Final = _term("tg", "keptChunks")
    changed_chunks: Final = _term("tg", "changedChunks")
    added_chunks: Final = _term("tg", "addedChunks")
    stale_answers: Final = _term("tg", "staleAnswers")
    redacted_answers: Final = _term("tg", "redactedAnswers")
    evidence_lost_in: Final = _term("tg", "evidenceLostIn")
    stale_because: Final = _term("tg", "staleBecause")
    redacted_in: Final = _term("tg", "redactedIn")
    contradicted_by: Final = _term("tg", "contradictedBy")
    doubted_because: Final = _term("tg", "doubtedBecause")
    quoted_for: Final = _term("tg", "quotedFor")
    source_document: Final = _term("tg", "sourceDocument")

    # ProvGraph's own: which entities are one
    Resolution: Final = _term("tg", "Resolution")
    ResolutionUse: Final = _term("tg", "ResolutionUse")
    resolution_of: Final = _term("tg", "resolutionOf")
    resolved_entity: Final = _term("tg", "resolvedEntity")
    verdict: Final = _term("tg", "verdict")
    rule: Final = _term("tg", "rule")
    decision: Final = _term("tg", "decision")
    undone_by: Final = _term("tg", "undoneBy")

    # ProvGraph's own: who may see what
    readable_by: Final = _term("tg", "readableBy")
    Principal: Final = _term("tg", "Principal")
    grant: Final = _term("tg", "grant")
    asked_by: Final = _term("tg", "askedBy")
    View: Final = _term("tg", "View")
    asked_over: Final = _term("tg", "askedOver")
    view_document: Final = _term("tg", "viewDocument")
    Access: Final = _term("tg", "Access")
    right: Final = _term("tg", "right")
    request: Final = _term("tg", "request")
    status: Final = _term("tg", "status")
    concerns: Final = _term("tg", "concerns")

    # ProvGraph's own: what the entities of the knowledge graph are
    Person: Final = _term("tg", "Person")
    Organization: Final = _term("tg", "Organization")
    Place: Final = _term("tg", "Place")
    Work: Final = _term("tg", "Work")
    Event: Final = _term("tg", "Event")
    Concept: Final = _term("tg", "Concept")
    Clause: Final = _term("tg", "Clause")
    Number: Final = _term("tg", "Number")


RESEARCH_NAMESPACE: Final = "https://trustgraph.ai/ns/research#"


class RESEARCH:
    """Classes and relations of `ontology/research.ttl`, by their local names; of classes, the narrower first."""

    classes: Final = {
        name: NamedNode(RESEARCH_NAMESPACE + name)
        for name in "ALGORITHM METHOD DATASET METRIC CONCEPT".split()
    }
    relations: Final = {
        name: NamedNode(RESEARCH_NAMESPACE + name)
        for name in "USES IMPROVES COMPARES_TO BASED_ON APPLIES_TO".split()
    }


ENTITY_CLASSES: Final = (
    TG.Person,
    TG.Organization,
    TG.Place,
    TG.Work,
    TG.Event,
    TG.Concept,
    TG.Clause,
    TG.Number,
)
