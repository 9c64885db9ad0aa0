"""IRIs of everything that ProvGraph names.

What extraction makes is content-addressed: the same bytes and settings give the same IRI. What a question makes
carries the session's UUID.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import quote, unquote

from pyoxigraph import NamedNode

from provgraph.errors import InvalidInput
from provgraph.passwords import without_passwords
from provgraph.rdf.vocabulary import PREFIXES

_ENTITY: Final = PREFIXES["e"]
_COLLECTION: Final = "urn:trustgraph:collection:"
_OF_SESSION: Final = re.compile(
    r"urn:trustgraph:(?:session|question|docrag|claim|answer|prov:[a-z]+):([0-9a-f-]{36})(?::\d+)?"
)
_PRINCIPAL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")
_DIGEST_HEX: Final = 32
_OWN: Final = re.compile(
    r"urn:trustgraph:(?!doc:)|urn:graph:|https://trustgraph\.ai/subgraph/|"
    + "|".join(map(re.escape, PREFIXES.values()))
    + r"|.*/(?:version/[0-9a-f]{32}|chunk/[0-9a-f]{32}-[0-9]+)(?:/|$)",
    re.DOTALL,
)
"""What this module and the vocabulary name: a document of such a name would take the place of a page or an answer."""


def digest(content: bytes) -> str:
    """The first 32 hexadecimal digits of the SHA-256 of `content`."""
    return hashlib.sha256(content).hexdigest()[:_DIGEST_HEX]


def iri(value: str) -> NamedNode:
    """A NamedNode of an IRI that a client sent; raises `InvalidInput` when it is none."""
    try:
        node = NamedNode(value)
    except ValueError as error:
        raise InvalidInput(f"{value[:120]!r} is not an IRI ({error}). Give an absolute IRI.") from error
    return node


def is_iri(value: str) -> bool:
    try:
        NamedNode(value)
    except ValueError:
        return False
    return True


def document_iri(content: bytes, given_id: str = "") -> NamedNode:
    """The id a client gave, as it is when it is an absolute IRI, else under `urn:trustgraph:doc:`.

    Without a given id the document is named by the SHA-256 of its bytes. Raises `InvalidInput` for an IRI that
    ProvGraph itself gives to something else, and for an address with a password in it.
    """
    if not given_id:
        return NamedNode(f"urn:trustgraph:doc:{digest(content)}")
    if _OWN.match(given_id):
        raise InvalidInput(
            f"{given_id[:120]} is a name that ProvGraph gives to other things. Give the document another id."
        )
    refuse_password(given_id)
    return given_iri(given_id)


def refuse_password(given_id: str) -> None:
    if without_passwords(given_id) != given_id:
        raise InvalidInput(
            "The id of a document is an address with a user name or a password in it, which everyone would read. "
            "Give it without."
        )


def given_iri(given_id: str) -> NamedNode:
    """What a client means by an id: the IRI that it is, or the document that was given this word as its id."""
    try:
        return NamedNode(given_id)
    except ValueError:
        return NamedNode(f"urn:trustgraph:doc:{quote(given_id, safe='')}")


def metadata_iri(document: NamedNode, name: str, value: str) -> NamedNode:
    """One value of one name that was given with a document."""
    return NamedNode(f"{document.value}/metadata/{digest(json.dumps([name, value]).encode())}")


def version_iri(document: NamedNode, content_hash: str) -> NamedNode:
    return NamedNode(f"{document.value}/version/{content_hash}")


def page_iri(version: NamedNode, number: int) -> NamedNode:
    return NamedNode(f"{version.value}/page/{number}")


def chunk_iri(document: NamedNode, text: str, occurrence: int) -> NamedNode:
    """A chunk is named by its text and by which occurrence of that text in the document it is, from 0."""
    return NamedNode(f"{document.value}/chunk/{digest(text.encode())}-{occurrence}")


def document_of(chunk: NamedNode) -> str:
    """The IRI of the document that a chunk is of."""
    return chunk.value.rpartition("/chunk/")[0]


def document_of_page(page: NamedNode) -> str:
    """The IRI of the document that a page is of."""
    return page.value.rpartition("/version/")[0]


def page_number(page: NamedNode) -> int:
    return int(page.value.rpartition("/")[2])


def activity_iri(generated: NamedNode, step: str) -> NamedNode:
    """The activity that made `generated`, in its step ("reading", "chunking", "extraction")."""
    return NamedNode(f"{generated.value}/{step}")


@lru_cache(maxsize=64)
def agent_iri(name: str) -> NamedNode:
    return NamedNode(f"urn:trustgraph:agent:{quote(name, safe='')}")


def person_iri(name: str) -> NamedNode:
    """Somebody who asks for a change, by the name that they gave: never an agent of ours of the same name."""
    return NamedNode(f"urn:trustgraph:person:{quote(name, safe='')}")


def principal_name(name: str) -> str:
    """The name itself, when it is one of a principal or a group.

    Raises `InvalidInput` for anything but 1 to 64 letters, digits, `.`, `_`, `-` and `@`, the first a letter or digit.
    """
    if not _PRINCIPAL.fullmatch(name):
        raise InvalidInput(
            f"{name[:80]!r} is not a name for a person or a group. "
            "Use 1 to 64 letters, digits, '.', '_', '-' or '@', starting with a letter or a digit."
        )
    return name


def principal_iri(name: str) -> NamedNode:
    """Who may use a service with a token of their own."""
    return NamedNode(f"urn:trustgraph:principal:{quote(name, safe='')}")


def view_iri(content_hash: str) -> NamedNode:
    """The documents of a collection that somebody could see, named by which they are."""
    return NamedNode(f"urn:trustgraph:view:{content_hash}")


def collection_iri(name: str) -> NamedNode:
    return NamedNode(f"{_COLLECTION}{name}")


def is_collection(node: object) -> bool:
    return isinstance(node, NamedNode) and node.value.startswith(_COLLECTION)


def collection_of_iri(node: NamedNode) -> str:
    """The name of the collection that a node stands for."""
    return node.value.removeprefix(_COLLECTION)


def change_iri(uuid: str) -> NamedNode:
    """A deletion, revision or replacement."""
    return NamedNode(f"urn:trustgraph:change:{uuid}")


def resolution_iri(uuid: str) -> NamedNode:
    """What somebody decided of entities."""
    return NamedNode(f"urn:trustgraph:resolution:{uuid}")


def similarity_iri(
    versions: tuple[NamedNode, NamedNode], method: str, vectors: str, weight: float
) -> NamedNode:
    """What a comparison of two versions came to: named by all that decides it, and by what it is."""
    parts = [*(version.value for version in versions), method, vectors, f"{weight:.4f}"]
    return NamedNode(f"urn:trustgraph:similarity:{digest(json.dumps(parts).encode())}")


def build_iri(uuid: str) -> NamedNode:
    """The building of a collection of papers."""
    return NamedNode(f"urn:trustgraph:build:{uuid}")


def gap_iri(collection: str, name: str) -> NamedNode:
    """A paper that a collection lacks, by the name that it was looked for."""
    return NamedNode(f"urn:trustgraph:gap:{digest(json.dumps([collection, name]).encode())}")


def conversation_iri(uuid: str) -> NamedNode:
    """A row of questions."""
    return NamedNode(f"urn:trustgraph:conversation:{uuid}")


@dataclass(frozen=True)
class ExtractionIdentity:
    """All that decides what an extractor makes of a chunk; two equal ones make one subgraph."""

    chunk: NamedNode
    extractor: str
    version: str
    context: str = ""
    model: str = ""
    prompt: str = ""
    ontology: str = ""
    settings: str = ""


def subgraph_iri(identity: ExtractionIdentity) -> NamedNode:
    parts = [
        identity.chunk.value,
        identity.extractor,
        identity.version,
        identity.context,
        identity.model,
        identity.prompt,
        identity.ontology,
        identity.settings,
    ]
    return NamedNode(f"https://trustgraph.ai/subgraph/{digest(json.dumps(parts).encode())}")


def quotation_iri(subgraph: NamedNode, index: int) -> NamedNode:
    return NamedNode(f"{subgraph.value}/quotation/{index}")


def subgraph_of(quotation: NamedNode) -> NamedNode:
    """The subgraph that a quotation is of."""
    return NamedNode(quotation.value.rpartition("/quotation/")[0])


@lru_cache(maxsize=16_384)
def entity_iri(label: str, discriminator: str = "") -> NamedNode:
    """The IRI of an entity or relation: its label, case-folded and percent-encoded as UTF-8.

    Nothing is dropped, so C, C++ and C# are three things and no script becomes empty; two things that share
    a name differ by `discriminator`. Raises ValueError for a label without a visible character.
    """
    key = " ".join(unicodedata.normalize("NFC", label).casefold().split())
    if not key:
        raise ValueError("an entity needs a label")
    suffix = f";{quote(discriminator, safe='')}" if discriminator else ""
    return NamedNode(f"{_ENTITY}{quote(unicodedata.normalize('NFC', key), safe='')}{suffix}")


def local_name(node: str) -> str:
    """A readable stand-in for the label of an IRI that has none."""
    if node.startswith(_ENTITY):
        return unquote(node.removeprefix(_ENTITY).partition(";")[0])
    return unquote(node.rstrip("/#").replace("#", "/").rsplit("/", 1)[-1]) or node


def deposit_iri(document: NamedNode) -> NamedNode:
    """The record that a document was handed to the library."""
    return NamedNode(f"urn:trustgraph:deposit:{digest(document.value.encode())}")


def processing_iri(name: str) -> NamedNode:
    """The activity that a client calls `name`, by which a deposit is read."""
    return NamedNode(f"urn:trustgraph:processing:{quote(name, safe='')}")


def session_uuid(node: object) -> str:
    """The UUID of the session that names this node, or nothing for one that is of no session."""
    match = _OF_SESSION.fullmatch(node.value) if isinstance(node, NamedNode) else None
    return match[1] if match else ""


@dataclass(frozen=True)
class SessionNames:
    """The IRIs of one question's trace; `question_name` is the word for a question of its flow."""

    uuid: str
    question_name: str = "question"

    @property
    def session(self) -> NamedNode:
        return NamedNode(f"urn:trustgraph:session:{self.uuid}")

    @property
    def question(self) -> NamedNode:
        return NamedNode(f"urn:trustgraph:{self.question_name}:{self.uuid}")

    def step(self, name: str) -> NamedNode:
        """`name` is grounding, retrieval, check, reformulation, reranking, selection or answer; a step that is taken
        a second time has a number behind it, as in "retrieval:1"."""
        kind, _, number = name.partition(":")
        return NamedNode(f"urn:trustgraph:prov:{kind}:{self.uuid}" + (f":{number}" if number else ""))

    def edge(self, index: int) -> NamedNode:
        return NamedNode(f"urn:trustgraph:prov:edge:{self.uuid}:{index}")

    def chunk(self, index: int) -> NamedNode:
        """The selection of a chunk."""
        return NamedNode(f"urn:trustgraph:prov:chunk:{self.uuid}:{index}")

    def quotation(self, index: int) -> NamedNode:
        """Words of a page that a sentence of the answer repeats or rests on."""
        return NamedNode(f"urn:trustgraph:prov:quotation:{self.uuid}:{index}")

    def document(self, index: int) -> NamedNode:
        """A document as it was retrieved."""
        return NamedNode(f"urn:trustgraph:prov:document:{self.uuid}:{index}")

    def candidate(self, index: int) -> NamedNode:
        return NamedNode(f"urn:trustgraph:prov:candidate:{self.uuid}:{index}")

    def resolution(self, index: int, number: str = "") -> NamedNode:
        return NamedNode(f"urn:trustgraph:prov:resolution:{self.uuid}{number}:{index}")

    def sentence(self, index: int) -> NamedNode:
        return NamedNode(f"urn:trustgraph:prov:sentence:{self.uuid}:{index}")

    def element(self, index: int) -> NamedNode:
        """One part of a claim that was judged."""
        return NamedNode(f"urn:trustgraph:prov:element:{self.uuid}:{index}")

    def operation(self, index: int) -> NamedNode:
        """A step of the derivation of a short answer."""
        return NamedNode(f"urn:trustgraph:prov:operation:{self.uuid}:{index}")

    def value(self, index: int) -> NamedNode:
        """The value that the step of this index gave."""
        return NamedNode(f"urn:trustgraph:prov:value:{self.uuid}:{index}")

    def past(self, edge: NamedNode, quotation: NamedNode, page: NamedNode) -> NamedNode:
        """Words that a selected edge stood on, as they stood: named by what they are, as there may be more later."""
        number = int(digest(f"{edge.value}\0{quotation.value}\0{page.value}".encode())[:12], 16)
        return NamedNode(f"urn:trustgraph:prov:past:{self.uuid}:{number}")

    def prompt(self, step: str) -> NamedNode:
        """What a model read in a step, word for word."""
        return NamedNode(f"urn:trustgraph:prompt:{self.uuid}:{step}")

    def reply(self, step: str) -> NamedNode:
        """What a model answered in a step, word for word."""
        return NamedNode(f"urn:trustgraph:reply:{self.uuid}:{step}")

    @property
    def answer_text(self) -> NamedNode:
        return NamedNode(f"urn:trustgraph:answer:{self.uuid}")
