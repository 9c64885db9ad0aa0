"""What one question needs several times is looked up once, and what was kept of an index ends with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from pyoxigraph import Quad

from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.catalogue.sources import SourceReader
from provgraph.flows.runner.passages import passages
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import source_graph
from provgraph.retrieval.keyword_index import Entry, Fields, KeywordIndex
from provgraph.retrieval.topic_star import TopicStar
from unit.retrieval.ingested import answer, ingested, retrieve

FILM = "Night Train is a film. Night Train was directed by Anna Berg. Night Train won a medal in 1999."
DIRECTOR = "Anna Berg was born in Lund. Anna Berg studied chemistry before she made Night Train."
TOWN = "Lund is a town. Anna Berg left Lund in 1990."
QUESTION = "Where was the director of Night Train born?"


async def test_a_walk_that_comes_back_to_a_name_looks_its_ties_up_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walks: list[Counter[str]] = []
    ties, pagerank = TopicStar._ties, TopicStar._pagerank

    def looked_up(star: TopicStar, name: str) -> dict[str, int]:
        walks[-1][name] += 1
        return ties(star, name)

    def walked(star: TopicStar, seeds: Mapping[str, float]) -> dict[str, float]:
        walks.append(Counter())
        return pagerank(star, seeds)

    monkeypatch.setattr(TopicStar, "_ties", looked_up)
    monkeypatch.setattr(TopicStar, "_pagerank", walked)
    async with ingested(tmp_path, Night_Train=FILM, Anna_Berg=DIRECTOR, Lund=TOWN) as assembly:
        await answer(assembly, QUESTION)
    assert any(len(walk) > 1 for walk in walks)
    assert all(set(walk.values()) <= {1} for walk in walks)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[QuadPattern]]:
    """The patterns of each read of a store."""
    reads: list[Sequence[QuadPattern]] = []
    match = OxigraphQuadStore.match

    async def noted(
        store: OxigraphQuadStore, patterns: Sequence[QuadPattern], limit: int | None = None
    ) -> list[list[Quad]]:
        reads.append(patterns)
        return await match(store, patterns, limit)

    monkeypatch.setattr(OxigraphQuadStore, "match", noted)
    return reads


async def test_a_question_asks_the_store_nothing_empty(
    tmp_path: Path, asked: list[Sequence[QuadPattern]]
) -> None:
    async with ingested(tmp_path, Night_Train=FILM, Anna_Berg=DIRECTOR, Lund=TOWN) as assembly:
        asked.clear()
        told = await answer(assembly, QUESTION)
    assert "Lund" in told.answer
    assert asked
    assert all(asked)


async def test_the_places_of_passages_take_one_read_for_chunks_and_documents_and_one_for_pages(
    tmp_path: Path, asked: list[Sequence[QuadPattern]]
) -> None:
    async with ingested(tmp_path, Night_Train=FILM, Anna_Berg=DIRECTOR, Lund=TOWN) as assembly:
        hits = (await retrieve(assembly, QUESTION)).chunks
        asked.clear()
        found = await passages(SourceReader(assembly.store, source_graph()), hits)
    assert [passage.at.place.title for passage in found] == [hit.title for hit in hits]
    assert len(asked) == 2


def entry(name: str) -> Entry:
    return Entry({"name": name}, {"topic": [name]})


def test_what_was_found_in_an_index_is_found_anew_after_a_change(tmp_path: Path) -> None:
    index = KeywordIndex(tmp_path, Fields(("topic",)))

    def having(shown: KeywordIndex) -> list[str]:
        found = shown.first_having("topic", ("lund", "malmö"), 10)
        return sorted(shown.payload(address)["name"] for address in found)

    index.add([entry("lund"), entry("turku")])
    index.commit()
    before = index.as_it_is()
    assert having(index) == having(before) == ["lund"]
    assert index.frequency("topic", "malmö") == 0
    index.add([entry("malmö")])
    index.commit()
    assert having(index) == ["lund", "malmö"]
    assert index.frequency("topic", "malmö") == 1
    assert having(before) == ["lund"]
    assert having(index.without("topic", ["lund"])) == ["malmö"]
    assert index.without("topic", ["lund"]).frequency("topic", "lund") == 0
