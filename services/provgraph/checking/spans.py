"""Chunks and quotations against the text of their pages: the words must stand exactly where they are said to."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from provgraph.checking.events import Finding, Rule
from provgraph.rdf.iris import digest
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple
from provgraph.rdf.vocabulary import PROV, TG

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
) -> Iterator[Finding]:
    """What does not stand in `text`, the text of `page`, as its description says."""
    for node in nodes:
        said = described[node]
        if TG.source_char_offset in said:
            yield from _quotation_findings(node, said, page, text)
        else:
            yield from _chunk_findings(node, said, page, text)


def _chunk_findings(node: NamedNode, said: Description, page: NamedNode, text: str) -> Iterator[Finding]:
    words = _words(text, said, TG.char_offset, TG.char_length)
    named = _CHUNK_DIGEST.search(node.value)
    if words is None:
        yield Finding(Rule.SPAN, node.value, f"The chunk's span is not inside the text of {page.value}.")
    elif named and digest(words.encode()) != named[1]:
        yield Finding(
            Rule.SPAN,
            node.value,
            f"The words at the chunk's span of {page.value} are not those it is named by.",
        )


def _quotation_findings(node: NamedNode, said: Description, page: NamedNode, text: str) -> Iterator[Finding]:
    words = _words(text, said, TG.source_char_offset, TG.source_char_length)
    quoted = [term.value for term in said.get(TG.source_text, ()) if isinstance(term, Literal)]
    if words is None:
        yield Finding(Rule.SPAN, node.value, f"The quotation's span is not inside the text of {page.value}.")
    elif TG.source_text in said and quoted != [words]:
        yield Finding(Rule.SPAN, node.value, f"The quoted words do not stand at their span of {page.value}.")


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
