"""Answers from chunks: what is selected, what is said of it, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import NamedNode

from provgraph.catalogue.sources import ChunkLocation, ChunkOnPage
from provgraph.flows.runner.answers import REFUSAL
from provgraph.flows.runner.chunk_answers import (
    ChunkSelection,
    cited_sentences,
    quoted_answer,
    select_chunks,
)
from provgraph.flows.runner.citation_markers import MarkedText
from provgraph.flows.runner.passages import QuestionWeights, RetrievedPassage
from provgraph.ports.retriever import ChunkHit, QuestionTerm

CURIE = "Marie Curie discovered polonium in 1898. She was born in Warsaw."
PIERRE = "Pierre Curie taught physics. Pierre Curie discovered polonium with Marie Curie."
OTHER = "Swallows fly south. They nest in barns."


def passage(text: str, name: str, title: str = "A page", offset: int = 7) -> RetrievedPassage:
    chunk, page = NamedNode(f"urn:d:{name}/chunk"), NamedNode(f"urn:d:{name}/page")
    place = ChunkLocation(chunk, 0, page, 1, NamedNode(f"urn:d:{name}"), title)
    return RetrievedPassage(ChunkHit(chunk, place.document, title, 0.5, (), text), ChunkOnPage(place, offset))


def weights(*words: str, known: bool = True) -> QuestionWeights:
    return QuestionWeights([QuestionTerm(word, 1.0, known) for word in words])


def chosen(
    *texts: str, asked: tuple[str, ...] = ("discovered", "polonium"), limit: int = 10
) -> ChunkSelection:
    return select_chunks(weights(*asked), [passage(text, str(i)) for i, text in enumerate(texts)], limit)


def test_the_chunk_whose_sentence_meets_most_is_first_and_those_far_behind_are_passed_over() -> None:
    selection = chosen(OTHER, PIERRE, CURIE)
    assert [each.passage.hit.text for each in selection.chosen] == [PIERRE, CURIE]
    (passed,) = selection.rejected
    assert passed.chunk == NamedNode("urn:d:0/chunk")
    assert (
        passed.reasoning
        == "Its best sentence covers 0% of the question's weight; the best chunk's covers 100%."
    )


def test_no_more_chunks_are_selected_than_the_limit() -> None:
    selection = chosen(CURIE, PIERRE, limit=1)
    assert len(selection.chosen) == 1
    assert "ranked after" in selection.rejected[0].reasoning


def test_a_reason_says_what_was_measured() -> None:
    (only,) = chosen(CURIE).selected_chunks()
    assert only.reasoning == (
        "Meets 2 of 2 terms (discovered, polonium); its best sentence covers 100% of the question's weight; "
        "retrieved as number 1."
    )


def test_sentences_are_quoted_with_their_places_in_the_page() -> None:
    answer = quoted_answer(chosen(CURIE))
    text = answer.text
    assert text == "Marie Curie discovered polonium in 1898."
    (statement,) = answer.sentences
    (words,) = statement.words
    assert (words.start, words.end) == (7, 7 + len(text))
    assert statement.chunks == (0,)


def test_a_second_sentence_is_quoted_where_it_adds_what_the_first_does_not_say() -> None:
    selection = chosen(CURIE, PIERRE, asked=("discovered", "polonium", "physics", "taught"))
    answer = quoted_answer(selection)
    text = answer.text
    assert {text[each.start : each.end] for each in answer.sentences} >= {"Pierre Curie taught physics."}
    assert len(answer.sentences) == 2


def test_the_same_sentence_of_two_documents_is_said_once_with_both() -> None:
    answer = quoted_answer(chosen(CURIE, CURIE))
    (statement,) = answer.sentences
    assert statement.chunks == (0, 1)
    assert {words.page.value for words in statement.words} == {"urn:d:0/page", "urn:d:1/page"}


@pytest.mark.parametrize(
    ("texts", "asked", "known"),
    [
        ((), ("polonium",), True),
        ((OTHER,), ("discovered", "polonium"), True),
        ((CURIE,), ("discovered", "unobtainium"), False),
    ],
)
def test_what_the_chunks_do_not_say_is_refused(
    texts: tuple[str, ...], asked: tuple[str, ...], known: bool
) -> None:
    found = [passage(text, str(index)) for index, text in enumerate(texts)]
    answer = quoted_answer(select_chunks(weights(*asked, known=known), found, 10))
    assert answer.text == REFUSAL
    assert answer.sentences == ()


def test_a_word_in_the_title_counts_less_than_one_in_the_sentence() -> None:
    asked = weights("Curie", "born")
    named = passage("She was born in Warsaw.", "a", title="Marie Curie")
    said = passage("Curie was born in Warsaw.", "b")
    by_title, by_sentence = (
        asked.coverage(asked.shares(each.sentences[0].text, each)) for each in (named, said)
    )
    assert 0.5 < by_title < by_sentence == 1.0


def marked(text: str) -> MarkedText:
    answer = MarkedText()
    answer.feed(text)
    answer.finish()
    return answer


def test_a_sentence_of_a_model_is_supported_by_what_it_cites_only_where_that_says_it() -> None:
    selection = chosen(CURIE, PIERRE)
    said = marked(
        "Marie Curie discovered polonium in 1898 [1]. She lived in Paris in 1903 [1]. Nobody knows. "
    )
    true, invented, uncited = cited_sentences(said, selection.chosen)
    assert true.chunks == (0,)
    assert true.words[0].text == "Marie Curie discovered polonium in 1898."
    assert invented.chunks == ()
    assert uncited.chunks == ()


def test_marks_that_name_no_passage_cite_nothing() -> None:
    (only,) = cited_sentences(marked("Marie Curie discovered polonium in 1898 [7]."), chosen(CURIE).chosen)
    assert only.chunks == ()


@given(st.text(max_size=300), st.integers(0, 50))
def test_a_sentence_of_a_passage_stands_at_its_span_of_the_page(text: str, offset: int) -> None:
    page = "·" * offset + text
    assert all(
        page[words.start : words.end] == words.text for words in passage(text, "a", offset=offset).sentences
    )
