"""A sentence of a model is supported by what it cites, and by that only where the words say it."""

from __future__ import annotations

import pytest
from pyoxigraph import NamedNode, Triple

from provgraph.flows.graph_rag.model_support import cited_sentences, described, evidence_of
from provgraph.flows.graph_rag.selection import Choice
from provgraph.flows.runner.citation_markers import MarkedText
from provgraph.ports.retriever import CandidateEdge, EdgeLabels
from provgraph.provenance.trace import Selected
from unit.flows.graph_rag.sentences import sentence

SHE = sentence("She discovered polonium in 1898.")
BORN = sentence("Marie Curie was born in Warsaw.", start=50)


def choice(number: int, labels: EdgeLabels, *sources: object) -> Choice:
    node = NamedNode(f"urn:n:{number}")
    candidate = CandidateEdge(Triple(node, node, node), labels, 0.5, (), (), 0.5, (), 0.8, 1)
    return Choice(Selected(candidate.triple, 0.5, (), "r", "m"), candidate, sources)  # type: ignore[arg-type]


CHOICES = [
    choice(0, EdgeLabels("Marie Curie", "discovered", "polonium"), SHE),
    choice(1, EdgeLabels("Marie Curie", "discovered in", "1898"), SHE),
    choice(2, EdgeLabels("Marie Curie", "was born in", "Warsaw"), BORN),
]
EVIDENCE = evidence_of(CHOICES)


def marked(text: str) -> MarkedText:
    answer = MarkedText()
    answer.feed(text)
    answer.finish()
    return answer


def test_each_sentence_is_evidence_once_with_all_its_facts() -> None:
    assert [(each.text, each.edges) for each in EVIDENCE] == [(SHE.text, (0, 1)), (BORN.text, (2,))]
    assert described(EVIDENCE).splitlines() == [
        "[1] She discovered polonium in 1898.",
        "    fact: Marie Curie | discovered | polonium",
        "    fact: Marie Curie | discovered in | 1898",
        "[2] Marie Curie was born in Warsaw.",
        "    fact: Marie Curie | was born in | Warsaw",
    ]


def test_each_sentence_has_the_marks_that_stand_in_it_or_behind_it() -> None:
    answer = marked("Marie Curie discovered polonium [1]. [9, 0] She was born in Warsaw. [2]")
    text = "Marie Curie discovered polonium. She was born in Warsaw."
    assert answer.text == text
    first, second = cited_sentences(answer, EVIDENCE)
    assert (text[first.start : first.end], first.edges, first.words) == (text[:32], (0, 1), (SHE,))
    assert (text[second.start : second.end], second.edges, second.words) == (text[33:], (2,), (BORN,))
    assert first.overlap == second.overlap == 1.0


@pytest.mark.parametrize(
    "said",
    [
        "Marie Curie discovered polonium in 1899.",
        "Marie Curie discovered polonium in Paris.",
        "Pierre Curie discovered polonium in 1898.",
        "Polonium is a poisonous silvery metalloid.",
        "Yes.",
    ],
)
def test_a_sentence_that_its_marks_do_not_say_is_unsupported(said: str) -> None:
    (stated,) = cited_sentences(marked(f"{said} [1]"), EVIDENCE)
    assert (stated.edges, stated.words) == ((), ())
    assert stated.overlap is not None
    assert 0 <= stated.overlap < 1


@pytest.mark.parametrize("mark", ["", " [7]", " [0]"])
def test_a_sentence_without_a_mark_of_the_program_is_unsupported(mark: str) -> None:
    (stated,) = cited_sentences(marked(SHE.text + mark), EVIDENCE)
    assert (stated.edges, stated.overlap) == ((), 0.0)


def test_a_mark_that_has_nothing_of_the_sentence_is_no_support() -> None:
    answer = marked("Marie Curie discovered polonium in 1898. [1, 3]")
    other = evidence_of([*CHOICES, choice(3, EdgeLabels("x", "y", "z"), sentence("Whales sing.", "urn:w"))])
    (stated,) = cited_sentences(answer, other)
    assert stated.edges == (0, 1)
