"""Which sentence answers, and how surely: by words, names, sense and kind together, whatever language asks."""

from __future__ import annotations

from provgraph.flows.runner.sentence_choice import (
    ANSWERS,
    MAY_ANSWER,
    AskedQuestion,
    SentenceCandidate,
    measures,
    rank,
)
from provgraph.ports.retriever import QuestionTerm

MILL = "The mill was built in 1871 by Ada Novak."
FISH = "Its pond is full of carp."
PASSAGE = f"{MILL} {FISH}"


def candidate(text: str, likeness: float = 0.1, place: int = 1) -> SentenceCandidate:
    return SentenceCandidate(text, likeness, "The old mill", "", PASSAGE, place)


def asked(text: str, *known: str) -> AskedQuestion:
    return AskedQuestion(text, tuple(QuestionTerm(word, 2.0, True) for word in known))


def test_the_sentence_that_says_it_comes_first_and_is_an_answer() -> None:
    question = asked("When was the mill built?", "mill", "built")
    first, second = rank(question, [candidate(FISH), candidate(MILL, 0.6)])
    assert first.sentence.text == MILL
    assert first.probability >= ANSWERS > second.probability


def test_the_reasons_are_in_words() -> None:
    question = asked("When did Ada Novak put up the mill?", "Ada", "Novak", "put", "mill")
    (first, *_) = rank(question, [candidate(MILL, 0.41), candidate(FISH)])
    assert first.reasons == (
        "shares Ada, Novak, mill with the question",
        "names Ada Novak",
        "says it in like words or others: similarity 0.41",
        "has a date",
        "stands under a heading or title with words of the question",
    ) or set(first.reasons) >= {"names Ada Novak", "has a date"}


def test_what_means_the_same_in_other_words_comes_before_what_has_no_sense_in_common() -> None:
    question = asked("Who put up the building where grain was ground?", "building", "grain", "ground")
    (first, *_) = rank(question, [candidate(FISH, 0.05), candidate(MILL, 0.45)])
    assert first.sentence.text == MILL


def test_a_question_about_somebody_else_is_not_answered() -> None:
    question = AskedQuestion(
        "When was Petra Lindqvist born?",
        (QuestionTerm("Petra", 9.0, False), QuestionTerm("Lindqvist", 9.0, False)),
    )
    (first, *_) = rank(question, [candidate(MILL, 0.15), candidate(FISH, 0.05)])
    assert first.probability < MAY_ANSWER


def test_the_kind_asked_for_has_to_be_there_beside_what_the_question_says_itself() -> None:
    question = asked("What happened in 1871 when the mill was built?", "1871", "mill", "built")
    assert measures(question, candidate(MILL))["a number is nowhere"] == 0
    when = asked("When was the mill of 1871 sold?", "mill", "1871", "sold")
    assert measures(when, candidate("The mill of 1871 was sold."))["lacks what is asked for"] == 1


def test_german_nouns_are_no_names() -> None:
    assert not asked("Wann wurde die Mühle gebaut?").names
    assert set(asked("Wann wurde Ada Novak geboren?").names) == {"Ada Novak"}


def test_there_are_no_sentences_of_nothing() -> None:
    assert rank(asked("Who?"), []) == []
