"""What is stored against the library: the words of chunks and quotations must stand exactly where they are said to on
their pages, and versions of documents, deposits and answers must be the bytes whose hash they name.

Knows nothing of the library itself: says what to look for where, and judges what was there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.checking.rules import Rule, finding
from provgraph.rdf.iris import digest
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple
from provgraph.rdf.vocabulary import PROV, RDF, TG
from provgraph.wire.service import CheckFinding

Description = Mapping[NamedNode, Sequence[Term]]

_CHUNK_DIGEST: Final = re.compile(r"/chunk/([0-9a-f]+)-\d+$")


def spans_of_pages(quads: Sequence[Quad]) -> dict[NamedNode, list[NamedNode]]:
    """The chunks and quotations among these quads, by the page they say they are on."""
    places: dict[NamedNode, list[NamedNode]] = defaultdict(list)
    offsets = {quad.subject for quad in quads if quad.predicate in (TG.char_offset, TG.source_char_offset)}
    for quad in quads:
        if quad.predicate not in (PROV.was_derived_from, PROV.was_quoted_from) or quad.subject not in offsets:
            continue
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
            places[quad.object].append(quad.subject)
    return places


def describe(quads: Sequence[Quad]) -> dict[Term, Description]:
    """The properties of each subject, without the facts it lists."""
    described: dict[Term, dict[NamedNode, list[Term]]] = defaultdict(lambda: defaultdict(list))
    for quad in quads:
        if not isinstance(quad.object, Triple):
            described[quad.subject][quad.predicate].append(quad.object)
    return dict(described)


def span_findings(
    nodes: Sequence[NamedNode], described: Mapping[Term, Description], page: NamedNode, text: str
) -> Iterator[CheckFinding]:
    """What does not stand in `text`, the text of `page`, as its description says."""
    for node in nodes:
        said = described[node]
        if TG.source_char_offset in said:
            yield from _quotation_findings(node, said, page, text)
        else:
            yield from _chunk_findings(node, said, page, text)


def _chunk_findings(node: NamedNode, said: Description, page: NamedNode, text: str) -> Iterator[CheckFinding]:
    words = _words(text, said, TG.char_offset, TG.char_length)
    named = _CHUNK_DIGEST.search(node.value)
    if words is None:
        yield finding(Rule.SPAN, node.value, f"The chunk's span is not inside the text of {page.value}.")
    elif named and digest(words.encode()) != named[1]:
        yield finding(
            Rule.SPAN,
            node.value,
            f"The words at the chunk's span of {page.value} are not those it is named by.",
        )


def _quotation_findings(
    node: NamedNode, said: Description, page: NamedNode, text: str
) -> Iterator[CheckFinding]:
    words = _words(text, said, TG.source_char_offset, TG.source_char_length)
    quoted = [term.value for term in said.get(TG.source_text, ()) if isinstance(term, Literal)]
    if words is None:
        yield finding(Rule.SPAN, node.value, f"The quotation's span is not inside the text of {page.value}.")
    elif TG.source_text in said and quoted != [words]:
        yield finding(Rule.SPAN, node.value, f"The quoted words do not stand at their span of {page.value}.")


def _words(text: str, said: Description, offset: NamedNode, length: NamedNode) -> str | None:
    """The characters of the span, or None when it has no single place inside the text."""
    starts, lengths = _integers(said, offset), _integers(said, length)
    if len(starts) != 1 or len(lengths) != 1:
        return None
    (start,), (count,) = starts, lengths
    inside = start >= 0 and count > 0 and start + count <= len(text)
    return text[start : start + count] if inside else None


def _integers(said: Description, predicate: NamedNode) -> list[int]:
    values = (term.value for term in said.get(predicate, ()) if isinstance(term, Literal))
    return [int(value) for value in values if value.lstrip("-").isdecimal()]


@dataclass(frozen=True)
class HashedContent:
    """`names` are those under which the library may keep it, the first one first; `is_answer` tells in which of its
    parts. `content_hash` is what the graph says, the first 32 hexadecimal digits of its SHA-256."""

    node: NamedNode
    names: tuple[NamedNode, ...]
    content_hash: str
    is_answer: bool = False

    def findings(self, content: bytes | None) -> Iterator[CheckFinding]:
        """What is wrong with what was there; None where nothing was, which is told of an answer elsewhere."""
        thing = "answer" if self.is_answer else "document"
        if content is None and not self.is_answer:
            yield finding(Rule.TEXT, self.node.value, f"The library does not hold the bytes of the {thing}.")
        elif content is not None and digest(content) != self.content_hash:
            yield finding(
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
