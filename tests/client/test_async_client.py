"""The client for programs that wait for several things at once."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from client.conftest import LARKFIELD, TOKEN
from provgraph import AsyncClient, Client
from provgraph.client.answers import AnswerEvent
from provgraph.errors import NotFound, Unauthorized, Unavailable
from servers.served_process import free_port

QUESTION = "Who founded Larkfield?"
SENTENCE = "Ada Larkfield founded Larkfield in 1987."


@pytest_asyncio.fixture
async def client(folder: Path) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(folder) as made:
        yield made


def test_both_clients_have_the_same_methods_with_the_same_parameters() -> None:
    public = (name for name in vars(Client) if not name.startswith("_") and name != "close")
    names = [name for name in public if callable(getattr(Client, name))]
    assert names
    for name in names:
        one, other = getattr(Client, name), getattr(AsyncClient, name)
        assert inspect.signature(one).parameters == inspect.signature(other).parameters


async def test_several_questions_are_asked_at_once(client: AsyncClient) -> None:
    answers = await asyncio.gather(client.ask(QUESTION), client.ask("Who has led Orrin since 2015?"))
    assert [answer.short_answer for answer in answers] == ["Ada Larkfield", "Tessa Byrd"]
    assert answers[0].proof is not None
    (source,) = answers[0].sources
    assert source.before + source.text + source.after == LARKFIELD.rstrip("\n")


async def test_an_address_is_asked_with_its_token(url: str) -> None:
    async with AsyncClient(url, token=TOKEN) as client:
        assert (await client.ask(QUESTION)).text == SENTENCE
    async with AsyncClient(url) as other:
        with pytest.raises(Unauthorized):
            await other.ask(QUESTION)


async def test_events_end_with_the_answer(client: AsyncClient) -> None:
    events = [event async for event in client.ask_events(QUESTION)]
    assert isinstance(events[-1], AnswerEvent)
    assert events[-1].answer.text == SENTENCE


async def test_everything_else_is_as_with_the_other_client(client: AsyncClient, tmp_path: Path) -> None:
    text = "Orrin bought Larkfield in 2024."
    assert (await client.verify(text)).label == "REFUTES"
    assert (await client.check_answer(text)).summary.refuted == 1
    assert (await client.check_answer(text, ["Orrin bought Larkfield in 2024."])).summary.supported == 1
    found = await client.retrieve(QUESTION)
    assert (await client.lineage(found.facts[0])).sources[0].text == SENTENCE
    (session, *_) = await client.traces()
    assert (await client.trace(session.session)).query == text
    assert (await client.why_not(session.session, "Orrin")).edges
    assert len(await client.sparql("SELECT ?s WHERE { GRAPH ?g { ?s ?p ?o } } LIMIT 3")) == 3
    assert (await client.export(tmp_path / "all.nq")).stat().st_size > 0
    chunk = found.chunks[0]
    assert await client.page_boxes(chunk.page_iri, 0, 5) == []


async def test_files_and_texts_are_ingested_and_deleted(client: AsyncClient, tmp_path: Path) -> None:
    (tmp_path / "new.txt").write_text("Tessa Byrd was born in Hull.")
    steps = [step async for step in client.ingest_events(tmp_path / "new.txt")]
    assert [document.title for step in steps for document in step.documents] == ["new"]
    assert (await client.ingest(tmp_path / "new.txt")).facts == 0  # it is there
    done = await client.ingest_text("Mina Holt wrote The Salt Road.", title="Holt")
    assert done.documents[0].title == "Holt"
    assert (await client.delete("Holt")).title == "Holt"
    assert len(await client.documents()) == 3


async def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    async with AsyncClient(tmp_path / "nothing") as nowhere:
        with pytest.raises(NotFound, match="There is no folder"):
            await nowhere.ask(QUESTION)
    async with AsyncClient(f"http://127.0.0.1:{free_port()}") as nobody:
        with pytest.raises(Unavailable, match="cannot be reached"):
            await nobody.ask(QUESTION)
