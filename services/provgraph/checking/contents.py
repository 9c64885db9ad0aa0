"""What the library must hold for quads that name the hash of some bytes: versions of documents, deposits, answers.

Knows nothing of the library itself: says what to look for where, and judges what was there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from provgraph.checking.events import Finding, Rule
from provgraph.rdf.iris import digest
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term
from provgraph.rdf.vocabulary import PROV, RDF, TG


@dataclass(frozen=True)
class HashedContent:
    """`names` are those under which the library may keep it, the first one first; `is_answer` tells in which of its
    parts. `content_hash` is what the graph says, the first 32 hexadecimal digits of its SHA-256."""

    node: NamedNode
    names: tuple[NamedNode, ...]
    content_hash: str
    is_answer: bool = False

    def findings(self, content: bytes | None) -> Iterator[Finding]:
        """What is wrong with what was there; None where nothing was, which is told of an answer elsewhere."""
        thing = "answer" if self.is_answer else "document"
        if content is None and not self.is_answer:
            yield Finding(Rule.TEXT, self.node.value, f"The library does not hold the bytes of the {thing}.")
        elif content is not None and digest(content) != self.content_hash:
            yield Finding(
                Rule.BYTES,
                self.node.value,
                f"The bytes of the {thing} in the library are not those whose hash is recorded: "
                f"{digest(content)} instead of {self.content_hash}.",
            )


def hashed_contents(quads: Sequence[Quad]) -> Iterator[HashedContent]:
    """The contents whose hashes these quads name; of an answer that was taken back there is none."""
    types: dict[Term, set[Term]] = {}
    for quad in quads:
        if quad.predicate == RDF.type:
            types.setdefault(quad.subject, set()).add(quad.object)
    texts = {quad.subject: quad.object for quad in quads if quad.predicate == TG.document}
    documents = {quad.subject: quad.object for quad in quads if quad.predicate == PROV.specialization_of}
    for quad in quads:
        if quad.predicate != TG.content_hash or not isinstance(quad.object, Literal):
            continue
        node, kinds = quad.subject, types.get(quad.subject, set())
        text, document = texts.get(node), documents.get(node)
        if not isinstance(node, NamedNode):
            continue
        if TG.Answer in kinds and isinstance(text, NamedNode):
            yield HashedContent(node, (text,), quad.object.value, is_answer=True)
        elif TG.DocumentVersion in kinds and isinstance(document, NamedNode):
            yield HashedContent(node, (node, document), quad.object.value)
        elif TG.Deposit in kinds:
            yield HashedContent(node, (node,), quad.object.value)
