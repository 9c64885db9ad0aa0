"""The event, the part of a sentence and the thing that a question asks about, where a sentence tells of several."""

from __future__ import annotations

import pytest

from provgraph.derivation.events_asked import is_changed
from provgraph.derivation.parts_asked import is_told_apart, number_asked
from unit.derivation.shelf import passage, short

MILL = {
    "Thornbeck": "The mill at Thornbeck was built in 1874 by Josias Grane. It burned down in 1911 and was rebuilt two "
    "years later by his son. The posters for the concert hall were painted by Arno Pell. Staff receive a daily "
    "allowance of £28 for a full day and £14 for a half day. The council voted on the bridge in June. Eleven "
    "councillors were in favour and nine against. The firm employs 312 people, 270 of them at Thornbeck and the others "
    "in Rotterdam. Ada Grane was the fourth of seven children. The canteen, which closes at 6 pm, takes no cards."
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When was the mill built?", "1874"),
        ("When was the mill rebuilt?", "1913"),
        ("What is the daily allowance for a full day?", "£28"),
        ("What is the daily allowance for a half day?", "£14"),
        ("How many councillors were in favour?", "Eleven"),
        ("How many councillors were against the bridge?", "nine"),
        ("How many people does the firm employ in Rotterdam?", "42"),
        ("When does the canteen close?", "6 pm"),
        ("Who painted the posters for the concert hall?", "Arno Pell"),
        ("Who painted the posters for the town hall?", ""),
        ("How many children did Ada Grane have?", ""),
    ],
)
async def test_of_several_alike_the_one_that_is_asked_about_answers(question: str, answer: str) -> None:
    assert await short(question, MILL) == answer


@pytest.mark.parametrize(
    ("one", "other", "is_so"),
    [("rebuild", "build", True), ("build", "re-build", True), ("undo", "do", True), ("open", "close", False)],
)
def test_a_verb_with_another_beginning_is_another_event(one: str, other: str, is_so: bool) -> None:
    assert is_changed(one, other) is is_so


def test_numbers_of_one_sentence_are_told_apart_by_what_is_said_with_them() -> None:
    text = "Seven members voted for the motion, four against and one abstained."
    question = "How many members were against the motion?"
    read = passage("Council", text)
    assert is_told_apart(read, text.index("four"), question)
    is_asked, number = number_asked(read, 0, question)
    assert not is_asked
    assert number is not None
    assert text[number.start : number.end] == "four"


def test_a_number_that_only_compares_is_not_what_something_was_last_year() -> None:
    text = "The water bill was £412, which is £57 more than last year."
    read = passage("Council", text)
    assert number_asked(read, text.index("£412"), "How much was the water bill last year?") == (False, None)
