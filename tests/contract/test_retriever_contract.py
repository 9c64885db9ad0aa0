"""What every `Retriever` keeps to, in this process or in another one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Triple
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from api.retrievers import HeldRetriever
from api.running import listening
from contract.over_http import DEAD, retrieval_at, served
from provgraph.adapters.http_retriever import HttpRetriever
from provgraph.errors import InvalidInput, Unavailable
from provgraph.peers import service as peers_service
from provgraph.ports.retriever import (
    CandidateEdge,
    EdgeLabels,
    RetrievalRequest,
    RetrievalResult,
    Retriever,
    Seed,
    TakenAsOne,
    Without,
)
from provgraph.retrieval.port_routes import retrieval_port_router
from provgraph.wire.retrieval_port import (
    PATH,
    request_from_json,
    request_to_json,
    result_from_json,
    result_to_json,
)
from unit.retrieval.taught_collection import CURIE, OTTER, WARSAW, TaughtCollection

ASKED = RetrievalRequest("What did Marie Curie discover?", ("Marie Curie",), chunks=3)


def files_with(folder: Path, word: str) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if word.encode() in path.read_bytes().lower()]


@pytest_asyncio.fixture
async def taught(tmp_path: Path) -> AsyncIterator[TaughtCollection]:
    collection = TaughtCollection(tmp_path)
    await collection.learn("Marie Curie", *CURIE)
    await collection.learn("Otters", *OTTER)
    yield collection
    await collection.retriever.close()


@pytest_asyncio.fixture(params=["in this process", "in another"])
async def retriever(request: pytest.FixtureRequest, taught: TaughtCollection) -> AsyncIterator[Retriever]:
    async with AsyncExitStack() as stack:
        if request.param == "in this process":
            yield taught.retriever
        else:
            url = await stack.enter_async_context(served(retrieval_port_router(taught.retriever)))
            yield HttpRetriever(await stack.enter_async_context(retrieval_at(url)))


async def test_it_finds_what_the_indexes_have(retriever: Retriever, taught: TaughtCollection) -> None:
    found = await retriever.retrieve(ASKED)
    assert found == await taught.retriever.retrieve(ASKED)
    assert found.edges[0].labels == EdgeLabels("Marie Curie", "discovered", "polonium")
    assert found.seeds
    assert found.chunks
    left_out = replace(ASKED, without=Without(edges=(found.edges[0].triple,)))
    assert found.edges[0].triple not in [edge.triple for edge in (await retriever.retrieve(left_out)).edges]


async def test_a_wrong_choice_is_told_as_what_it_is(retriever: Retriever) -> None:
    await retriever.accept(ASKED)
    await retriever.accept(ASKED)
    for wrong in (replace(ASKED, method="guessing"), replace(ASKED, parameters={"unheard": 1.0})):
        with pytest.raises(InvalidInput) as told:
            await retriever.accept(wrong)
        with pytest.raises(InvalidInput, match=str(told.value)[:20]):
            await retriever.retrieve(wrong)


async def test_it_follows_what_comes_and_goes_and_its_files_keep_nothing_that_they_are_to_forget(
    retriever: Retriever, taught: TaughtCollection
) -> None:
    async def documents() -> list[NamedNode]:
        found = await retriever.retrieve(replace(ASKED, question="What is Warsaw?", concepts=()))
        return [hit.document for hit in found.documents]

    files = taught.folder / "index"
    document = await taught.teach("Warsaw", *WARSAW)
    await retriever.follow("default", [document])
    assert document in await documents()
    await retriever.forget("default")
    assert not files_with(files, "")
    assert document in await documents()
    await taught.empty()
    await taught.teach("Otters", *OTTER)
    await retriever.follow("default", [document])
    assert document not in await documents()
    assert files_with(files, "poland")
    await retriever.rewrite("default")
    assert not files_with(files, "poland")
    assert files_with(files, "otter")


async def test_who_goes_away_ends_the_work_of_the_other_process() -> None:
    held = HeldRetriever()
    async with served(retrieval_port_router(held)) as url, retrieval_at(url) as service:
        asking = asyncio.create_task(HttpRetriever(service).retrieve(ASKED))
        await held.begun.wait()
        asking.cancel()
        async with asyncio.timeout(30):
            while not held.ended:
                await asyncio.sleep(0.01)
    assert (asking.cancelled(), held.release.is_set()) == (True, False)


async def test_a_dead_replica_is_passed_over_and_the_last_one_is_told(taught: TaughtCollection) -> None:
    router = retrieval_port_router(taught.retriever)
    async with served(router) as url, retrieval_at(DEAD, url) as service:
        made = HttpRetriever(service)
        assert [(await made.retrieve(ASKED)).edges != () for _ in range(3)] == [True] * 3
        await made.follow("default", [])
        with pytest.raises(Unavailable, match="1:1 cannot be reached"):
            await made.rewrite("default")
    async with retrieval_at(DEAD) as service:
        with pytest.raises(Unavailable, match="Start it with 'provgraph serve retrieval'"):
            await HttpRetriever(service).retrieve(ASKED)


async def asked_until_refused(answer: Callable[[int], Awaitable[Response]], saying: str) -> int:
    """How often a replica is asked whose answers are these, each by its number, until it is told what `saying`
    matches."""
    asked: list[object] = []

    async def answering(request: Request) -> Response:
        asked.append(await request.json())
        return await answer(len(asked))

    app = Starlette(routes=[Route(f"{PATH}/retrieve", answering, methods=["POST"])])
    async with listening(app) as url, retrieval_at(url) as service:
        with pytest.raises(Unavailable, match=saying):
            await HttpRetriever(service).retrieve(ASKED)
    return len(asked)


async def test_an_answer_that_breaks_off_is_asked_for_again_and_told_when_it_does_so_always() -> None:
    broken = [b"", b"\n", b'\n{"result": {"edg']

    async def breaking(number: int) -> Response:
        async def said() -> AsyncIterator[bytes]:
            yield broken[number % len(broken)]
            raise ConnectionResetError

        return StreamingResponse(said(), media_type="application/json")

    assert await asked_until_refused(breaking, "cannot be reached") == 2


async def test_a_replica_that_says_nothing_is_told_after_one_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent(_: int) -> Response:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(peers_service, "SILENCE_S", 0.2)
    assert await asked_until_refused(silent, "ReadTimeout") == 1


iris = st.text("abcé/ü0", min_size=1).map(lambda name: NamedNode(f"http://example.org/{name}"))
texts = st.text(st.characters(codec="utf-8"), max_size=20)
scores = st.floats(allow_nan=False, allow_infinity=False)
triples = st.builds(Triple, iris, iris, st.one_of(iris, texts.map(Literal), st.integers().map(Literal)))
ties = st.builds(
    TakenAsOne,
    st.tuples(iris, iris),
    texts,
    texts,
    st.none() | triples,
    st.none() | iris,
    st.frozensets(texts, max_size=2),
)
edges = st.builds(
    CandidateEdge,
    triples,
    st.builds(EdgeLabels, texts, texts, texts),
    scores,
    terms=st.lists(texts, max_size=2).map(tuple),
    shares=st.lists(scores, max_size=2).map(tuple),
    path=st.lists(texts, max_size=2).map(tuple),
    ties=st.lists(ties, max_size=2).map(tuple),
    joints=st.frozensets(texts, max_size=2),
    rerank_score=st.none() | scores,
)
seeds = st.builds(Seed, iris, texts, scores, texts, st.lists(ties, max_size=2).map(tuple), texts)


@settings(max_examples=25)
@given(
    st.builds(
        RetrievalRequest,
        texts,
        concepts=st.lists(texts, max_size=2).map(tuple),
        parameters=st.dictionaries(texts, scores, max_size=2),
        without=st.builds(
            Without, st.lists(iris, max_size=2).map(tuple), st.lists(triples, max_size=2).map(tuple)
        ),
    ),
    st.builds(
        RetrievalResult,
        terms=st.just(()),
        seeds=st.lists(seeds, max_size=2).map(tuple),
        edges=st.lists(edges, max_size=2).map(tuple),
        chunks=st.just(()),
        documents=st.just(()),
        warnings=st.lists(texts, max_size=2).map(tuple),
    ),
)
def test_what_goes_over_the_wire_comes_out_as_it_went_in(
    request: RetrievalRequest, result: RetrievalResult
) -> None:
    assert request_from_json(request_to_json(request)) == request
    assert result_from_json(result_to_json(result)) == result
