"""The text of an answer: whole sentences, each for a selected edge, none twice."""

from __future__ import annotations

from pyoxigraph import Triple

from provgraph.catalogue.sources import Source
from provgraph.flows.graph_rag.model_free import MOST_SENTENCES, compose
from provgraph.flows.graph_rag.selection import Choice
from provgraph.ports.retriever import CandidateEdge, EdgeLabels
from provgraph.provenance.trace import Selected
from provgraph.rdf.iris import entity_iri
from unit.flows.graph_rag.sentences import sentence


def choice(*sources: Source, terms: tuple[str, ...] = ()) -> Choice:
    triple = Triple(entity_iri("a"), entity_iri("b"), entity_iri("c"))
    labels = EdgeLabels("a", "b", "c")
    candidate = CandidateEdge(triple, labels, 0.5, terms, (1.0,) * len(terms), 0.5, (), 0.8, 1)
    return Choice(Selected(triple, 0.5, terms, "", "selector"), candidate, sources)


def test_sentences_come_in_the_order_of_the_selection_each_with_its_edge() -> None:
    one, two = sentence("Radium glows."), sentence("Polonium decays.", "urn:e")
    told = compose([choice(two), choice(one)])
    assert [(said.text, said.edges) for said in told] == [("Polonium decays.", (0,)), ("Radium glows.", (1,))]


def test_one_sentence_that_says_two_edges_is_said_once_and_supported_by_both() -> None:
    said = sentence("Curie discovered polonium in 1898.")
    (told,) = compose([choice(said), choice(said)])
    assert told.edges == (0, 1)
    assert told.sources == (said,)


def test_the_same_words_in_two_documents_are_said_once_with_both_places() -> None:
    here, there = sentence("Radium  glows."), sentence("Radium glows.", "urn:e")
    (told,) = compose([choice(here, there)])
    assert told.sources == (here, there)


def test_a_sentence_that_only_repeats_another_in_other_words_is_left_out() -> None:
    long = sentence("Marie Curie discovered polonium and radium in Paris.")
    short = sentence("Marie Curie discovered polonium.", "urn:e")
    assert [said.text for said in compose([choice(long), choice(short)])] == [long.text]


def test_of_several_sentences_for_an_edge_the_one_that_meets_most_of_the_question_is_said() -> None:
    vague, exact = sentence("She won it."), sentence("Curie won the prize in 1911.", "urn:e")
    (told,) = compose([choice(vague, exact, terms=("Curie", "1911"))])
    assert told.text == exact.text


def test_four_sentences_are_the_most() -> None:
    words = "alpha beta gamma delta epsilon zeta".split()
    choices = [choice(sentence(f"{word} stands.", f"urn:{word}")) for word in words]
    assert len(compose(choices)) == MOST_SENTENCES


def test_nothing_selected_says_nothing() -> None:
    assert compose([]) == []
