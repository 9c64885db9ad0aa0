"""A question or claim that names what a document is about is put to that one, whose sentences do not say so again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import pytest
import pytest_asyncio

from api.running import Running
from api.test_documents_over_http import upload

_TALK: Final = (
    "The committee read the letter of the rowing club and thanked its members for the flowers. "
    "Nothing was decided on the bandstand, as the estimate of the builder had not arrived. "
    "The clerk read the accounts, and those present had no questions on them. "
    "The list of trees to be felled was left for the spring, when the gardener will be back. "
)


def minutes(town: str, engineer: str, fee: str) -> bytes:
    """Minutes that name their town in the heading alone."""
    return (
        f"TOWN COUNCIL OF {town.upper()}\nMinutes of the ordinary meeting\n\n"
        f"The Borough Engineer, {engineer}, presented her report on the landing stage. {_TALK}\n\n"
        f"The fee for a stall at the winter market is {fee} marks, as in the years before. {_TALK}\n\n"
        f"The chair thanked all who had helped on the day of the flood. {_TALK}"
    ).encode()


@pytest_asyncio.fixture
async def service(service: Running) -> AsyncIterator[Running]:
    await upload(
        service,
        ("minutes-a.txt", minutes("Halversund", "Ms Yara Quill", "45")),
        ("minutes-b.txt", minutes("Orvik", "Ms Tilda Moen", "60")),
    )
    yield service


@pytest.mark.parametrize(
    ("question", "said", "file"),
    [
        ("Who is the Borough Engineer of Halversund?", "Yara Quill", "minutes-a.txt"),
        ("Who is the Borough Engineer of Orvik?", "Tilda Moen", "minutes-b.txt"),
    ],
)
async def test_the_document_that_is_named_by_its_heading_answers(
    service: Running, question: str, said: str, file: str
) -> None:
    answer = (await service.client.post("/api/v1/graph-rag", json={"query": question})).json()
    assert said in answer["short_answer"]["text"]
    assert {source["source"] for each in answer["citations"] for source in each["sources"]} == {file}


async def test_of_a_town_that_no_document_is_about_nothing_is_said(service: Running) -> None:
    answer = (
        await service.client.post(
            "/api/v1/graph-rag", json={"query": "Who is the Borough Engineer of Tysen?"}
        )
    ).json()
    assert answer["short_answer"] is None


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("The fee for a stall at the winter market of Halversund is 45 marks.", "SUPPORTS"),
        ("The fee for a stall at the winter market of Orvik is 60 marks.", "SUPPORTS"),
        ("The fee for a stall at the winter market of Tysen is 45 marks.", "NOT ENOUGH INFO"),
    ],
)
async def test_a_claim_is_judged_by_the_document_it_names(service: Running, claim: str, label: str) -> None:
    answer = (await service.client.post("/api/v1/verify", json={"claim": claim})).json()
    assert answer["verdict"]["label"] == label, answer
    for element in answer["verdict"]["elements"]:
        assert claim[element["start"] : element["end"]].casefold() == element["element"].casefold()
