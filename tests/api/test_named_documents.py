"""A question that names a long report is answered from it, and not from another report that says the same of itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

import pymupdf
import pytest
import pytest_asyncio

from api.running import Running
from api.test_archives_over_http import findings
from api.test_documents_over_http import upload
from provgraph.flows.graph_rag.asked_text import asked_text, without_year
from provgraph.flows.runner.named_documents import Name, names_of
from provgraph.language.terms import terms

NOTE: Final = "Selby Rail opened a depot in Ryde in 1999."


def report(name: str, employees: str, founder: str, pages: int = 22) -> bytes:
    """A report of so many pages that names itself on the first, and says "we" on the others."""
    said = {
        0: [f"{name} Annual Report"],
        7: [f"We employed approximately {employees} people worldwide at the end of the year."],
        12: [f"Our company was founded by {founder}.", "Our business depends on the weather."],
    }
    with pymupdf.open() as document:  # type: ignore[no-untyped-call]
        for number in range(pages):
            lines = said.get(number, [f"We keep our accounts in section {number} of this report."])
            page = document.new_page()
            for at, line in enumerate(lines):
                page.insert_text((72, 90 + 20 * at), line)
        document.set_metadata({"title": f"{name} Annual Report"})
        content: bytes = document.tobytes()
    return content


@pytest_asyncio.fixture
async def service(service: Running) -> AsyncIterator[Running]:
    """Two long reports and a short note."""
    files = [
        ("harrow.pdf", report("Harrow Foods", "1,200", "Ada Novak")),
        ("selby.pdf", report("Selby Rail", "3,400", "Omar Lind")),
        ("note.txt", NOTE.encode()),
    ]
    await upload(service, *files)
    yield service


def files_cited(answer: dict[str, Any]) -> set[str]:
    return {source["source"] for each in answer["citations"] for source in each["sources"]}


@pytest.mark.parametrize(
    ("question", "file", "said"),
    [
        ("How many people did Selby Rail employ?", "selby.pdf", "3,400"),
        ("How many people did Harrow Foods employ?", "harrow.pdf", "1,200"),
        ("Who founded Selby Rail?", "selby.pdf", "Omar Lind"),
    ],
)
async def test_a_report_answers_for_the_company_that_it_is_of(
    service: Running, question: str, file: str, said: str
) -> None:
    answer = await service.ask(question)
    assert (files_cited(answer), said in answer["response"]) == ({file}, True), answer["response"]


async def test_a_short_document_that_has_the_name_still_answers(service: Running) -> None:
    answer = await service.ask("When did Selby Rail open a depot in Ryde?")
    assert (files_cited(answer), answer["short_answer"]["text"]) == ({"note.txt"}, "1999")


async def test_what_the_named_report_does_not_say_is_no_answer_from_another(service: Running) -> None:
    answer = await service.ask("Which airports does Selby Rail serve?")
    assert answer["outcome"] == "refused"
    assert files_cited(answer) <= {"selby.pdf", "note.txt"}


async def test_the_trace_of_a_question_that_was_put_to_one_report_is_sound(service: Running) -> None:
    answer = await service.ask("Who founded Selby Rail?")
    trace = await service.get(f"/api/v1/traces/{answer['session']}")
    assert trace["outcome"] == "answered"
    assert await findings(service) == []


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who are the customers of Selby Rail as of FY2022?", ["Selby Rail"]),
        ("What was Selby Rail's profit in Ryde?", ["Selby Rail", "Ryde"]),
        ("Harrow Foods or Selby Rail?", ["Harrow Foods", "Selby Rail"]),
        ("What drove costs in 2022?", []),
    ],
)
def test_names_are_runs_of_words_with_a_capital(question: str, names: list[str]) -> None:
    assert [each.terms for each in names_of(question)] == [frozenset(terms(name)) for name in names]


@pytest.mark.parametrize(
    ("name", "title", "is_one"),
    [
        (("Selby", "Rail"), "SELBYRAIL_2022_10K.pdf", True),
        (("SelRa",), "Selby Rail Annual Report", True),
        (("SRAR",), "Selby Rail Annual Report", True),
        (("Selby",), "Harrow Foods Annual Report", False),
        (("Hafo",), "Harrow Rail and Foods", False),
    ],
)
def test_a_report_is_named_by_its_file_or_a_contraction_too(
    name: tuple[str, ...], title: str, is_one: bool
) -> None:
    assert Name(name).is_in(title) == is_one


async def test_a_refusal_shows_where_the_named_report_is_closest(service: Running) -> None:
    answer = await service.ask("Does the weather matter to the business of Selby Rail in spring?")
    assert files_cited(answer) <= {"selby.pdf"}


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "What drove costs in FY2022? If they are not given, state that.",
            "What drove costs in 2022?",
        ),
        ("Were dividends paid in Q2 of FY22?", "Were dividends paid in second quarter of 2022?"),
        ("Ada Novak was born in Graz. Where did she die?", "Ada Novak was born in Graz. Where did she die?"),
        ("Where was it? It rained.", "Where was it? It rained."),
        ("List the depots. Give their towns.", "List the depots. Give their towns."),
        (
            "Using only the balance sheet, what was its debt in FY2021 (in USD millions)?",
            "What was its debt in 2021?",
        ),
        (
            "What is the gap? Gap is defined as: a / b. Round it.",
            "What is the gap? Gap is defined as: a / b.",
        ),
        ("In 2010, what did Selby Rail open?", "In 2010, what did Selby Rail open?"),
    ],
)
def test_directions_are_no_part_of_a_question_and_periods_are_written_out(question: str, asked: str) -> None:
    assert asked_text(question) == asked


def test_only_a_single_year_is_left_out() -> None:
    assert without_year("Who were its customers as of 2022?") == "Who were its customers?"
    assert without_year("How did it change from 2021 to 2022?") == "How did it change from 2021 to 2022?"
