"""Questions that name some things: of which of them it is so, and whether it is so of all."""

from __future__ import annotations

import pytest

from unit.derivation.shelf import short

ARTISTS = {
    "Mark King": "Mark King (born 20 October 1958) is an English musician. He plays the bass.",
    "Nick Hallam": 'Nicholas Lofton "Nick" Hallam (born 12 April 1970) is an American singer and songwriter.',
    "Mark Wahl": "Mark Robert Michael Wahl (born 5 June 1971) is an American actor.",
    "Orla Senn": "Orla Marie Senn (8 February 1894 – 1 November 1982) was an American film director.",
    "Nils Falk": "Nils Falk (19 December 1900 – 28 April 1989) was a Hungarian film director and a chess player.",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which singer is American, Mark King or Nick Hallam?", "Nick Hallam"),
        ("Who was a film director, Mark King or Orla Senn?", "Orla Senn"),
        ("Who was born in 1894, Nils Falk or Orla Senn?", "Orla Senn"),
        ("Which of the two plays the bass, Nick Hallam or Mark King?", "Mark King"),
        ("Which singer is Danish, Mark King or Nick Hallam?", ""),
    ],
)
async def test_the_one_of_whom_it_is_said(question: str, answer: str) -> None:
    assert await short(question, ARTISTS) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Are Orla Senn and Nils Falk both American directors?", "no"),
        ("Are Orla Senn and Nils Falk both film directors?", "yes"),
        ("Are Nick Hallam and Orla Senn both American?", "yes"),
        ("Were Orla Senn and Mark King both born in 1894?", "no"),
        ("Are Orla Senn and Nils Falk both vegetarians?", ""),
    ],
)
async def test_whether_it_is_so_of_all(question: str, answer: str) -> None:
    assert await short(question, ARTISTS) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Is Nick Hallam American?", "yes"), ("Is Mark King American?", "no"), ("Is Nils Falk Swedish?", "no")],
)
async def test_a_nationality_behind_a_name_is_no_part_of_it(question: str, answer: str) -> None:
    assert await short(question, ARTISTS) == answer
