"""What a question leads to: seeds, edges over hops, passages over topics, and the words behind each score."""

from __future__ import annotations

from pathlib import Path

import pytest

from provgraph.errors import InvalidInput
from provgraph.ports.retriever import RetrievalLimits, RetrievalRequest
from provgraph.reading.entity_types import places
from unit.retrieval.ingested import ingested, retrieve

FILM = "Night Train is a film. Night Train was directed by Anna Berg. Night Train won a medal in 1999."
DIRECTOR = "Anna Berg was born in Lund. Anna Berg studied chemistry before she made films."
OTHERS = {
    f"Film_{number}": f"Film {number} was directed by Person {number}. Person {number} was born in City {number}."
    for number in range(12)
}
QUESTION = "Where was the director of Night Train born?"


async def test_each_term_of_an_edge_has_its_share_and_they_make_its_coverage(tmp_path: Path) -> None:
    async with ingested(tmp_path, Night_Train=FILM, Anna_Berg=DIRECTOR) as assembly:
        found = await retrieve(assembly, QUESTION)
    weights = {term.text: term.weight for term in found.terms}
    assert found.edges
    for edge in found.edges:
        met = sum(weights[term] * share for term, share in zip(edge.terms, edge.shares, strict=True))
        assert edge.coverage == pytest.approx(met / sum(weights.values()), abs=0.001)


async def test_an_entity_with_more_edges_than_are_taken_gives_those_that_meet_the_question(
    tmp_path: Path,
) -> None:
    towns = [name for name in sorted(places()) if name.isalpha()][:40]
    texts = {f"doc_{number}": f"Marie Curie visited {town} in 1901." for number, town in enumerate(towns)}
    async with ingested(tmp_path, **texts, last="Marie Curie discovered polonium.") as assembly:
        limits = RetrievalLimits(triples_per_entity=5, subgraph=10)
        found = await assembly.retriever.retrieve(
            RetrievalRequest("What did Marie Curie discover?", limits=limits)
        )
    assert found.edges[0].labels.subject == "polonium"
    assert len(found.edges) == limits.subgraph


async def test_a_question_is_led_to_facts_also_when_it_names_no_entity(tmp_path: Path) -> None:
    async with ingested(tmp_path, Night_Train=FILM) as assembly:
        found = await retrieve(assembly, "who won something in 1999?")
    assert found.edges[0].labels.relation in ("won", "received")


async def test_asking_twice_tells_the_same(tmp_path: Path) -> None:
    async with ingested(tmp_path, **OTHERS, Night_Train=FILM, Anna_Berg=DIRECTOR) as assembly:
        assert await retrieve(assembly, QUESTION) == await retrieve(assembly, QUESTION)


async def test_an_empty_collection_and_a_question_without_words_lead_nowhere(tmp_path: Path) -> None:
    async with ingested(tmp_path, Night_Train=FILM) as assembly:
        nothing = await assembly.retriever.retrieve(RetrievalRequest("Who?", collection="empty"))
        for found in (nothing, await retrieve(assembly, "?!"), await retrieve(assembly, "what is the")):
            assert (found.edges, found.chunks, found.documents) == ((), (), ())


async def test_an_unknown_method_is_refused_with_those_there_are(tmp_path: Path) -> None:
    async with ingested(tmp_path, Night_Train=FILM) as assembly:
        with pytest.raises(InvalidInput, match="graph, bm25"):
            await assembly.retriever.retrieve(RetrievalRequest("x", method="magic"))
