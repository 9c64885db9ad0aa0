"""Which edges are selected, which are not, and what is said of both."""

from __future__ import annotations

import pytest
from pyoxigraph import NamedNode, Triple

from provgraph.flows.graph_rag.selection import MOST_EDGES, Ballot, expectation, explained
from provgraph.ports.retriever import CandidateEdge, EdgeLabels, QuestionTerm
from provgraph.rdf.iris import entity_iri
from unit.flows.graph_rag.sentences import sentence

LABEL, SENTENCE = 1.0, 0.8


def terms(**weights: float) -> list[QuestionTerm]:
    return [QuestionTerm(text, weight, known=weight < 9) for text, weight in weights.items()]


def edge(subject: str, relation: str, thing: str, /, **shares: float) -> CandidateEdge:
    """A candidate for a question whose terms all weigh the same: four of them make the whole."""
    triple = Triple(entity_iri(subject), NamedNode(entity_iri(relation).value), entity_iri(thing))
    return CandidateEdge(
        triple=triple,
        labels=EdgeLabels(subject, relation, thing),
        score=0.5,
        terms=tuple(shares),
        shares=tuple(shares.values()),
        coverage=sum(shares.values()) / 4,
        path=(subject,),
        confidence=0.8,
        support=1,
    )


FOUR = terms(Polonium=1, discoverer=1, studied=1, Paris=1)
FIRST = edge("Marie Curie", "was the discoverer of", "Polonium", Polonium=LABEL, discoverer=LABEL)
NEXT = edge("Marie Curie", "studied in", "Paris", studied=LABEL, Paris=LABEL)
SAME_AGAIN = edge("Marie Curie", "named", "Polonium", Polonium=LABEL)
ELSEWHERE = edge("Henri", "studied at", "night", studied=LABEL)
OTHER_NAME = edge("Paris", "lies on", "the Seine", Paris=LABEL)


def chosen(*candidates: CandidateEdge, limit: int = 25) -> list[CandidateEdge]:
    return Ballot(FOUR, candidates, limit).chosen


def test_an_edge_that_meets_the_rest_of_the_question_is_selected_after_the_best() -> None:
    assert chosen(SAME_AGAIN, FIRST, NEXT) == [FIRST, NEXT]


def test_an_edge_that_adds_nothing_is_passed_over() -> None:
    assert chosen(FIRST, SAME_AGAIN) == [FIRST]


def test_a_word_met_where_nothing_ties_it_to_the_answer_is_passed_over() -> None:
    assert chosen(FIRST, ELSEWHERE) == [FIRST]


def test_a_second_name_of_the_question_is_followed_without_a_tie() -> None:
    assert chosen(FIRST, OTHER_NAME) == [FIRST, OTHER_NAME]


def test_several_answers_to_a_question_that_is_met_are_all_selected() -> None:
    whole = {"Polonium": LABEL, "discoverer": LABEL, "studied": LABEL, "Paris": LABEL}
    both = [edge("Curie", "discovered", metal, **whole) for metal in ("polonium", "radium")]
    assert chosen(*both, SAME_AGAIN) == both


def test_what_meets_only_half_of_a_question_is_not_listed_as_several_answers() -> None:
    halves = [edge("Curie", "found", metal, Polonium=LABEL, Paris=LABEL) for metal in ("polonium", "radium")]
    assert chosen(*halves) == halves[:1]


def test_the_limit_of_the_question_and_that_of_an_answer_hold() -> None:
    whole = {"Polonium": LABEL, "discoverer": LABEL, "studied": LABEL, "Paris": LABEL}
    many = [edge("Curie", "discovered", str(number), **whole) for number in range(10)]
    assert len(chosen(*many)) == MOST_EDGES
    assert len(chosen(*many, limit=2)) == 2


def test_nothing_is_selected_when_the_best_edge_meets_too_little() -> None:
    assert chosen(SAME_AGAIN, OTHER_NAME) == []
    assert chosen() == []


def test_more_of_a_short_question_must_be_met_than_of_a_long_one() -> None:
    needed = [Ballot(terms(**{f"t{i}": 1.0 for i in range(count)}), (), 5).needed for count in (1, 4, 16)]
    assert needed == sorted(needed, reverse=True)


def test_a_name_that_the_collection_never_mentions_weighs_against_an_answer() -> None:
    asked = [*FOUR[:3], QuestionTerm("Snarkabad", 4, known=False)]
    assert Ballot(asked, [FIRST], 5).chosen == []
    assert Ballot(FOUR, [FIRST], 5).chosen == [FIRST]


def test_a_question_without_a_content_word_has_no_answer() -> None:
    assert Ballot([], [FIRST], 5).chosen == []


@pytest.mark.parametrize(
    ("question", "best"),
    [("When was it discovered?", "1898"), ("Where was it discovered?", "Paris"), ("How many?", "1898")],
)
def test_of_equal_edges_the_one_that_says_what_is_asked_for_comes_first(question: str, best: str) -> None:
    whole = {"Polonium": LABEL, "discoverer": LABEL}
    both = [
        edge("Polonium", "was discovered in", "Paris", **whole),
        edge("Polonium", "was discovered in", "1898", **whole),
    ]
    assert Ballot(FOUR, both, 1, expectation(question)).chosen[0].labels.object == best


def test_a_preposition_of_the_question_prefers_the_relation_that_has_it() -> None:
    both = [
        edge("Soddy", "worked in", "Montreal", Polonium=LABEL, Paris=LABEL),
        edge("Soddy", "was a chemist from", "Eastbourne", Polonium=LABEL, Paris=LABEL),
    ]
    assert Ballot(FOUR, both, 1, expectation("Where was Soddy from?")).chosen == both[1:]


def test_reasons_state_what_was_measured() -> None:
    said = sentence("Marie Curie was the discoverer of polonium.")
    selection = explained(
        Ballot(FOUR, [FIRST, SAME_AGAIN, ELSEWHERE], 5), {FIRST.triple: (said,), NEXT.triple: ()}
    )
    assert selection.choices[0].selected.reasoning == (
        "Meets 2 of 4 terms (Polonium, discoverer), 50% of the question's weight; reached by Marie Curie; "
        "read in 1 sentence of 1 document with confidence 0.80."
    )
    assert [passed.reasoning for passed in selection.rejected] == [
        "Adds 0% of the question's weight to what the selected edges cover.",
        "Shares no entity with the selected edges, and is about no further name of the question.",
    ]


def test_an_edge_that_no_sentence_says_is_passed_over() -> None:
    selection = explained(Ballot(FOUR, [FIRST], 5), {FIRST.triple: ()})
    assert selection.choices == ()
    assert selection.rejected[0].reasoning == "No sentence in the library says it."


def test_a_refusal_says_how_much_was_missing() -> None:
    selection = explained(Ballot(FOUR, [OTHER_NAME], 5), {})
    assert selection.rejected[0].reasoning == ("Covers 25% of the question's weight; an answer needs 45%.")
