"""Questions of several steps: what is described is asked for first."""

from __future__ import annotations

import asyncio

import pytest

from provgraph.derivation.answer import Answerer
from provgraph.derivation.inner_phrases import InnerPhrase, inner_phrases
from provgraph.derivation.result import Derived, Step, joined_steps
from provgraph.derivation.stepwise import (
    LEAST_OF_STEP,
    LEAST_OF_STEPS,
    may_lead,
    of_all,
    stepwise,
)
from unit.derivation.shelf import PARSER, Shelf, short

KESTREL = {
    "Kestrel Observatory": "Kestrel Observatory is an observatory on a hill in the canton of Velm. It was founded in "
    "1904 by the astronomer Ida Brandt.",
    "Velm": "Velm is a canton in the north. The capital of Velm is Orsa, a town on the river Tann.",
    "Sarn": "Sarn is a canton in the south. The capital of Sarn is Mollis, a town on the river Lint.",
    "Ida Brandt": "Ida Brandt (1861 – 1933) was an astronomer. She was born in Mollis.",
}
BORN = "In what town was the founder of Kestrel Observatory born?"


def answered(question: str) -> Derived | None:
    return asyncio.run(stepwise(question, Answerer(PARSER, Shelf(KESTREL)))).answer


def test_what_a_question_describes_is_asked_for_first() -> None:
    found = answered(BORN)
    assert found is not None
    assert found.text == "Mollis"
    first, last = found.steps[0], found.steps[-1]
    assert first.value == "Ida Brandt"
    assert {each.passage.title for each in first.supports} == {"Kestrel Observatory"}
    assert {each.passage.title for each in last.supports} == {"Ida Brandt"}


def test_the_chance_is_that_of_all_steps() -> None:
    answers = Answerer(PARSER, Shelf(KESTREL))
    found = answered(BORN)
    (last, *_) = asyncio.run(answers.proposed("In what town was Ida Brandt born?", 1))
    assert found is not None
    assert LEAST_OF_STEP <= found.confidence <= last.confidence


def test_a_question_that_describes_nothing_has_no_steps() -> None:
    assert answered("Who founded the Kestrel Observatory?") is None


def test_of_something_unknown_the_steps_are_unlikely() -> None:
    found = answered("In what town was the founder of Heron Lighthouse born?")
    assert found is None or found.confidence < LEAST_OF_STEPS


def test_later_steps_stand_on_the_last_of_those_before() -> None:
    found = answered(BORN)
    assert found is not None
    both = joined_steps(found.steps, found.steps)
    size = len(found.steps)
    assert both[:size] == found.steps
    assert all(use < at for at, step in enumerate(both) for use in step.uses)
    assert both[size].uses


def test_what_a_question_describes_is_known_as_such() -> None:
    stepped = asyncio.run(stepwise(BORN, Answerer(PARSER, Shelf(KESTREL))))
    assert "Ida Brandt" in stepped.described


RIVERS = {
    "Orsa": "Orsa is a town in the north. The Tann runs through the middle of it, under four bridges.",
    "Mollis": "Mollis is a town in the south. The river Lint flows through Mollis to the sea.",
}
SCHOOL = {
    "Corwin Vale": "Corwin Vale was a novelist. From 1983 to 1990 Vale himself taught at the school of Orsa, where his "
    "best pupil was Ida Brandt.",
}


def proposed(question: str, documents: dict[str, str]) -> list[str]:
    answers = asyncio.run(Answerer(PARSER, Shelf(documents)).proposed(question, 2))
    return [answer.text for answer in answers]


def test_a_step_is_answered_by_a_sentence_about_what_it_names() -> None:
    assert proposed("What river flows through Orsa?", RIVERS)[0] in ("Tann", "The Tann")
    assert asyncio.run(short("What river flows through Orsa?", RIVERS)) != "Lint"


def test_a_last_name_is_given_in_full() -> None:
    assert "Corwin Vale" in proposed("Who taught Ida Brandt at the school of Orsa?", SCHOOL)


def test_what_a_sentence_leaves_open_is_less_likely_and_not_left_out() -> None:
    (sure, *_), (unsure, *_) = (
        asyncio.run(
            Answerer(PARSER, Shelf(documents)).proposed("At which university did Corwin Vale teach?", 1)
        )
        for documents in (
            {"Corwin Vale": "Corwin Vale was a novelist. He taught at the University of Orsa."},
            {"Corwin Vale": "Corwin Vale was a novelist. He was invited to teach at the University of Orsa."},
        )
    )
    assert sure.text == unsure.text == "University of Orsa"
    assert unsure.confidence < sure.confidence


def test_who_is_described_by_what_they_are_is_the_answer() -> None:
    found = answered("Which astronomer was the founder of Kestrel Observatory?")
    assert found is not None
    assert found.text == "Ida Brandt"


def test_nobody_with_a_mans_name_is_a_mother() -> None:
    documents = {
        "Ida Brandt": "Ida Brandt was an astronomer. Her mother taught at the school of Samuel Orde in Velm."
    }
    assert "Samuel Orde" not in proposed("Who was the mother of Ida Brandt?", documents)


BANDS = {
    "The Larks": "The Larks were a rock band from Leeds, formed in 1997.",
    "Dark Mill": "Dark Mill is a rock band, formed in early 2006 by Ian Pratt.",
}


async def test_dates_that_sentences_tell_are_compared() -> None:
    assert await short("Which band was formed first, The Larks or Dark Mill?", BANDS) == "The Larks"
    assert await short("Which band was formed later, The Larks or Dark Mill?", BANDS) == "Dark Mill"


@pytest.mark.parametrize(
    ("text", "noun", "is_named"),
    [
        ("a pianist", "woman", False),
        ("Filipino", "man", False),
        ("Ida Brandt", "woman", True),
        ("tin", "metal", True),
    ],
)
def test_a_person_is_asked_about_further_by_name(text: str, noun: str, is_named: bool) -> None:
    phrase = InnerPhrase(0, 1, f"the {noun} who left Velm", noun)
    assert may_lead(Derived(text, "entity", (), 0.9), phrase) == is_named


def test_a_country_is_told_by_the_region_of_it() -> None:
    documents = {"Clonbrook": "Clonbrook is a village in the Demerara region of Guyana."}
    assert proposed("What is the country where Clonbrook is located?", documents)[0] == "Guyana"


def test_a_son_is_no_father() -> None:
    documents = {
        "Ida Brandt": "Ida Brandt (1861 – 1933) was an astronomer. Her son, Caspar Brandt, was a painter."
    }
    assert "Caspar Brandt" not in proposed("Who is the father of Ida Brandt?", documents)
    assert "Caspar Brandt" in proposed("Who is the son of Ida Brandt?", documents)


def test_three_hops_are_not_less_sure_for_their_number() -> None:
    assert of_all(0.36, 2) == 0.36
    assert of_all(0.6**3, 3) == pytest.approx(0.36)


class KnownAnswers:
    """Implements `derivation.stepwise.Proposing` with answers by question; all but `forbidden` ones are allowed."""

    parser = PARSER

    def __init__(self, answers: dict[str, tuple[str, float]], forbidden: set[str]) -> None:
        self.finder = Shelf(KESTREL)
        self._answers, self._forbidden = answers, forbidden

    async def proposed(self, text: str, most: int) -> list[Derived]:
        name, chance = self._answers[text]
        return [Derived(name, "entity", (Step("choose", name, ""),), chance)][:most]

    async def allowed(self, text: str, found: Derived) -> bool:
        return bool(found.text) and text not in self._forbidden


FIRST, LAST = "Who is the founder of Kestrel Observatory?", "In what town was Ida Brandt born?"


@pytest.mark.parametrize(
    ("chance", "forbidden", "answer"),
    [
        (0.4, set(), "Mollis"),
        (0.8, {BORN}, "Mollis"),
        (0.8, {FIRST}, "Mollis"),
        (0.4, {BORN}, None),
        (0.8, {BORN, LAST}, None),
        (0.8, {BORN, FIRST}, None),
    ],
)
def test_the_steps_or_the_whole_question_have_to_allow_an_answer(
    chance: float, forbidden: set[str], answer: str | None
) -> None:
    answers = KnownAnswers({FIRST: ("Ida Brandt", 0.6), LAST: ("Mollis", chance)}, forbidden)
    found = asyncio.run(stepwise(BORN, answers)).answer
    assert (found.text if found is not None else None) == answer


HEIRS = {
    "Kestrel Observatory": "Kestrel Observatory was founded by Ida Brandt and sold to Leo Varn in 1920.",
    "Leo Varn": "Leo Varn was an astronomer. His mother, Agathe Stein, taught at the school of Velm.",
}


def test_the_mother_of_one_is_not_that_of_another_in_the_same_story() -> None:
    question = "Who was the mother of the founder of Kestrel Observatory?"
    assert asyncio.run(stepwise(question, Answerer(PARSER, Shelf(HEIRS)))).answer is None


ISLE = {
    "Corwin Vale": "Corwin Vale was a novelist. He died on the island of Skarn in 1961.",
    "Tall lights": "The lighthouse on Skarn is 41 metres tall. The lighthouse on Velm is 29 metres tall.",
    "Velm": "Velm is a port in the county of Vendshire. The bridge over the Tann at Velm is 286 metres long.",
    "Ida Brandt": "Ida Brandt was born in Velm. Her father, Otto, was a clerk on the bridge at Velm for three years.",
}


async def test_what_has_no_name_is_asked_for_as_it_is_described() -> None:
    answer = await short("How tall is the lighthouse on the island where Corwin Vale died?", ISLE)
    assert answer.startswith("41")


async def test_a_county_is_that_around_the_town() -> None:
    assert await short("In which county was Ida Brandt born?", ISLE) == "Vendshire"
    assert await short("In which town was Ida Brandt born?", ISLE) == "Velm"


async def test_how_long_a_bridge_is_is_no_time() -> None:
    assert (await short("How long is the bridge at Velm?", ISLE)).startswith("286")


def test_the_inner_of_two_descriptions_comes_first() -> None:
    text = "In which town is the school from which the designer of the Anselm Bridge was expelled?"
    assert [phrase.noun for phrase in inner_phrases(text, PARSER)] == ["designer", "school"]
