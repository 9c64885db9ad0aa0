"""How a question's seeds are found: by type, by names that are written nearly right."""

from __future__ import annotations

from pathlib import Path

from unit.retrieval.taught_collection import Said, TaughtCollection

PEOPLE = (
    Said("Lise Meitner was a physicist from Vienna.", (("Lise Meitner", "was a", "physicist from Vienna"),)),
    Said("Otto Hahn was a chemist.", (("Otto Hahn", "was a", "chemist"),)),
    Said("Max Born was a physicist.", (("Max Born", "was a", "physicist"),)),
)


async def test_a_question_for_a_type_begins_at_all_entities_of_it(tmp_path: Path) -> None:
    collection = TaughtCollection(tmp_path)
    await collection.learn("People", *PEOPLE)
    found = await collection.ask("Which physicists are known?")
    by_type = {seed.label for seed in found.seeds if seed.how == "type"}
    assert by_type == {"Lise Meitner", "Max Born"}
    assert not {
        seed.label for seed in (await collection.ask("Is a physicist known?")).seeds if seed.how == "type"
    }
    await collection.retriever.close()


async def test_a_name_with_a_few_wrong_letters_is_the_entity_and_the_edges_say_so(tmp_path: Path) -> None:
    collection = TaughtCollection(tmp_path)
    await collection.learn("People", *PEOPLE)
    found = await collection.ask("Where was Lisa Maitner?", method="breadth-first")
    assert (found.seeds[0].label, found.seeds[0].how) == ("Lise Meitner", "fuzzy name")
    assert {edge.how for edge in found.edges} == {"fuzzy name"}
    assert not (await collection.ask("Where was Lara Meier?", method="breadth-first")).seeds
    await collection.retriever.close()
