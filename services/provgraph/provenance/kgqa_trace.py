"""Query provenance of a question to the graph of question-answer pairs: what differs from one to all facts.

All other steps are those of `trace`. The example in the docstring is parsed by a test and conforms to the shapes.
"""

from __future__ import annotations

from datetime import datetime

from provgraph.provenance.trace import TraceScope, session_quads
from provgraph.rdf.terms import Quad


def kgqa_session_quads(scope: TraceScope, question: str, collection: str, at: datetime) -> list[Quad]:
    """A session as it begins, and its question.

    <urn:trustgraph:session:1> a prov:Activity, tg:Session ; rdfs:label "KGQA query session" ;
        tg:query "Who discovered polonium?" ; tg:collection <urn:trustgraph:collection:default> ;
        prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime ; prov:used <urn:trustgraph:question:1> ;
        prov:wasAssociatedWith <urn:trustgraph:agent:kgqa> .
    <urn:trustgraph:question:1> a prov:Entity, tg:Question, tg:KgqaQuestion ; tg:query "Who discovered polonium?" .
    <urn:trustgraph:agent:kgqa> a prov:Agent ; rdfs:label "ProvGraph kgqa" .
    """
    return session_quads(scope, question, collection, at)
