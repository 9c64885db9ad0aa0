"""What a check tells while it runs: how far it is, what it found, and at the end how much it looked at."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Rule(StrEnum):
    """What a finding breaks."""

    SHAPE = "shape"
    SPAN = "span"
    DISJOINT = "disjoint"
    ASSERTED = "asserted"
    CONTAINED = "contained"
    QUOTED = "quoted"
    LABELLED = "labelled"
    LINEAGE = "lineage"
    TEXT = "text"
    BYTES = "bytes"
    SIGNED = "signed"
    EXTRACTED = "extracted"


@dataclass(frozen=True)
class Progress:
    """`done` of `total` steps; a step is a batch of pages, a batch of sessions, or a rule over the whole graphs."""

    doing: str
    done: int
    total: int


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: `subject` is the IRI (or the triple) of which `sentence` speaks."""

    rule: Rule
    subject: str
    sentence: str


@dataclass(frozen=True)
class SignedRecords:
    """What the signatures of the whole store came to: `head` is the hash of the last record's statement, to be kept
    elsewhere; `found` statements were there before the records `began` (ISO 8601)."""

    records: int
    head: str
    keys: tuple[str, ...]
    began: str
    found: int


@dataclass(frozen=True)
class Summary:
    """`units` were checked against shapes and spans; `unchanged` had passed an earlier check and were not.

    `truncated` are rules of which more was found than told; `extracted` is how many subgraphs were made once more.
    """

    collection: str
    units: int
    unchanged: int
    findings: int
    truncated: tuple[Rule, ...] = ()
    signatures: SignedRecords | None = None
    extracted: int | None = None

    @property
    def passed(self) -> bool:
        return not self.findings


CheckEvent = Progress | Finding | Summary
