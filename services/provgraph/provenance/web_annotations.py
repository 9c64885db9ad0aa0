"""What an answer cites, as Web Annotations, which tools for annotated texts read: computed when a trace is shown.

    <urn:trustgraph:prov:sentence:1:0:citation:0> a oa:Annotation ; oa:motivatedBy oa:linking ;
        oa:hasBody <urn:trustgraph:prov:sentence:1:0> ;
        oa:hasTarget <urn:trustgraph:prov:sentence:1:0:citation:0:target> .
    <urn:trustgraph:prov:sentence:1:0:citation:0:target> a oa:SpecificResource ; oa:hasSource <page> ;
        oa:hasSelector <urn:trustgraph:prov:sentence:1:0:citation:0:position> ,
            <urn:trustgraph:prov:sentence:1:0:citation:0:quote> .
    <urn:trustgraph:prov:sentence:1:0:citation:0:position> a oa:TextPositionSelector ; oa:start 4 ; oa:end 44 .
    <urn:trustgraph:prov:sentence:1:0:citation:0:quote> a oa:TextQuoteSelector ; oa:exact "Marie Curie discovered …" .

(Web Annotation Vocabulary, https://www.w3.org/TR/annotation-vocab/.) The positions count in the text of the page, as
`tg:sourceCharOffset` does. A document of the web is a further source, by an address that opens it at the words:

    <…:target> rdfs:seeAlso <https://example.org/curie#:~:text=Marie%20Curie%20discovered> .
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from provgraph.rdf import literals
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import OA, RDF, RDFS


@dataclass(frozen=True)
class CitedSpan:
    """Words of a page, `page_text[start:end] == text`; `address` opens them on the web, or is empty."""

    page: NamedNode
    start: int
    end: int
    text: str
    address: str = ""


def citation_quads(sentence: NamedNode, index: int, span: CitedSpan, graph: NamedNode) -> Iterator[Quad]:
    """The citation of this index of a sentence of an answer."""
    node = NamedNode(f"{sentence.value}:citation:{index}")
    target, position, words = (NamedNode(f"{node.value}:{part}") for part in ("target", "position", "quote"))
    yield Quad(node, RDF.type, OA.Annotation, graph)
    yield Quad(node, OA.motivated_by, OA.linking, graph)
    yield Quad(node, OA.has_body, sentence, graph)
    yield Quad(node, OA.has_target, target, graph)
    yield Quad(target, RDF.type, OA.SpecificResource, graph)
    yield Quad(target, OA.has_source, span.page, graph)
    yield Quad(target, OA.has_selector, position, graph)
    yield Quad(target, OA.has_selector, words, graph)
    if span.address:
        yield Quad(target, RDFS.see_also, NamedNode(span.address), graph)
    yield Quad(position, RDF.type, OA.TextPositionSelector, graph)
    yield Quad(position, OA.start, literals.integer(span.start), graph)
    yield Quad(position, OA.end, literals.integer(span.end), graph)
    yield Quad(words, RDF.type, OA.TextQuoteSelector, graph)
    yield Quad(words, OA.exact, literals.text(span.text), graph)
