"""Which sentences are evidence, which of them answer, what is refused, and what is named together."""

from __future__ import annotations

from typing import Final

import pytest
from pyoxigraph import NamedNode

from provgraph.catalogue.sources import ChunkLocation, ChunkOnPage
from provgraph.flows.extractive.cooccurrence import local_graph
from provgraph.flows.extractive.evidence import EvidenceLimits, Findings, findings
from provgraph.flows.extractive.highlights import scores_text, term_scores
from provgraph.flows.extractive.statements import statements
from provgraph.flows.runner.passages import QuestionWeights, RetrievedPassage
from provgraph.flows.runner.read_passages import read_passages
from provgraph.language.terms import titled
from provgraph.ports.retriever import ChunkHit, QuestionTerm

CURIE: Final = (
    "Polonium\n\nMarie Curie discovered polonium in 1898. She was born in Warsaw. Polonium is rare."
)
LIMITS: Final = EvidenceLimits()
OTHER: Final = "Swallows fly south. They nest in barns."


def passage(text: str, name: str, offset: int = 7, document: str = "") -> RetrievedPassage:
    chunk, page = NamedNode(f"urn:d:{name}/chunk"), NamedNode(f"urn:d:{document or name}/page")
    place = ChunkLocation(chunk, 0, page, 1, NamedNode(f"urn:d:{document or name}"), "A page")
    terms = (("polonium", 4.0), ("numbers with units", 1.0))
    hit = ChunkHit(chunk, place.document, "A page", 5.0, terms, text)
    return RetrievedPassage(hit, ChunkOnPage(place, offset))


def found(
    *passages: RetrievedPassage, asked: str = "discovered polonium", limits: EvidenceLimits = LIMITS
) -> Findings:
    return findings(
        QuestionWeights([QuestionTerm(word, 1.0, True) for word in asked.split()]), passages, limits
    )


def test_the_sentence_that_holds_most_of_the_question_is_the_best_evidence_of_its_document() -> None:
    (document,) = found(passage(CURIE, "a")).documents
    assert [each.text for each in document.evidence] == [
        "Marie Curie discovered polonium in 1898.",
        "Polonium is rare.",
    ]


def test_a_heading_that_only_names_the_subject_is_no_evidence() -> None:
    assert "Polonium" not in [each.text for each in found(passage(CURIE, "a")).evidence]


def test_a_heading_is_no_evidence_whatever_it_says() -> None:
    text = "# Polonium: discovered in Paris\n\nMarie Curie discovered polonium in 1898."
    assert [each.text for each in found(passage(text, "a")).evidence] == [
        "Marie Curie discovered polonium in 1898."
    ]


async def test_a_sentence_in_which_an_answer_is_read_comes_before_one_that_shares_more_words() -> None:
    text = "The Heron turbine delivers 4.5 MW. Norvind of Bergen makes the turbine."
    asked = QuestionWeights([QuestionTerm(word, 1.0, True) for word in ("makes", "Heron", "turbine")])
    passages = [passage(text, "a")]
    reading = await read_passages("Who makes the Heron turbine?", asked, passages)
    (best, *_) = findings(asked, passages, LIMITS, reading).answer
    assert best.text == "Norvind of Bergen makes the turbine."
    assert best.chance > 0.5


def test_a_title_that_a_text_begins_with_is_counted_once() -> None:
    assert titled("A page", "# A page\n\nA page on radium.").count("A page") == 2


def test_evidence_stands_at_its_span_of_the_page_and_counts_its_words() -> None:
    best = found(passage(CURIE, "a")).evidence[0]
    page = "·" * 7 + CURIE
    assert (
        page[best.words.start : best.words.end]
        == best.words.text
        == "Marie Curie discovered polonium in 1898."
    )
    assert best.terms == ("discovered", "polonium")
    assert best.density == pytest.approx(4 / 6)  # Marie, Curie, discovered, polonium of six words


@pytest.mark.parametrize(("each", "answer"), [(1, 1), (2, 2)])
def test_no_more_sentences_are_taken_than_the_limits(each: int, answer: int) -> None:
    text = "Curie discovered polonium early. Curie discovered polonium late. Curie discovered polonium twice."
    limited = found(passage(text, "a"), passage(OTHER, "b"), limits=EvidenceLimits(1, each, answer))
    assert len(limited.documents) == 1
    assert len(limited.evidence) == each
    assert len(limited.answer) == answer


def test_the_sentences_of_chunks_that_overlap_are_looked_at_once() -> None:
    twice = found(passage(CURIE, "a"), passage(CURIE, "a2", document="a"))
    assert len({each.place for each in twice.sentences}) == len(twice.sentences)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (OTHER, "discovered polonium"),
        ("Polonium is rare and costly.", "capital population government polonium"),
    ],
)
def test_what_the_documents_do_not_say_has_no_answer(text: str, asked: str) -> None:
    assert found(passage(text, "a"), asked=asked).answer == ()


def test_a_sentence_that_two_documents_say_is_one_statement_with_both_places() -> None:
    (first, *_) = statements(found(passage(CURIE, "a"), passage(CURIE, "b", offset=3)))
    assert first.chunks == (0, 1)
    assert {words.start for words in first.words} == {17, 13}
    assert [first.text[each.start : each.end] for each in first.mentions] == ["Marie Curie"]


def test_statements_stand_one_after_another_in_the_answer() -> None:
    said = statements(found(passage("Curie discovered polonium. Pierre too discovered polonium.", "a")))
    text = " ".join(each.text for each in said)
    assert [text[each.start : each.end] for each in said] == [each.text for each in said]
    assert len(said) == 2


def test_the_terms_of_a_score_are_counted_and_add_up_to_it() -> None:
    scores = term_scores(passage(CURIE, "a").hit, {"weight": 2.0, "factual": 1.0})
    assert [(each.text, each.count, each.weight) for each in scores] == [
        ("polonium", 2, 2.0),
        ("numbers with units", 1, 1.0),
    ]
    assert scores_text(scores, 5.0) == "polonium 2 × 2 + numbers with units 1 × 1 = 5"


def test_in_another_ranking_the_words_are_counted_and_have_no_weight() -> None:
    (polonium, _) = term_scores(passage(CURIE, "a").hit, {"k1": 1.2})
    assert (polonium.count, polonium.weight, polonium.score) == (3, None, 4.0)


def test_what_is_mentioned_in_one_sentence_is_tied_and_counted() -> None:
    graph = local_graph(
        [
            [("ENTITY", "Marie Curie"), ("METRIC", "138 days"), ("ENTITY", "marie  curie")],
            [("ENTITY", "Marie Curie"), ("METRIC", "138 days"), ("ENTITY", "Paris")],
        ]
    )
    assert [(node.name, node.count) for node in graph.nodes] == [
        ("138 days", 2),
        ("Marie Curie", 2),
        ("Paris", 1),
    ]
    assert {(edge.source, edge.target): edge.count for edge in graph.edges} == {
        ("138 days", "Marie Curie"): 2,
        ("138 days", "Paris"): 1,
        ("Marie Curie", "Paris"): 1,
    }


def test_a_list_of_a_thousand_names_ties_no_thousand_squared() -> None:
    graph = local_graph([[("ENTITY", f"Name {number}") for number in range(1000)]])
    assert len(graph.nodes) <= 50
    assert len(graph.edges) <= 100
