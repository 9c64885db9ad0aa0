"""Answers from the cells of tables over HTTP: the short answer, what was read of the table, and the rows that prove it."""

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
