"""Long work at the command line, and its end."""

from __future__ import annotations

import pytest

from provgraph.cli.progress import awaited
from provgraph.errors import Unavailable

UNDER_WAY = ("progress", {"doing": "units", "done": 1, "total": 2})
FOUND = ("finding", {"rule": "span"})


def test_what_is_told_beside_the_progress_is_given_with_the_end_last() -> None:
    told = awaited([UNDER_WAY, FOUND, ("summary", {"passed": False})], "summary")
    assert told == [FOUND[1], {"passed": False}]


@pytest.mark.parametrize("told", [[], [FOUND], [FOUND, UNDER_WAY]])
def test_work_that_is_broken_off_says_so(told: list[tuple[str, dict[str, object]]]) -> None:
    with pytest.raises(Unavailable, match="Try again"):
        awaited(told, "summary")
