"""One of a list that a sentence gives leads to all of it."""

from __future__ import annotations

import pytest

from provgraph.derivation.coordinations import joined, names_several, told_together, with_all_members
from provgraph.derivation.evidence import support_at
from provgraph.derivation.result import Derived, Step
from provgraph.reading.propositions import Span
from unit.derivation.shelf import passage

TEXT = (
    "Councillors Adaeze Obi, Martin Frobisher and Sita Rampersad were present. He sold rope and tar. Groups of "
    "Spaniards, Jews and Algerians came. The hall was built by Ada Novak.\n\n"
    "Apologies: Tom Hart, the Reverend Sarah Pole"
)
HALL = passage("Hall", TEXT)


def span(words: str) -> Span:
    start = TEXT.index(words)
    return Span(start, start + len(words), words)


@pytest.mark.parametrize(
    ("words", "members"),
    [
        ("rope", ["rope", "tar"]),
        ("Jews", ["Spaniards", "Jews", "Algerians"]),
        ("Ada Novak", []),
        ("Tom Hart", ["Tom Hart", "the Reverend Sarah Pole"]),
    ],
)
def test_all_members_are_told(words: str, members: list[str]) -> None:
    assert told_together(HALL, span(words)) == members


def test_one_of_a_list_is_answered_with_all_of_it() -> None:
    support = support_at(HALL, span("rope"))
    one = Derived("rope", "span", (Step("choose", "rope", "Read.", (support,)),), 0.8)
    found = with_all_members(one)
    assert (found.text, found.kind, found.steps[-1].value) == ("rope and tar", "list", "rope and tar")
    assert not names_several(one)
    assert names_several(found)
    assert joined(["a", "b", "c"]) == "a, b and c"
