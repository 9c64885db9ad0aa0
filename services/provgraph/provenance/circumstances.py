"""How a question was put, beside its words: settings, what was left out, and which session it asks again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from provgraph.ports.retriever import Without
from provgraph.provenance.trace import TraceScope
from provgraph.rdf import literals
from provgraph.rdf.terms import Literal, NamedNode, Quad, Triple
from provgraph.rdf.vocabulary import PROV, TG


@dataclass(frozen=True)
class Circumstances:
    """`settings` are those that are not the default, each as name=value with the value in JSON.

    `again_of` is the session whose question is asked again; `asked` are the words of a follow-up as it was put, empty
    for a question that was understood as it stands.
    """

    settings: tuple[str, ...] = ()
    without: Without = Without()
    again_of: NamedNode | None = None
    asked: str = ""

    @property
    def fields(self) -> dict[str, Any]:
        """`settings` by name."""
        pairs = (setting.partition("=") for setting in self.settings)
        return {name: json.loads(value) for name, _, value in pairs}


def circumstance_quads(scope: TraceScope, circumstances: Circumstances) -> list[Quad]:
    """What a session says of how it was asked; nothing for a question with defaults only.

    <urn:trustgraph:session:2> tg:setting "edge_limit=10" ; tg:withoutDocument <doc> ;
        tg:withoutEdge <<( e:curie e:discovered e:polonium )>> ;
        prov:wasInformedBy <urn:trustgraph:session:1> ;
        tg:askedAs "and when did she die?" .
    """
    session, graph, without = scope.names.session, scope.graph, circumstances.without
    quads = [
        *(Quad(session, TG.setting, literals.text(setting), graph) for setting in circumstances.settings),
        *(Quad(session, TG.without_document, document, graph) for document in without.documents),
        *(Quad(session, TG.without_edge, edge, graph) for edge in without.edges),
    ]
    if circumstances.again_of:
        quads.append(Quad(session, PROV.was_informed_by, circumstances.again_of, graph))
    if circumstances.asked:
        quads.append(Quad(session, TG.asked_as, literals.text(circumstances.asked), graph))
    return quads


def read_circumstances(session: NamedNode, quads: Iterable[Quad]) -> Circumstances:
    """From quads of a trace, how its session was asked."""
    own = [quad for quad in quads if quad.subject == session]
    said = [(quad.predicate, quad.object) for quad in own]
    again = [o for p, o in said if p == PROV.was_informed_by and isinstance(o, NamedNode)]
    return Circumstances(
        settings=tuple(sorted(o.value for p, o in said if p == TG.setting and isinstance(o, Literal))),
        without=Without(
            tuple(o for p, o in said if p == TG.without_document and isinstance(o, NamedNode)),
            tuple(o for p, o in said if p == TG.without_edge and isinstance(o, Triple)),
        ),
        again_of=again[0] if again else None,
        asked=next((o.value for p, o in said if p == TG.asked_as and isinstance(o, Literal)), ""),
    )
