"""A principal finds what it would find had the documents that it must not see never existed. The long form of this is
`benchmarks/views.py`."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from api.equal_views import Situation, differences, situations

pytestmark = pytest.mark.slow


@pytest.mark.asyncio
@pytest.mark.parametrize("number", range(4))
async def test_a_view_is_a_store_of_the_visible_documents_alone(number: int, tmp_path: Path) -> None:
    (situation,) = islice(situations(number), 1)
    assert await differences(situation, tmp_path) == []


@pytest.mark.asyncio
async def test_who_may_see_nothing_finds_an_empty_collection(tmp_path: Path) -> None:
    hidden = Situation(
        (("1.txt", "Marta Lind leads Project Heron.\n", ("red",)),),
        (),
        ("Which project does Marta Lind lead?",),
    )
    assert await differences(hidden, tmp_path) == []
