"""What is computed when a trace is shown, and never stored: what speaks against its answer now, and what the answer
cites, as Web Annotations (https://www.w3.org/TR/annotation-vocab/), which tools for annotated texts read. Examples
as in `trace`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from provgraph.rdf import literals
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.terms import NamedNode, Quad, Triple
from provgraph.rdf.vocabulary import OA, RDF, RDFS, TG


@dataclass(frozen=True)
class CitedSpan:
    """Words of a page, `page_text[start:end] == text`; `address` opens them on the web, or is empty."""

    page: NamedNode
    start: int
    end: int
    text: str
    address: str = ""


def citation_annotation(sentence: NamedNode, index: int, span: CitedSpan, graph: NamedNode) -> Iterator[Quad]:
    """The citation of this index of a sentence of an answer.

    Positions count in the text of the page, as `tg:sourceCharOffset` does. A document of the web is a further source,
    by an address that opens it at the words.

    <urn:trustgraph:prov:sentence:1:0:citation:0> a oa:Annotation ; oa:motivatedBy oa:linking ;
        oa:hasBody <urn:trustgraph:prov:sentence:1:0> ;
        oa:hasTarget <urn:trustgraph:prov:sentence:1:0:citation:0:target> .
    <urn:trustgraph:prov:sentence:1:0:citation:0:target> a oa:SpecificResource ; oa:hasSource <page> ;
        oa:hasSelector <urn:trustgraph:prov:sentence:1:0:citation:0:position> ,
            <urn:trustgraph:prov:sentence:1:0:citation:0:quote> ;
        rdfs:seeAlso <https://example.org/curie#:~:text=Marie%20Curie%20discovered> .
    <urn:trustgraph:prov:sentence:1:0:citation:0:position> a oa:TextPositionSelector ; oa:start 4 ; oa:end 44 .
    <urn:trustgraph:prov:sentence:1:0:citation:0:quote> a oa:TextQuoteSelector ; oa:exact "Marie Curie discovered …" .
    """
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


def contradiction_quads(edge: NamedNode, against: Iterable[Triple], graph: NamedNode) -> list[Quad]:
    """The facts that contradict a selected edge.

    <urn:trustgraph:prov:edge:1:0> tg:contradictedBy <<( e:curie e:discovered e:polonium )>> .
    """
    return [Quad(edge, TG.contradicted_by, fact, graph) for fact in against]


def doubt_quads(names: SessionNames, reasons: Iterable[str], graph: NamedNode) -> list[Quad]:
    """Why an answer is in doubt that lost nothing it stood on: something read since then speaks against it.

    <urn:trustgraph:prov:answer:1> tg:doubtedBecause "A fact that was read later contradicts it." .
    """
    answer = names.step("answer")
    return [Quad(answer, TG.doubted_because, literals.text(reason), graph) for reason in reasons]
