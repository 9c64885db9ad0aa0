"""Pairs by rules: what a clause says is asked and answered whole, at its exact place, and facts are drawn from that."""

from __future__ import annotations

from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from provgraph.extraction.facts import Entity, Fact, Passage
from provgraph.extraction.pairs.extractor import read_pairs
from provgraph.provenance.source import Pair

CONTRACT: Final = """3.1 The Supplier shall:

(a) deliver the Goods within 30 days of the Order Date; and

(b) insure the Goods for at least EUR 50,000.

3.3 If the Supplier fails to deliver on time, the Buyer may cancel the Order.

3.4 Before each flight, do the actions listed in Bulletin 737.
"""
PROSE: Final = "Marie Curie discovered polonium in 1898. She was born in Warsaw. Who knows?"


def facts(text: str, title: str = "Supply Agreement") -> tuple[Fact, ...]:
    return read_pairs(Passage(text, title))


def pairs(text: str) -> dict[Pair, str]:
    """Each pair with the words that it was made of."""
    return {fact.pair: text[fact.start : fact.end] for fact in facts(text) if fact.pair}


def said(text: str, title: str = "Supply Agreement") -> set[tuple[str, str, str]]:
    return {(fact.subject.label, fact.relation, fact.object.label) for fact in facts(text, title)}


def test_an_item_is_asked_as_the_sentence_that_it_is_with_what_introduces_it() -> None:
    pair = Pair("What shall Supplier deliver?", "the Goods within 30 days of the Order Date", "3.1(a)")
    assert pairs(CONTRACT)[pair] == "(a) deliver the Goods within 30 days of the Order Date; and"


def test_a_condition_is_never_left_out() -> None:
    asked = {pair.question: pair.answer for pair in pairs(CONTRACT) if pair.clause == "3.3"}
    assert asked == {
        "What may Buyer cancel?": "the Order, if the Supplier fails to deliver on time",
        "Who may cancel the Order?": "Buyer",
        "In which case may Buyer cancel the Order?": "if the Supplier fails to deliver on time",
    }


def test_times_amounts_and_exceptions_are_asked_for_and_lines_of_contents_are_not() -> None:
    text = (
        "1 Payment ........ 7\n\n"
        "2.1 The Buyer shall pay a deposit of EUR 500 within 14 days of receipt, unless the Goods are damaged.\n\n"
        "2.2 The Buyer is not liable for the design. All dogs and cats."
        "\n\nScreens: High Yield | Most Active | Calendar | Top Payers | Daily News of the Market."
    )
    asked = {(pair.question, pair.answer) for pair in pairs(text)}
    assert ("When shall Buyer pay a deposit of EUR 500?", "within 14 days of receipt") in asked
    assert ("How much shall Buyer pay a deposit?", "EUR 500") in asked
    assert (
        "With what exception shall Buyer pay a deposit of EUR 500 within 14 days of receipt?",
        "unless the Goods are damaged",
    ) in asked
    assert ("What is Buyer not liable for?", "the design") in asked
    assert not any("Payment" in answer or "dogs" in answer or "Screens" in answer for _, answer in asked)


def test_a_clause_of_which_statements_leave_something_out_is_said_whole() -> None:
    (answer,) = (pair.answer for pair in pairs(CONTRACT) if pair.clause == "3.4")
    assert answer == "Before each flight, do the actions listed in Bulletin 737."


def test_clauses_and_numbers_are_nodes() -> None:
    found = [fact for fact in facts(CONTRACT) if fact.subject.label == "Clause 3.1(b)"]
    numbers = [fact.object for fact in found if fact.relation == "gives the number"]
    assert numbers == [Entity("EUR 50,000", "Number")]
    assert {fact.subject.type for fact in found} == {"Clause"}
    assert all(fact.subject.local for fact in found)
    assert ("Clause 3.1(b)", "is part of", "Clause 3.1") in said(CONTRACT)


def test_a_pronoun_stands_for_whom_it_means_and_a_question_makes_no_pair() -> None:
    assert ("Marie Curie", "was born in", "Warsaw") in said(PROSE, "Marie Curie")
    assert not any("Who knows" in words for words in pairs(PROSE).values())


def test_only_own_sentences_are_read() -> None:
    start = PROSE.index("She")
    found = read_pairs(Passage(PROSE, "Curie", own_start=start, own_end=start + 5))
    assert {fact.start for fact in found} == {start}


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from([*CONTRACT.splitlines(), PROSE, "", "…", "(a)", "#", "\u200b"]), max_size=8))
def test_every_pair_stands_at_its_place_and_has_one_confidence(lines: list[str]) -> None:
    text = "\n".join(lines)
    confidences: dict[tuple[Pair, int], set[float]] = {}
    for fact in facts(text):
        assert fact.pair
        assert fact.pair.question
        assert fact.pair.answer
        words = text[fact.start : fact.end]
        assert words == words.strip() != ""
        assert fact.subject.label
        assert fact.object.label
        confidences.setdefault((fact.pair, fact.start), set()).add(fact.confidence)
    assert all(len(own) == 1 for own in confidences.values())
