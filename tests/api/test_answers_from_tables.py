"""Answers from the cells of tables over HTTP: the short answer, what was read, and the rows that prove it."""

from __future__ import annotations

from typing import Final

from api.running import Running

RACES: Final = (
    "Year,Race,Location,Winner,Laps\n"
    "2001,Harbour Cup,Oslo,Ida Berg,30\n"
    "2002,Island Tour,Bergen,Per Holm,24\n"
    "2003,Harbour Cup,Oslo,Ida Berg,31\n"
    "2004,Fjord Prize,Oslo,Liv Strand,\n"
)


async def test_rows_are_counted_and_each_is_cited(service: Running) -> None:
    await service.ingest(RACES, name="races.csv")
    answer = await service.ask("How many races were held in Oslo?")
    assert answer["short_answer"]["text"] == "3"
    assert answer["response"].startswith("3. 4 of 4 rows were read.")
    sources = [source for citation in answer["citations"] for source in citation["sources"]]
    for source in sources:
        page = await service.client.get("/api/v1/documents/content", params={"id": source["page"]})
        assert page.text[source["start"] : source["end"]] == source["text"]
    assert {source["text"].split(" | ")[0] for source in sources} == {"2001", "2003", "2004"}


async def test_what_could_not_be_read_is_said(service: Running) -> None:
    await service.ingest(RACES, name="races.csv")
    answer = await service.ask("Which race had the most laps?")
    assert answer["response"].startswith("Harbour Cup. 4 of 4 rows were read; 1 has no number in “Laps”.")


STAFF: Final = (
    "Employee,Department,Office,Salary (EUR)\nNora Fink,Sales,Vienna,52000\nTom Reed,Engineering,Graz,61500\n"
    "Ada Novak,Engineering,Vienna,74000\n"
)


async def test_the_only_document_is_asked_in_words_that_it_does_not_have(service: Running) -> None:
    await service.ingest(STAFF, name="staff.csv")
    answer = await service.ask("Who earns the most?")
    assert answer["short_answer"]["text"] == "Ada Novak"
    assert "Ada Novak | Engineering | Vienna | 74000" in answer["response"]
    unknown = await service.ask("How many lakes are there?")
    assert unknown["short_answer"] is None


async def test_a_named_document_is_asked_in_words_that_it_does_not_have(service: Running) -> None:
    await service.ingest(STAFF, name="staff.csv")
    await service.ingest(RACES, name="races.csv")
    assert (await service.ask("Who earns the most?"))["short_answer"] is None
    answer = await service.ask("Who earns the most?", documents=["staff.csv"])
    assert answer["short_answer"]["text"] == "Ada Novak"


PROSE: Final = (
    "Revenue of Larkspur Mills grew in 2022, as revenue of mills does. The directors speak of it at length."
)


def report() -> str:
    """A report in whose many parts the words of the question stand, and in one the statement that answers."""
    parts = [f"## Part {number}\n\n{PROSE}\n" for number in range(30)]
    statement = (
        "## Consolidated statements of income\n\nIn millions of dollars\n\n"
        "| | 2022 | 2021 |\n|---|---|---|\n| Net sales | 2,400 | 2,000 |\n| Capital spending | (310) | (275) |\n"
    )
    return "# Larkspur Mills annual report\n\n" + "\n".join([*parts[:20], statement, *parts[20:]])


async def test_a_line_item_is_found_in_a_statement_of_which_no_passage_was_retrieved(
    service: Running,
) -> None:
    await service.ingest(report(), name="report.md")
    answer = await service.ask("What was the revenue of Larkspur Mills in 2022?")
    assert "2,400" in answer["short_answer"]["text"]
    assert answer["short_answer"]["kind"] == "number"
    spent = await service.ask("How much capex did Larkspur Mills have in 2021?")
    assert spent["short_answer"]["text"].lstrip("$").startswith("275")
    rose = await service.ask("Did the revenue of Larkspur Mills increase in 2022?")
    assert rose["short_answer"]["text"].casefold() == "yes"
    assert "from" in rose["response"].split(".")[1]


async def test_a_question_about_another_company_is_not_answered_from_this_one(service: Running) -> None:
    await service.ingest(report(), name="report.md")
    answer = await service.ask("What was the revenue of Hollin Foundry in 2022?")
    assert not answer["short_answer"]


async def test_a_row_that_has_only_some_of_the_words_is_no_answer(service: Running) -> None:
    await service.ingest(report(), name="report.md")
    answer = await service.ask("Who oversees the capital spending programme of Larkspur Mills?")
    assert not answer["short_answer"]
    assert "310" not in answer["response"]
