"""Questions in other words than the document's: the sentence nearest by sense, and what it has of the kind asked."""

from __future__ import annotations

import pytest

from provgraph.derivation.evidence import Found, SentenceLikelihood
from provgraph.derivation.other_words import is_yes_no, kind_asked, said_in_other_words
from unit.derivation.shelf import passage

TEXT = (
    "The boathouse is run by Ms Edda Lorne. The hire of a canoe costs 14 euros. Boats are handed back by seven "
    "o'clock. Dogs are not allowed on the water. Children under ten wear a jacket."
)


def found(nearest: str, likeness: float = 0.5) -> Found:
    """The passage, of which one sentence is like the question, and the others are not."""
    boats = passage("Boathouse", TEXT)
    senses = {
        (boats.key, sentence.start): SentenceLikelihood(
            likeness if TEXT[sentence.start : sentence.end].startswith(nearest) else 0.1, 0.0
        )
        for sentence in boats.parsed
    }
    return Found((boats,), senses=senses)


@pytest.mark.parametrize(
    ("question", "nearest", "answer", "kind"),
    [
        ("Who is the boss of the place?", "The boathouse", "Ms Edda Lorne", "entity"),
        ("How much do I pay to take one out?", "The hire", "14 euros", "number"),
        ("Can I bring my puppy?", "Dogs", "no", "yes-no"),
    ],
)
def test_what_is_asked_for_is_taken_from_the_sentence_nearest_by_sense(
    question: str, nearest: str, answer: str, kind: str
) -> None:
    derived = said_in_other_words(question, found(nearest))
    assert derived is not None
    assert (derived.text, derived.kind) == (answer, kind)
    assert derived.steps[0].supports[0].sentence.text.startswith(nearest)


@pytest.mark.parametrize(
    ("question", "nearest"),
    [
        ("When is it open?", "Dogs"),
        ("Which people run the place?", "The boathouse"),
        ("Can I come alone?", "Children"),
    ],
)
def test_a_sentence_without_the_kind_asked_for_gives_no_answer(question: str, nearest: str) -> None:
    assert said_in_other_words(question, found(nearest)) is None


def test_where_no_sentence_is_nearer_than_others_there_is_no_answer() -> None:
    assert said_in_other_words("How many tents are for sale?", found("Boats", 0.1)) is None


def test_a_sentence_that_is_hardly_like_the_question_gives_no_answer() -> None:
    assert said_in_other_words("Who is the boss of the place?", found("The boathouse", 0.05)) is None


def test_a_sentence_in_another_language_is_not_read() -> None:
    inn = passage("Auberge", "Le toit a été refait en 2014 par l'entreprise Galland Frères.")
    senses = {(inn.key, 0): SentenceLikelihood(0.5, 0.0)}
    assert said_in_other_words("Who is in charge of the roof?", Found((inn,), senses=senses)) is None


def test_passages_without_vectors_give_no_answer() -> None:
    assert said_in_other_words("Who runs it?", Found((passage("Boathouse", TEXT),))) is None


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Which building firm was chosen?", "person"),
        ("What town is it made in?", "place"),
        ("What is an hour worth?", "money"),
        ("Which plan is best?", ""),
    ],
)
def test_a_noun_tells_what_kind_of_answer_is_asked_for(question: str, kind: str) -> None:
    assert kind_asked(question) == kind


def test_a_question_behind_a_statement_may_be_for_yes_or_no() -> None:
    assert is_yes_no("My canoe leaks. Must I pay for it?")
    assert not is_yes_no("My canoe leaks. Who pays?")


def test_among_many_documents_the_one_that_answers_says_more_that_is_like_the_question() -> None:
    boats = found("The boathouse", 0.6)
    senses = {key: SentenceLikelihood(max(each.likeness, 0.35), 0.0) for key, each in boats.senses.items()}
    question = "Who is the boss of the place?"
    assert said_in_other_words(question, boats, in_one=False) is None
    supported = said_in_other_words(question, Found(boats.passages, senses=senses), in_one=False)
    assert supported is not None
    assert supported.text == "Ms Edda Lorne"
    named = "Who is the boss of the place in Harwell?"
    assert said_in_other_words(named, Found(boats.passages, senses=senses), in_one=False) is None
