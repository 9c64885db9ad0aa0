"""Whatever a collection holds, out and in and out again is the same."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.archives import archive_of, dataset, take_in
from api.running import running
from api.test_archives_over_http import findings

PEOPLE = ("Marie Curie", "Lise Meitner", "Ernest Rutherford", "폴로늄", "Zoë <b>", "O'Neil \\n")
THINGS = ("polonium", "the proton", "isotopes", "C++", "“quoted” words", "50% of 1.50 g")

sentences = st.builds(
    "{} discovered {} in 19{:02}.".format,
    st.sampled_from(PEOPLE),
    st.sampled_from(THINGS),
    st.integers(0, 99),
)
documents = st.lists(sentences, min_size=1, max_size=4).map("\n\n".join)
names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,12}", fullmatch=True).filter(
    lambda name: name != "explainability"
)


@pytest.mark.slow
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    held=st.lists(documents, min_size=0, max_size=4, unique=True),
    questions=st.lists(st.sampled_from(THINGS), max_size=2),
    first=names,
    second=names,
)
async def test_out_and_in_and_out_again_gives_the_same_dataset(
    held: list[str], questions: list[str], first: str, second: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder) / "a") as one, running(Path(folder) / "b") as two:
            await one.client.post("/api/v1/collections", json={"collection": first})
            for text in held:
                await one.ingest(text, collection=first)
            for thing in questions:
                await one.ask(f"Who discovered {thing}?", collection=first)
            archive = await archive_of(one, first)
            await take_in(two, archive)
            assert dataset(await archive_of(two, first)) == dataset(archive)
            assert await findings(two, first) == []
        async with running(Path(folder) / "c") as three, running(Path(folder) / "d") as four:
            await take_in(three, archive, second)
            await take_in(four, await archive_of(three, second), first)
            assert dataset(await archive_of(four, first)) == dataset(archive)
            assert await findings(three, second) == []
