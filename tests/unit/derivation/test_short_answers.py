"""Questions of each kind to a few documents: the short answer, its steps, and where it ends without one."""

from __future__ import annotations

import pytest

from provgraph.derivation.result import Derived, Incomplete
from unit.derivation.shelf import result, short


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where was the director of Silver Harbour born?", "Szeged"),
        ("When did the director of Silver Harbour die?", "9 May 2008"),
        ("Who founded the company that produced Silver Harbour?", "Paolo Verdi"),
        ("How many employees does Otter Films have?", "140"),
        ("How much did Silver Harbour cost?", "3.2 million euros"),
        ("Who starred in Silver Harbour?", "Jonas Weil and Carla Moretti"),
        ("What nationality is the director of Night Ferry?", "France"),
        ("Who is the paternal grandfather of Milan Korda?", "Ferenc Korda"),
    ],
)
async def test_a_question_is_answered_hop_by_hop(question: str, answer: str) -> None:
    assert await short(question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which film came out first, Silver Harbour or Night Ferry?", "Night Ferry"),
        ("Which film is longer, Silver Harbour or Night Ferry?", "Silver Harbour"),
        ("Which director was born earlier, Milan Korda or Anna Sorel?", "Milan Korda"),
        ("Are the directors of Silver Harbour and Night Ferry from the same country?", "no"),
        ("Did Milan Korda die in Paris?", "no"),
        ("Is Otter Films based in Trieste?", "yes"),
    ],
)
async def test_alternatives_are_compared_and_yes_or_no_is_decided(question: str, answer: str) -> None:
    assert await short(question) == answer


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of Peru?",
        "Who wrote Night Ferry?",
        "When was the founder of Otter Films born?",
        "What is the population of Velm?",
        "How high is Otter Films?",
    ],
)
async def test_what_is_not_said_gets_no_short_answer(question: str) -> None:
    assert await short(question) == ""


async def test_each_step_has_its_sentence_and_uses_the_steps_before() -> None:
    found = await result("Where was the director of Silver Harbour born?")
    assert isinstance(found, Derived)
    assert [(step.value, step.uses) for step in found.steps] == [("Milan Korda", ()), ("Szeged", (0,))]
    for step in found.steps:
        for support in step.supports:
            start, end = support.sentence.start, support.sentence.end
            assert support.passage.text[start:end] == support.sentence.text
            assert step.value in support.passage.text


async def test_an_open_bridge_says_what_is_known() -> None:
    found = await result("When was the founder of Otter Films born?")
    assert isinstance(found, Incomplete)
    assert found.steps[-1].value == "Paolo Verdi"
    assert "Paolo Verdi" in found.missing


async def test_a_number_must_have_a_unit_of_what_is_asked() -> None:
    assert await short("What is the area of Velm?") == "54 square kilometres"
    assert await short("What is the height of Velm?") != "54 square kilometres"


FAMILY = {
    "Milan Korvin": "Milan Korvin was a Czech film director. He was born in Brno, the son of the conductor Ferenc "
    "Korvin and the pianist Judit Halasz. Korvin married the actress Eva Lind in 1970. He died in Vienna in 2009.",
    "Eva Lind": "Eva Lind is an Austrian actress. She is the daughter of the chemist Tom Lind.",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was the wife of Milan Korvin?", "Eva Lind"),
        ("Who was Eva Lind's husband?", "Milan Korvin"),
        ("Who is Eva Lind's father?", "Tom Lind"),
        ("Where did the husband of Eva Lind die?", "Vienna"),
    ],
)
async def test_relatives_are_told_by_marriages_and_children(question: str, answer: str) -> None:
    assert await short(question, FAMILY) == answer


async def test_of_two_parents_none_is_named_where_nothing_tells_which_is_the_father() -> None:
    parents = {
        "Milan Korvin": "Milan Korvin was born in Brno, the child of Ari Korvin and the pianist Kim Halasz."
    }
    assert await short("Who is the father of Milan Korvin?", parents) == ""


CURE = {
    "Ada Brill": "Ada Brill (1883 – 1957) was a physicist. She died of pneumonia in Castleby and left her house to a "
    "society.",
    "Harrow": "Harrow is a town on the Tess. Walls were built from 1290 onwards. The bridge of Harrow is of stone.",
}


async def test_what_somebody_died_of_is_not_where() -> None:
    found = await result("What did Ada Brill die of?", CURE)
    assert isinstance(found, Derived)
    assert found.text == "pneumonia"


async def test_what_was_built_is_what_is_asked_about() -> None:
    found = await result("When was the stone bridge in Harrow built?", CURE)
    assert not isinstance(found, Derived) or found.text != "1290"
