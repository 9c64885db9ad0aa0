"""What a follow-up is understood as, and what is left as it was asked."""

from __future__ import annotations

from functools import cache

import pytest

from provgraph.flows.runner.follow_ups import ConversationTurn, in_context, understood
from provgraph.reading.parser import BuiltInParser


@cache
def parser() -> BuiltInParser:
    return BuiltInParser()


@pytest.mark.parametrize(
    ("before", "answer", "question", "meant"),
    [
        ("Who discovered radium?", "Marie Curie", "and when did she die?", "When did Marie Curie die?"),
        ("Who discovered radium?", "Marie Curie", "And when?", "When did Marie Curie discover radium?"),
        ("Where was Marie Curie born?", "Warsaw", "And when?", "When was Marie Curie born?"),
        ("When was the mill built?", "1874", "And by whom?", "By whom was the mill built?"),
        ("How many sirens are there?", "nine", "And when?", "And when?"),
        (
            "Who founded Larkfield Valves?",
            "Orrin Pumps",
            "When was it founded?",
            "When was Larkfield Valves founded?",
        ),
        ("What do adults pay for a crossing?", "£7", "And children?", "What do children pay for a crossing?"),
        (
            "How much is the rent?",
            "£1,150",
            "And in the second year?",
            "How much is the rent in the second year?",
        ),
        ("What does a full plot cost?", "£54", "And a half plot?", "What does a half plot cost?"),
        ("Who wrote The Red Sand?", "Gustav Vellin", "Where was he born?", "Where was Gustav Vellin born?"),
        (
            "Who discovered polonium?",
            "Marie Curie and Pierre Curie",
            "and where was she born?",
            "Where was Marie Curie born?",
        ),
        (
            "Who discovered polonium?",
            "Marie Curie and Pierre Curie",
            "When did he die?",
            "When did Pierre Curie die?",
        ),
        ("Who found it?", "James Watson and Francis Crick", "When was he born?", "When was he born?"),
        ("When was Marie Curie born?", "1867", "And Pierre Curie?", "When was Pierre Curie born?"),
        (
            "How many pumps did Orrin sell in 2020?",
            "12",
            "What about 2021?",
            "How many pumps did Orrin sell in 2021?",
        ),
        ("When was Marie Curie born?", "1867", "Who is her husband?", "Who is Marie Curie's husband?"),
        ("Who runs Orrin Pumps?", "Lena Falk", "And its revenue?", "What is Orrin Pumps's revenue?"),
        (
            "When was the lighthouse on Gannet Point built?",
            "1751",
            "How high is it?",
            "How high is the lighthouse on Gannet Point?",
        ),
    ],
)
def test_what_it_points_back_to_is_named(before: str, answer: str, question: str, meant: str) -> None:
    assert understood(question, [ConversationTurn(before, answer)], parser()) == meant


@pytest.mark.parametrize(
    "question",
    [
        "What is the notice period?",
        "Why?",
        "Wann wurde sie geboren?",
        "When did Pierre Curie marry his wife?",
        "When did Irene Joliot marry her husband?",
        "",
    ],
)
def test_a_question_that_stands_by_itself_is_left_alone(question: str) -> None:
    before = [ConversationTurn("Who discovered radium?", "Marie Curie")]
    assert understood(question, before, parser()) == question


def test_nothing_is_taken_over_from_a_turn_whose_names_do_not_agree() -> None:
    before = [ConversationTurn("When was Marie Curie born?", "1867")]
    assert understood("When did he die?", before, parser()) == "When did he die?"


def test_a_turn_before_may_be_a_follow_up_itself() -> None:
    turns = [
        ConversationTurn("Who discovered radium?", "Marie Curie"),
        ConversationTurn("Where was she born?", "Warsaw"),
    ]
    assert in_context("And when did she die?", turns, parser()) == "When did Marie Curie die?"
