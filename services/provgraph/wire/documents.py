"""Documents, their pages, jobs and collections over HTTP."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from provgraph.wire.problem import Problem


class TextDocumentRequest(BaseModel):
    """A document as JSON: its text, or the bytes of any readable file in base64."""

    model_config = ConfigDict(extra="forbid")

    text: str | None = None
    content: str | None = Field(None, description="The file's bytes, base64.")
    name: str = Field("", description="A file name; its extension says what `content` is.")
    title: str = ""
    id: str = Field("", description="An IRI, or any word, that names the document; else its content does.")
    metadata: dict[str, str | int | float | bool | list[str | int | float | bool] | None] = Field(
        {},
        description="What questions can be narrowed by, such as company: PepsiCo; `title`, `author` and `date` are the "
        "document's own. Names that it has already get these values.",
    )
    collection: str = "default"
    extractors: list[str] = Field(
        [], description="Names of extractors; empty: those of the service's settings."
    )
    ontology: str = Field(
        "", description="An OWL or RDFS ontology in Turtle, for the extractor ontology-guided."
    )
    max_tokens: int = Field(
        0, ge=0, description="What the language model may spend on it; 0: as the settings say."
    )
    sparing: bool = Field(
        False, description="Have the model read only the chunks in which rules found nothing."
    )
    replace: bool = Field(
        False,
        description="Retire what the same extractors read in it before with another version, model or prompt.",
    )


class RetryRequest(BaseModel):
    """Which of the failed chunks of a collection to read again; what is left out is as in the ingest of a document."""

    model_config = ConfigDict(extra="forbid")

    collection: str = "default"
    extractors: list[str] = Field([], description="Names of extractors; empty: all that failed.")
    ontology: str = ""
    ontology_name: str = "ontology.ttl"
    max_tokens: int = Field(0, ge=0)


class MetadataRequest(BaseModel):
    """What a document is known by from now on."""

    model_config = ConfigDict(extra="forbid")

    collection: str = "default"
    document: str = Field(description="Its id, file name or title.")
    title: str = Field("", description="What it is called from now on; empty to leave its title as it is.")
    metadata: dict[str, str | int | float | bool | list[str | int | float | bool] | None] | None = Field(
        None,
        description="As when a document is ingested: what is left out is removed. Without it nothing of it changes.",
    )


class RereadRequest(BaseModel):
    """Which documents to read again: all that an older version of these extractors read."""

    model_config = ConfigDict(extra="forbid")

    collection: str = "default"
    extractors: list[str] = Field(
        [], description="Names of extractors; empty: those by rules, which ask no model."
    )


class ReadingVersion(BaseModel):
    """What one version of an extractor read of a collection."""

    extractor: str
    version: str
    model: str = ""
    documents: int
    chunks: int
    outdated: bool = Field(
        description="Whether another version, or another extractor, reads in its place today."
    )


class CollectionReadings(BaseModel):
    collection: str
    readings: list[ReadingVersion]


class ChunkChanges(BaseModel):
    """Chunks of a document that was given other bytes: in both versions; in the place of others; where none had been;
    gone without another in their place."""

    kept: int
    changed: int
    added: int
    removed: int


class StoredDocument(BaseModel):
    id: str
    title: str
    pages: int
    chunks: int
    new_chunks: int = Field(description="Chunks that were not in the store before; 0 when nothing changed.")
    facts: int = Field(description="Statements read from the new chunks.")
    failed_chunks: int = Field(0, description="Chunks that an extractor by model could not read this time.")
    changes: ChunkChanges | None = Field(
        None, description="What became of the chunks of the version before; none for a document that is new."
    )
    warnings: list[str] = Field(
        [], description="Pages that were recognised with low confidence, or left unread, and why."
    )


class RefusedDocument(BaseModel):
    name: str
    problem: Problem


class FailedChunks(BaseModel):
    """Chunks of a file that an extractor by model could not read, all for one reason; ingest again to read them."""

    name: str
    extractor: str
    chunks: int
    problem: Problem


class ModelUse(BaseModel):
    """What the language model did: calls that were answered, tokens as its endpoint counts them, and how many of the
    facts it proposed were dropped, by what was wrong with them."""

    calls: int = 0
    in_tokens: int = 0
    out_tokens: int = 0
    dropped: dict[str, int] = {}


class PaperGraphSize(BaseModel):
    """How many papers a collection has, and how many pairs of them are alike."""

    papers: int
    likenesses: int


class Job(BaseModel):
    """An ingest: `state` becomes `done` even where some files were refused or some chunks failed; `failed` when it
    could not go on."""

    id: str
    collection: str
    extractors: list[str] = Field([], description="What reads the documents.")
    state: Literal["queued", "running", "done", "failed", "cancelled"] = "queued"
    file: str = Field("", description="The file at hand.")
    page: int = Field(
        0, description="The page of it up to which it is read and written; 0 where nobody knows."
    )
    pages: int = Field(0, description="How many pages it has.")
    doing: str = Field(
        "", description="Of a build of papers: what is done to get the next one, such as waiting for arXiv."
    )
    chunks_done: int = 0
    chunks_total: int = Field(0, description="Chunks found so far.")
    documents: list[StoredDocument] = []
    refused: list[RefusedDocument] = []
    failed: list[FailedChunks] = []
    retired: int = Field(
        0, description="Older readings that were replaced by those of this ingest (`replace`)."
    )
    model: ModelUse | None = None
    paper_graph: PaperGraphSize | None = Field(
        None, description="Of a build of papers: the graph that it ended with."
    )
    problem: Problem | None = None
    waits_for: Problem | None = Field(
        None, description="What holds the job up at present, such as a full disk; it goes on by itself."
    )


class Document(BaseModel):
    id: str
    title: str
    media_type: str
    pages: int
    creators: list[str]
    date: str
    source: str
    metadata: dict[str, list[str]] = Field({}, description="What was given with it, by name.")
    failed_chunks: int = Field(0, description="Chunks that an extractor failed at, and has not read since.")
    chunks: int | None = Field(None, description="How many chunks it has, where `counts` asked for it.")
    facts: int | None = Field(None, description="How many statements were read from them, each counted once.")
    size: int | None = Field(
        None,
        description="Bytes of the file, of a list where `counts` asked for it; none of what has no file, as RDF.",
    )


class DocumentFact(BaseModel):
    """A statement in labels; the text of `page` from `start` to `end` is `text`."""

    subject: str
    relation: str
    object: str
    confidence: float
    page: str
    start: int
    end: int
    text: str
    read_by: str = Field("", description="The extractor that read it, with its version.")
    outdated: bool = Field(
        False,
        description="Read by an older version of the extractor; `provgraph ingest --reread` reads it again.",
    )


class DocumentChunk(BaseModel):
    id: str
    number: int
    start: int
    end: int
    facts: list[DocumentFact]


class PageRecognition(BaseModel):
    """That the text of a page was recognised in a picture: by whom, and how sure they are of its words, 0 to 1."""

    by: str
    version: str
    confidence: float


class DocumentPage(BaseModel):
    id: str
    number: int
    recognition: PageRecognition | None = Field(
        None, description="How the text was recognised; none where the file itself holds it."
    )
    warning: str = Field(
        "", description="What of the page was not read, or with low confidence, and why; mostly empty."
    )
    chunks: list[DocumentChunk]


class DocumentTree(Document):
    content: list[DocumentPage]


class OntologyRef(BaseModel):
    """An ontology that a collection keeps: `id` is where the library holds the file, `sha256` the hash of its bytes."""

    name: str
    id: str
    sha256: str


class CollectionSettings(BaseModel):
    """How a collection is read and asked where a request does not say it; what is empty or null is as the service is
    set."""

    model_config = ConfigDict(extra="forbid")

    engine: Literal["", "model-free", "model"] = ""
    method: str = ""
    corrective: bool | None = None
    rerank: bool | None = None
    extractors: list[str] = []
    ontology: OntologyRef | None = None
    max_tokens: int = Field(
        0, ge=0, description="What the language model may spend on one ingest; 0: as the service is set."
    )
    sparing: bool | None = Field(
        None, description="Whether the language model reads only the chunks in which rules found nothing."
    )


class CollectionRequest(BaseModel):
    """A collection to make, or to set: what is left out stays as it is, and what is empty or null is taken back."""

    model_config = ConfigDict(extra="forbid")

    collection: str
    engine: Literal["", "model-free", "model"] | None = None
    method: str | None = None
    corrective: bool | None = None
    rerank: bool | None = None
    extractors: list[str] | None = None
    ontology: str | None = Field(
        None,
        description="An OWL or RDFS ontology, as the text of its file, for the extractor ontology-guided.",
    )
    ontology_name: str = Field("ontology.ttl", description="Its file name; the extension says what it is.")
    max_tokens: int | None = Field(None, ge=0)
    sparing: bool | None = None


class Collection(BaseModel):
    """A collection with what is set for it; `unavailable` says why that is not known at present."""

    collection: str
    settings: CollectionSettings = CollectionSettings()
    unavailable: str = ""


class Removed(BaseModel):
    """A removed collection, and how many sessions were asked of it."""

    collection: str
    sessions: int


class DeletionReport(BaseModel):
    """What went with a document, or would go (`dry_run`). A fact stays where another document says it."""

    document: str
    title: str
    collection: str
    dry_run: bool
    deletion: str | None = Field(description="What remains: the IRI of the deletion, with these counts.")
    at: str
    pages: int
    chunks: int
    subgraphs: int
    facts_removed: int
    facts_kept: int = Field(description="Facts that lost this source and have another.")
    entities_removed: int
    stale: list[str] = Field(description="Sessions whose answers stood on it.")
    redacted: list[str] = Field(description="Those of them whose text, edges and candidates went too.")
    erased: bool = Field(False, description="Nothing of it is left in any file.")


class CompactProgress(BaseModel):
    """Of `total` parts (the store, and the indexes of each collection), `done` are written anew; `part` is at hand."""

    part: str
    done: int
    total: int


class Compacted(BaseModel):
    """The store and the indexes written anew; bytes on disk."""

    before: int
    after: int


class Imported(BaseModel):
    """Statements restored from an export, and facts imported from any other RDF. `left_out` are statements on sessions
    and agents that are here: those stand as they are."""

    restored: int
    facts: int
    left_out: int = 0


class MarkedRectangle(BaseModel):
    """In shares of the page's width and height, from its upper left corner: 0 to 1."""

    x: float
    y: float
    width: float
    height: float


class PageWords(BaseModel):
    """The rectangles of the characters `start` to `end` of a page's text, one for each piece of a line."""

    page: str
    start: int
    end: int
    aspect: float = Field(description="The page's width divided by its height.")
    rectangles: list[MarkedRectangle]
