"""What a service offers (flows, saved queries) and what is done to it as a whole: archives, checks,
reindexing, purges."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field


class FlowDescription(BaseModel):
    """A way of asking: `POST` to `address` with a `query`, and with whatever else is named in `fields`."""

    name: str
    title: str
    address: str
    description: str
    fields: list[str]
    engines: list[str] = Field([], description="What `engine` may be here; empty where there is no choice.")


class Flows(BaseModel):
    """`model` is the language model of the service, or null where it has none; then `engine` is model-free."""

    model: str | None
    flows: list[FlowDescription]


class SubscriptionRequest(BaseModel):
    """Whom to tell, by a signed webhook, when a sentence of a session's answer loses its evidence."""

    model_config = ConfigDict(extra="forbid")

    session: str = Field(description="The session of the answer: an IRI or a UUID.")
    url: str = Field(description="The address to which events are posted.")


class SubscriptionView(BaseModel):
    """`fallen` are the sentences that the subscriber was told of, `failures` the attempts since the last event that was
    taken, `problem` what came of the last one."""

    id: str
    session: str
    collection: str
    url: str
    made: datetime
    fallen: list[int]
    sent: int
    failures: int
    next_attempt: datetime | None = None
    problem: str = ""


class QueryParameter(BaseModel):
    """`kind` is iri, text, integer or decimal; one without a default must be given."""

    name: str
    kind: str
    meaning: str
    default: str | None = None


class QueryText(BaseModel):
    """A shipped query; its parameters stand in `text` as `$name`."""

    name: str
    description: str
    parameters: list[QueryParameter]
    text: str


class ArchiveProgress(BaseModel):
    """`done` of `total` steps of verifying, comparing, writing or indexing."""

    doing: str
    done: int
    total: int


class ImportedArchive(BaseModel):
    """What an archive held, and how much of it was new: nothing, when it is imported again."""

    collection: str
    documents: int
    sessions: int
    statements: int = Field(description="Statements that the store did not have.")
    contents: int = Field(description="Documents, pages, answers … that the library did not hold.")


class CheckRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    collection: str = "default"
    everything: bool = Field(False, description="Check also what has passed an earlier check.")
    signatures: bool = Field(
        False, description="Check the signed records of the whole store, and its statements."
    )
    extract_again: bool = Field(
        False, description="Let extractors by rules read all documents once more, and compare what they find."
    )
    head: str = Field(
        "",
        max_length=64,
        description="The hash of a record that was once the last: the chain must still have it.",
    )
    keys: list[str] = Field(
        [],
        max_length=100,
        description="Fingerprints of the keys that may sign; none for that which began the chain.",
    )


class CheckProgress(BaseModel):
    """`done` of `total` steps."""

    doing: str
    done: int
    total: int


class CheckFinding(BaseModel):
    rule: str = Field(
        description="shape, span, disjoint, asserted, contained, quoted, labelled, lineage, text, bytes, signed "
        "or extracted."
    )
    subject: str = Field(description="The IRI, or the triple, of which the sentence speaks.")
    sentence: str


class CheckedSignatures(BaseModel):
    """What the signed records of the store came to."""

    records: int
    head: str = Field(
        description="The hash of the last record. Kept elsewhere, it shows later that none was lost."
    )
    keys: list[str] = Field(description="Fingerprints of the keys that signed.")
    began: str = Field(description="When the records began, in ISO 8601; empty without any.")
    found: int = Field(description="Statements that were there before, and were taken as they were.")


class CheckSummary(BaseModel):
    """How much was looked at, and whether nothing was found."""

    collection: str
    passed: bool
    units: int = Field(description="Pages, document versions and sessions checked against shapes and spans.")
    unchanged: int = Field(description="Those that passed an earlier check and have not changed.")
    findings: int
    truncated: list[str] = Field(description="Rules of which more was found than told.")
    signatures: CheckedSignatures | None = None
    extracted: int | None = Field(None, description="Subgraphs that were made once more and compared.")


class CheckReport(BaseModel):
    """A whole check in one JSON, for clients that do not stream."""

    summary: CheckSummary
    findings: list[CheckFinding]


class ReindexRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    collection: str = "default"


class ReindexProgress(BaseModel):
    """`done` of `total` documents are in the new index, which counts when the stream has ended, or are embedded.

    `doing` is indexing, then embedding where the collection has vectors.
    """

    doing: str = "indexing"
    done: int
    total: int


class Embedded(BaseModel):
    """The sentences of the collection are embedded; so many documents were waited for."""

    collection: str
    documents: int


class Reindexed(BaseModel):
    """The indexes of the collection are new, made of so many documents."""

    collection: str
    documents: int


class PurgedTraces(BaseModel):
    before: str
    sessions: int
    oldest: str | None = Field(None, description="When the oldest of them began.")
    newest: str | None = None
    dry_run: bool
    purge: str | None = Field(None, description="The IRI of the record that remains.")
