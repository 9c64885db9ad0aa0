"""Question-answer pairs: a quotation that is also a question with its answer, and the clause that it stands in.

The example in the docstring is held as those of `source`. A pair is a quotation so that all that holds for quotations
holds for it: it goes with its subgraph, moves with its chunk, and its span is checked.
"""

from __future__ import annotations

from dataclasses import dataclass

from provgraph.rdf import literals
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import RDF, TG


@dataclass(frozen=True)
class Pair:
    """`clause` is the number by which the place is cited, as in 3.1(a), or empty."""

    question: str
    answer: str
    clause: str = ""


def pair_quads(quotation: NamedNode, pair: Pair, graph: NamedNode) -> list[Quad]:
    """What the words of a quotation answer.

    <subgraph/quotation/0> a tg:QuestionAnswerPair ; tg:pairQuestion "Who discovered polonium?" ;
        tg:pairAnswer "Curie" ; tg:clause "3.1(a)" .
    """
    quads = [
        Quad(quotation, RDF.type, TG.QuestionAnswerPair, graph),
        Quad(quotation, TG.pair_question, literals.text(pair.question), graph),
        Quad(quotation, TG.pair_answer, literals.text(pair.answer), graph),
    ]
    if pair.clause:
        quads.append(Quad(quotation, TG.clause, literals.text(pair.clause), graph))
    return quads
