"""The verdict on a claim, read back from its trace."""

from __future__ import annotations

from provgraph.provenance.trace_nodes import Nodes
from provgraph.provenance.verification_trace import Judgement, Label, Stance
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import TG


def read_verdict(answer: NamedNode, nodes: Nodes) -> Judgement | None:
    """None where no claim was judged, and where the verdict was taken back with its evidence."""
    label = nodes.text(answer, TG.claim_verdict)
    if not label:
        return None
    confidence, coverage = (
        float(nodes.text(answer, term)) for term in (TG.verdict_confidence, TG.verdict_coverage)
    )
    return Judgement(Label(label), confidence, coverage)


def read_stance(sentence: NamedNode, nodes: Nodes) -> Stance | None:
    """How the words of a sentence of an answer stand to the claim; None where they do not, as in other answers."""
    stance = nodes.text(sentence, TG.stance)
    return Stance(stance) if stance else None
