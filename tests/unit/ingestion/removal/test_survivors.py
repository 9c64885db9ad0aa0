"""Whatever was ingested, revised and deleted, and wherever the process died: what is there is what the documents that
are left would have made alone."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from provgraph.errors import NotFound, Unavailable
from provgraph.rdf.iris import digest, document_iri, version_iri
from unit.ingestion.removal.mortal import Collected, Held, Life, held, opened

NAMES: Final = ("one", "two", "three")
PEOPLE: Final = ("Anna", "Berta", "Carl", "Dora")
PLACES: Final = ("Rome", "Paris", "Oslo")


@dataclass(frozen=True)
class Step:
    """Ingest a document with this text, or delete it where there is none; die after so many writes, if ever."""

    name: str
    text: str
    dies_after: int | None = None


sentences = st.builds(
    lambda who, did, where: f"{who} {did} {where}.",
    st.sampled_from(PEOPLE),
    st.sampled_from(["founded", "visited", "left"]),
    st.sampled_from(PLACES),
)
paragraphs = st.lists(sentences, min_size=1, max_size=4).map(" ".join)
texts = st.lists(paragraphs, min_size=1, max_size=6).map("\n\n".join)
steps = st.builds(
    Step,
    st.sampled_from(NAMES),
    st.just("") | texts,
    st.none() | st.integers(0, 14),
)


async def take(collected: Collected, step: Step) -> None:
    if step.text:
        await collected.ingest(step.name, step.text)
        return
    try:
        await collected.delete(step.name)
    except NotFound:
        return


async def is_there(collected: Collected, step: Step) -> bool:
    """Whether the version that the step ingests is the current one, be it read whole or not."""
    document = document_iri(b"", step.name)
    version = version_iri(document, digest(step.text.encode()))
    return (await collected.documents()).get(str(document)) == str(version)


async def lived(folder: Path, sequence: Sequence[Step]) -> tuple[dict[str, str], Held]:
    """Take the steps, each in a process of its own; an ingest that died in the middle is run again."""
    left: dict[str, str] = {}
    for step in sequence:
        died = False
        try:
            async with opened(
                folder, Life(1_000_000 if step.dies_after is None else step.dies_after)
            ) as collected:
                await take(collected, step)
        except Unavailable:
            died = True
        async with opened(folder) as collected:
            there = await collected.documents()
            document = str(document_iri(b"", step.name))
            if step.text and (not died or await is_there(collected, step)):
                await collected.ingest(step.name, step.text)
                left[step.name] = step.text
            elif document not in there:
                left.pop(step.name, None)
    async with opened(folder) as collected:
        return left, await held(collected)


async def made_alone(folder: Path, documents: dict[str, str]) -> Held:
    async with opened(folder) as collected:
        await collected.ingestion.collections.make("default", collected.ingestion.now())
        for name, text in documents.items():
            await collected.ingest(name, text)
        return await held(collected)


def assert_equal(found: Held, expected: Held) -> None:
    assert found.quads ^ expected.quads == frozenset()
    assert found.contents == expected.contents
    for part, entries in expected.indexed.items():
        assert found.indexed[part] ^ entries == frozenset(), part


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(steps, min_size=1, max_size=6))
def test_what_is_there_is_what_the_surviving_documents_make_alone(sequence: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as place:
        left, found = asyncio.run(lived(Path(place) / "lived", sequence))
        if any(step.text and step.dies_after is None for step in sequence):
            assert_equal(found, asyncio.run(made_alone(Path(place) / "alone", left)))


async def test_a_name_that_went_with_a_revision_is_found_again_when_another_document_brings_it(
    tmp_path: Path,
) -> None:
    told = "Carl founded Rome. Anna founded Rome."
    sequence = [Step("one", told), Step("one", "Anna founded Rome."), Step("two", "Carl left Paris.")]
    left, found = await lived(tmp_path / "lived", sequence)
    assert_equal(found, await made_alone(tmp_path / "alone", left))


TEXT: Final = "\n\n".join(f"{who} founded {where}. {who} left Oslo." for who in PEOPLE for where in PLACES)
CHANGED: Final = TEXT.replace("Berta founded Paris", "Konstantin founded Kyoto. Berta visited Paris")


@pytest.mark.slow
@pytest.mark.parametrize("writes", range(16))
async def test_a_deletion_that_dies_at_any_write_is_done_whole_or_not_at_all(
    tmp_path: Path, writes: int
) -> None:
    sequence = [Step("one", CHANGED), Step("two", TEXT), Step("one", "", dies_after=writes)]
    left, found = await lived(tmp_path / "lived", sequence)
    assert_equal(found, await made_alone(tmp_path / "alone", left))


@pytest.mark.slow
@pytest.mark.parametrize("writes", range(20))
async def test_a_revision_that_dies_at_any_write_is_mended_by_running_it_again(
    tmp_path: Path, writes: int
) -> None:
    sequence = [Step("one", TEXT), Step("one", CHANGED, dies_after=writes)]
    left, found = await lived(tmp_path / "lived", sequence)
    assert_equal(found, await made_alone(tmp_path / "alone", left))
