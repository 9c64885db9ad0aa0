"""Questions in other words than the document's: what is read as the answer, and what the nearest sentence denies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provgraph.derivation.denials import denied
from provgraph.derivation.evidence import Found, SentenceLikelihood
from provgraph.derivation.question_forms import as_read, asks_for_several, asks_what_it_is, is_yes_no
from provgraph.derivation.read_openly import (
    AskedOpenly,
    ReadAnswer,
    candidates,
    likeliest,
    longer,
    read_openly,
)
from provgraph.derivation.result import Derived
from unit.derivation.shelf import passage

TEXT = (
    "The boathouse is run by Ms Edda Lorne. The hire of a canoe costs 14 euros. Boats are handed back by seven "
    "o'clock. Dogs are not allowed on the water. Children under ten wear a jacket."
)
NOTHING = ("", 0.0)


def found(nearest: str, likeness: float = 0.5) -> Found:
    """The passage, of which one sentence is like the question, and the others are not."""
    boats = passage("Boathouse", TEXT)
    senses = {
        (boats.key, sentence.start): SentenceLikelihood(
            likeness if TEXT[sentence.start : sentence.end].startswith(nearest) else 0.1, 0.0
        )
        for sentence in boats.parsed
    }
    return Found((boats,), dict.fromkeys(("boathouse", "boat", "roof"), 1.0), senses)


def read(question: str, boats: Found, known: tuple[str, float] = NOTHING) -> Derived | None:
    return read_openly(AskedOpenly(question, in_one=True), boats, known)


def best(question: str, boats: Found, known: tuple[str, float] = NOTHING) -> ReadAnswer:
    answer = likeliest(candidates(AskedOpenly(question), boats, known))
    assert answer is not None
    return answer


@pytest.mark.parametrize(
    ("question", "nearest", "answer", "kind"),
    [
        ("Who is in charge of the boathouse?", "The boathouse", "Ms Edda Lorne", "entity"),
        ("How much do I pay to take one out?", "The hire", "14 euros", "number"),
        ("By when do I have to bring the canoe home?", "Boats", "seven o'clock", "number"),
    ],
)
def test_what_is_asked_in_other_words_is_read_in_its_place(
    question: str, nearest: str, answer: str, kind: str
) -> None:
    derived = read(question, found(nearest))
    assert derived is not None
    assert (derived.text.removeprefix("by "), derived.kind) == (answer, kind)
    (support,) = derived.steps[0].supports
    assert support.sentence.text.startswith(nearest)
    assert support.passage.text[support.words.start : support.words.end] == derived.text


@pytest.mark.parametrize(
    "question",
    [
        "Who paid for the roof?",
        "Which people run the place?",
        "May I bring my puppy?",
        "Wer leitet das Bootshaus?",
    ],
)
def test_what_is_not_there_or_asked_for_otherwise_is_not_read(question: str) -> None:
    assert read(question, found("The boathouse")) is None


def test_no_share_is_what_something_costs() -> None:
    text = "Of the fee, 30 per cent goes to the club."
    fee = passage("Fees", text)
    senses = {(fee.key, 0): SentenceLikelihood(0.6, 0.5)}
    assert read("How much money does it cost?", Found((fee,), senses=senses)) is None


def test_a_sentence_in_another_language_is_not_read() -> None:
    inn = passage("Auberge", "Le toit a été refait en 2014 par l'entreprise Galland Frères.")
    found_there = Found((inn,), senses={(inn.key, 0): SentenceLikelihood(0.5, 0.5)})
    assert read("Who redid the roof?", found_there, ("Galland Frères", 0.5)) is None


def test_what_else_is_taken_for_the_answer_counts() -> None:
    question, boats = "Who is the boss of the place?", found("The boathouse")
    alone, same = best(question, boats), best(question, boats, ("Edda Lorne", 0.4))
    assert alone.text == same.text == "Ms Edda Lorne"
    assert alone.probability < same.probability


def test_what_was_not_read_is_a_candidate_too() -> None:
    answers = candidates(AskedOpenly("Who is the boss?"), found("The boathouse"), ("Ivo Brandt", 0.9))
    assert [answer.text for answer in answers if answer.read is None] == ["Ivo Brandt"]


def test_forms_of_one_answer_are_as_likely_as_all_of_them() -> None:
    answers = candidates(AskedOpenly("How much is the hire of a canoe?"), found("The hire"), NOTHING)
    forms = [answer for answer in answers if "14" in answer.text]
    answer = likeliest(answers)
    assert answer in [replace(form, probability=answer.probability) for form in forms if answer is not None]
    assert len(forms) > 1
    assert likeliest([form for form in answers if form.text == "14 euros" or form not in forms]) != answer
    assert longer("the 14 euros", "14") == "the 14 euros"
    assert longer("14", "14 euros") == "14 euros"


def test_nothing_is_read_where_nothing_was_found() -> None:
    assert likeliest(candidates(AskedOpenly("Who runs it?"), Found(()), NOTHING)) is None


def test_the_nearest_sentence_may_deny_what_is_asked() -> None:
    derived = denied("Can I bring my puppy?", found("Dogs"), in_one=True)
    assert derived is not None
    assert (derived.text, derived.kind) == ("no", "yes-no")
    assert derived.steps[0].supports[0].sentence.text.startswith("Dogs")


@pytest.mark.parametrize(
    ("question", "boats"),
    [
        ("Can I come alone?", found("Children")),
        ("Can I bring my puppy?", found("Dogs", 0.15)),
        ("Can I bring my puppy?", Found((passage("Boathouse", TEXT),))),
        ("Are dogs not allowed?", found("Dogs")),
    ],
)
def test_what_no_near_sentence_denies_is_not_denied(question: str, boats: Found) -> None:
    assert denied(question, boats, in_one=True) is None


def test_a_question_behind_a_statement_may_be_for_yes_or_no() -> None:
    assert is_yes_no("My canoe leaks. Must I pay for it?")
    assert not is_yes_no("My canoe leaks. Who pays?")


def test_several_are_asked_for_by_form() -> None:
    assert asks_for_several("Which countries does it pass?")
    assert not asks_for_several("Which country does it pass?")


def test_what_something_is_in_general_is_asked_for_by_form() -> None:
    assert asks_what_it_is("What is a tent?")
    assert not asks_what_it_is("What is the rent?")


def test_how_high_a_rent_is_asks_how_much() -> None:
    assert as_read("How high is the rent?") == "How much is the rent?"
    assert as_read("How high is the tower?") == "How high is the tower?"
