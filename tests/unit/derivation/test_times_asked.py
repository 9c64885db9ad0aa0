"""What is said of one year is no answer to a question about another."""

from __future__ import annotations

import pytest

from provgraph.derivation.times_asked import may_be_of, years_asked


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("How many inhabitants did Harrowick have in 2011?", ["2011"]),
        ("What was the revenue for fiscal 2022?", ["2022"]),
        ("How many staff did it have at the end of 2022?", ["2022"]),
        ("How many staff did it have as of December 31, 2022?", ["2022"]),
        ("Who wrote Nineteen Eighty-Four?", []),
        ("What is Windows 2000?", []),
        ("How did sales change in 2011-12?", []),
    ],
)
def test_a_question_is_about_the_years_it_places_itself_in(question: str, years: list[str]) -> None:
    assert years_asked(question) == years


@pytest.mark.parametrize(
    ("sentence", "may"),
    [
        ("At the census of 2019 it had 18,430 inhabitants.", False),
        ("In 2011 it had 17,000 inhabitants, in 2019 some 18,430.", True),
        ("It had 18,430 inhabitants.", True),
        ("Between 2009 and 2013 it had about 17,000 inhabitants.", True),
        ("In the 2010s it grew to 18,000 inhabitants in 2019.", True),
        ("The champion, born 1980, won that year.", True),
    ],
)
def test_a_sentence_with_other_years_alone_is_not_of_the_year(sentence: str, may: bool) -> None:
    assert may_be_of("2011", sentence) is may
