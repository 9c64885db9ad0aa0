"""Which entities, edges and passages a question leads to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from provgraph.errors import InvalidInput
from provgraph.ports.retriever import FEWEST_EDGES, NO_EDGES, RetrievalLimits, RetrievalResult
from provgraph.retrieval.methods.registry import METHODS
from unit.retrieval.taught_collection import CURIE, OTTER, WARSAW, Said, TaughtCollection, told


@pytest_asyncio.fixture
async def taught(tmp_path: Path) -> AsyncIterator[TaughtCollection]:
    collection = TaughtCollection(tmp_path)
    await collection.learn("Marie Curie", *CURIE)
    await collection.learn("Warsaw", *WARSAW)
    await collection.learn("Otters", *OTTER)
    yield collection
    await collection.retriever.close()


def seeds(result: RetrievalResult) -> dict[str, str]:
    return {seed.label: seed.how for seed in result.seeds}


async def test_an_entity_that_is_named_is_a_seed_and_its_edges_come_first(taught: TaughtCollection) -> None:
    found = await taught.ask("What did Marie Curie discover?")
    assert found.seeds[0].label == "Marie Curie"
    assert found.seeds[0].how == "exact label"
    assert told(found)[0] == ("Marie Curie", "discovered", "polonium")
    assert found.edges[0].terms == ("Marie", "Curie", "discover")
    assert found.edges[0].coverage == pytest.approx(1.0)


async def test_a_part_of_a_name_leads_to_the_whole(taught: TaughtCollection) -> None:
    assert seeds(await taught.ask("Where was Curie born?"))["Marie Curie"] == "keyword"


@pytest.mark.parametrize("misspelt", ["polonum", "Poolnium", "poloniumm"])
async def test_a_typing_error_is_forgiven(taught: TaughtCollection, misspelt: str) -> None:
    found = await taught.ask(f"Who discovered {misspelt}?")
    assert seeds(found)["polonium"] == "spelling"
    assert found.edges[0].terms == ("discovered", misspelt)
    assert [term.known for term in found.terms] == [True, False]


async def test_an_unknown_word_weighs_as_much_as_the_rarest(taught: TaughtCollection) -> None:
    found = await taught.ask("Did Curie invent xylophones?")
    weights = {term.text: term.weight for term in found.terms}
    assert weights["xylophones"] == weights["invent"] == max(weights.values())
    assert all("xylophones" not in edge.terms for edge in found.edges)


async def test_a_question_that_names_nothing_is_led_by_its_words(taught: TaughtCollection) -> None:
    found = await taught.ask("Which animals eat in cold rivers?")
    assert told(found)[0] == ("otter", "eats", "fish")
    assert seeds(found)["otter"] == "sentence"


async def test_an_edge_two_hops_away_is_found_with_its_path(taught: TaughtCollection) -> None:
    found = await taught.ask("Marie Curie")
    (far,) = [edge for edge in found.edges if edge.labels.object == "Poland"]
    assert far.path == ("Marie Curie", "Warsaw")
    near = await taught.ask("Marie Curie", limits=RetrievalLimits(path_length=1))
    assert max(len(edge.path) for edge in near.edges) == 1


async def test_labels_and_types_are_no_candidates(taught: TaughtCollection) -> None:
    relations = {edge.labels.relation for edge in (await taught.ask("Marie Curie polonium Warsaw")).edges}
    assert relations == {"discovered", "was born in", "is the capital of"}


async def test_the_sentence_is_evidence_but_counts_less_than_the_labels(taught: TaughtCollection) -> None:
    found = await taught.ask("polonium 1898")
    edge = found.edges[0]
    assert edge.terms == ("polonium", "1898")
    assert 0.8 < edge.coverage < 1.0


async def test_support_counts_the_subgraphs_that_say_a_fact(taught: TaughtCollection) -> None:
    await taught.learn(
        "Chemistry", Said("Curie's polonium.", (("Marie Curie", "discovered", "polonium"),), 0.4)
    )
    edge = (await taught.ask("Who discovered polonium?")).edges[0]
    assert edge.support == 2
    assert edge.confidence == 0.9


async def test_the_edges_of_a_hub_are_those_that_meet_the_question(tmp_path: Path) -> None:
    collection = TaughtCollection(tmp_path)
    many = tuple(("France", "has town", f"Ville {index}") for index in range(300))
    await collection.learn("Towns", Said("France has towns.", many))
    await collection.learn("Rivers", Said("The Seine flows.", (("France", "is drained by", "Seine"),)))
    found = await collection.ask("What is France drained by?", limits=RetrievalLimits(triples_per_entity=5))
    assert told(found)[0] == ("France", "is drained by", "Seine")
    assert len(found.edges) <= 150
    await collection.retriever.close()


async def test_limits_hold(taught: TaughtCollection) -> None:
    limits = RetrievalLimits(entities=1, subgraph=2)
    found = await taught.ask("Marie Curie Warsaw polonium", limits=limits, chunks=1)
    assert (len(found.seeds), len(found.edges), len(found.chunks)) == (1, 2, 1)


async def test_a_chunk_shows_its_text_and_what_each_word_scores(taught: TaughtCollection) -> None:
    found = await taught.ask("Who discovered polonium?", method="bm25")
    chunk = found.chunks[0]
    assert chunk.text == "Marie Curie discovered polonium in 1898. She was born in Warsaw."
    assert {text for text, _ in chunk.terms} == {"discovered", "polonium"}
    assert sum(score for _, score in chunk.terms) == pytest.approx(chunk.score, abs=1e-3)
    assert found.documents[0].title == "Marie Curie"


async def test_a_passage_that_only_a_name_leads_to_is_found(taught: TaughtCollection) -> None:
    by_words = await taught.ask("Where was the discoverer of polonium born?", method="bm25")
    by_names = await taught.ask("What is the country of Marie Curie's birthplace?")
    assert "Warsaw" not in {hit.title for hit in by_words.documents}
    assert "Warsaw" in {hit.title for hit in by_names.documents}


@pytest.mark.parametrize("method", ["", *METHODS])
async def test_the_same_question_has_the_same_answer(taught: TaughtCollection, method: str) -> None:
    first = await taught.ask("What did Marie Curie discover in Warsaw?", method=method)
    await taught.restart()
    assert await taught.ask("What did Marie Curie discover in Warsaw?", method=method) == first


async def test_an_unknown_method_is_refused_by_name(taught: TaughtCollection) -> None:
    with pytest.raises(InvalidInput, match="Use one of: graph, bm25"):
        await taught.ask("polonium", method="magic")


@pytest.mark.parametrize(
    "question", ["?", "the of and", "xyzzy qwfp", "\x00", "'\"<>{}", "+ - * AND OR NOT ()"]
)
async def test_a_question_without_known_words_finds_no_edges(taught: TaughtCollection, question: str) -> None:
    found = await taught.ask(question)
    assert all(not edge.terms for edge in found.edges)


async def test_a_long_question_is_answered(taught: TaughtCollection) -> None:
    found = await taught.ask("polonium " + " ".join(f"word{index}" for index in range(1500)))
    assert len(found.terms) <= 48


async def test_languages_of_one_name_stay_apart(tmp_path: Path) -> None:
    collection = TaughtCollection(tmp_path)
    for name in ("C", "C++", "C#"):
        said = Said(
            f"{name} was designed by person of {name}.", ((name, "was designed by", f"Designer of {name}"),)
        )
        await collection.learn(f"About {name}", said)
    for name in ("C++", "C#"):
        found = await collection.ask(f"Who designed {name}?")
        assert found.seeds[0].label == name
        assert found.edges[0].labels.subject == name
    await collection.retriever.close()


@pytest.mark.parametrize(
    ("fact", "sentence", "question"),
    [
        (("玛丽·居里", "发现", "钋"), "玛丽·居里于1898年发现了钋。", "谁发现了钋?"),
        (
            ("東京タワー", "所在地", "東京都港区"),
            "東京タワーは東京都港区にある。",
            "東京タワーはどこにありますか?",
        ),
        (("서울", "수도", "대한민국"), "서울은 대한민국의 수도이다.", "대한민국의 수도는 어디입니까?"),
        (
            ("Сергей Королёв", "сконструировал", "Спутник"),
            "Королёв сконструировал Спутник.",
            "Королев и Спутник",
        ),
        (
            ("Skłodowska", "urodziła się w", "Warszawa"),
            "Skłodowska urodziła się w Warszawie.",
            "Gdzie Sklodowska?",
        ),
        (("गंगा", "बहती है", "भारत"), "गंगा भारत में बहती है।", "गंगा कहाँ है?"),
    ],
)
async def test_questions_in_other_scripts_find_their_facts(
    tmp_path: Path, fact: tuple[str, str, str], sentence: str, question: str
) -> None:
    collection = TaughtCollection(tmp_path)
    await collection.learn("Otters", *OTTER)
    await collection.learn("1", Said(sentence, (fact,)))
    found = await collection.ask(question)
    assert told(found)[0] == fact
    assert found.edges[0].coverage >= 0.5
    assert found.chunks[0].text == sentence
    await collection.retriever.close()


@pytest.mark.parametrize("question", ["What did Marie Curie discover?", "Which animals eat in cold rivers?"])
async def test_who_wants_no_edges_gets_the_same_passages(taught: TaughtCollection, question: str) -> None:
    few, none = [await taught.ask(question, limits=limits) for limits in (FEWEST_EDGES, NO_EDGES)]
    assert (none.terms, none.chunks, none.documents) == (few.terms, few.chunks, few.documents)
    assert few.edges
    assert (none.edges, none.seeds) == ((), ())


async def test_a_passage_that_is_indexed_later_is_read_too(taught: TaughtCollection) -> None:
    question = "What did Marie Curie discover?"
    before = await taught.ask(question, limits=NO_EDGES)
    assert before.chunks == (await taught.ask(question, limits=NO_EDGES)).chunks
    await taught.learn("Marie Curie's sister", Said("Bronia Curie discovered a clinic.", ()))
    after = await taught.ask(question, limits=NO_EDGES)
    assert {hit.text for hit in before.chunks} < {hit.text for hit in after.chunks}
