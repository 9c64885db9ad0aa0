"""What speaks against an answer now, as quads of a view: computed when a trace is shown, and never stored."""

from __future__ import annotations

from collections.abc import Iterable

from provgraph.rdf import literals
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.terms import NamedNode, Quad, Triple
from provgraph.rdf.vocabulary import TG


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
