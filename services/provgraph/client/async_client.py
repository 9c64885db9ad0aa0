"""`provgraph.AsyncClient`: what `provgraph.Client` does, for a program that waits for several things at once."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import httpx2
from anyio import to_thread

from provgraph.client import calls
from provgraph.client.answers import AnswerEvent, AnswerStream, AskEvent
from provgraph.client.client import DEFAULT_TIMEOUT_S
from provgraph.client.connection import Opening, client_target
from provgraph.client.files import written
from provgraph.client.ingests import IngestProgress, IngestRequest, IngestResult, TextToIngest
from provgraph.client.sending import follow_job_async, send_files_async
from provgraph.client.service import AsyncService, Call, ServiceProblem, raised_by_kind
from provgraph.errors import ProvGraphError, Unavailable

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")


def awaited(
    request: Callable[Concatenate[calls.Caller, Arguments], Call[Result] | calls.Exchange[Result]],
) -> Callable[Concatenate[AsyncClient, Arguments], Coroutine[Any, Any, Result]]:
    """The method that makes such a request and awaits its result."""

    @wraps(request)
    async def method(client: AsyncClient, /, *args: Arguments.args, **named: Arguments.kwargs) -> Result:
        return await client._result(request(client, *args, **named))

    method.__signature__ = calls.signature_of(request)  # type: ignore[attr-defined]
    return method


class AsyncClient:
    """A client of the folder or the address `target`, as `provgraph.Client` is; use one in one event loop.

    A folder that nobody serves is served in a thread of this process until the client is closed.
    """

    def __init__(
        self,
        target: str | Path | None = None,
        *,
        token: str | None = None,
        collection: str = "default",
        timeout: float | None = DEFAULT_TIMEOUT_S,
    ) -> None:
        self.collection = collection
        self._opening = Opening(client_target(target, token), timeout)
        self._http: httpx2.AsyncClient | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        target = self._opening.target
        return f"AsyncClient({target.url or str(target.data)!r})"

    @property
    def is_remote(self) -> bool:
        """Whether it asks a service at an address, and not a folder."""
        return bool(self._opening.target.url)

    async def aclose(self) -> None:
        """Let the folder go. What is asked afterwards opens it again."""
        if self._http:
            await self._http.aclose()
            self._http = None
        await to_thread.run_sync(self._opening.close)

    ask = awaited(calls.ask)
    verify = awaited(calls.verify)
    check_answer = awaited(calls.check_answer)
    retrieve = awaited(calls.retrieve)
    lineage = awaited(calls.lineage)
    why_not = awaited(calls.why_not)
    trace = awaited(calls.trace)
    traces = awaited(calls.traces)
    sparql = awaited(calls.sparql)
    documents = awaited(calls.documents)
    edit = awaited(calls.edit)
    delete = awaited(calls.delete)
    page_boxes = awaited(calls.page_boxes)

    async def ask_events(
        self,
        question: str,
        *,
        flow: str = "graph-rag",
        collection: str | None = None,
        proof: bool = True,
        **options: Any,
    ) -> AsyncGenerator[AskEvent]:
        """The steps and the words of the answer as they come; the last event holds the whole answer."""
        route, body = calls.ask_request(question, collection or self.collection, flow, options)
        stream = AnswerStream(question)
        async with self._service() as service, aclosing(service.events("POST", route, body)) as messages:
            async for _, message in messages:
                for event in stream.events(message):
                    yield event
        answer = stream.answer()
        if proof:
            answer = await self._result(calls.with_proof(answer, body["collection"]))
        yield AnswerEvent(answer)

    async def ingest(
        self,
        paths: str | Path | Iterable[str | Path],
        *,
        title: str = "",
        id: str = "",
        metadata: Mapping[str, Any] | None = None,
        collection: str | None = None,
        **options: Any,
    ) -> IngestResult:
        """Read files and folders, and wait until all is read.

        `metadata` goes with every file, `title` and `id` with a single one. Raises `NotFound` for what is not there; a
        file that cannot be read is in the result's `refused`.
        """
        options |= {"title": title, "id": id, "metadata": metadata, "collection": collection}
        return IngestResult.of([step async for step in self.ingest_events(paths, **options)])

    def ingest_events(
        self,
        paths: str | Path | Iterable[str | Path],
        *,
        metadata: Mapping[str, Any] | None = None,
        collection: str | None = None,
        **options: Any,
    ) -> AsyncGenerator[IngestProgress]:
        """What `ingest` does, a step at a time: how far it is. Leaving the loop cancels the rest."""
        request = IngestRequest.of(paths, collection or self.collection, metadata or {}, options)
        return self._ingested(request)

    async def ingest_text(
        self, text: str, *, title: str = "", id: str = "", collection: str | None = None, **options: Any
    ) -> IngestResult:
        """Read a text as a document, and wait for it."""
        given = TextToIngest(text, title, id, collection or self.collection, options)
        return IngestResult.of([step async for step in self._text_ingested(given)])

    async def export(
        self, path: str | Path, *, format: str = "nquads", rdf: str = "", collection: str | None = None
    ) -> Path:
        """Write a collection to a file: its graphs as nquads, trig, jsonld, turtle or ntriples, its facts as nanopubs,
        or all of it as an archive. `rdf="1.1"` is for readers that know no triple terms, such as rdflib. The file
        stands under its name only when it is complete."""
        route, query = calls.export(format, collection or self.collection, rdf)
        async with self._service() as service:
            with written(Path(path)) as file:
                async for piece in service.download(route, "*/*", **query):
                    file.write(piece)
        return Path(path)

    async def _ingested(self, request: IngestRequest) -> AsyncGenerator[IngestProgress]:
        async with self._service(create=True) as service:
            updates = send_files_async(service, request.files, request.form)
            async with aclosing(updates):
                async for update in updates:
                    yield IngestProgress.of(update, len(request.files))
            await self._embed(service, request.collection)

    async def _text_ingested(self, given: TextToIngest) -> AsyncGenerator[IngestProgress]:
        async with self._service(create=True) as service:
            job = await service.reply(calls.ingest_text(given.body))
            async with aclosing(follow_job_async(service, job)) as states:
                async for state, ended in states:
                    yield IngestProgress.of(given.update(state, ended), 1)
            await self._embed(service, given.collection)

    async def _embed(self, service: AsyncService, collection: str) -> None:
        """Wait until what was ingested can be found by its sense."""
        with suppress(ServiceProblem, Unavailable):
            async for _ in service.events("GET", calls.embedding_path(collection)):
                pass

    @asynccontextmanager
    async def _service(self, create: bool = False) -> AsyncIterator[AsyncService]:
        connection = await to_thread.run_sync(self._opening.open, create)
        with raised_by_kind(), connection.reaching():
            if self._http is None:
                self._http = connection.async_client()
            yield AsyncService(self._http)

    async def _result(self, request: Call[Result] | calls.Exchange[Result]) -> Result:
        if isinstance(request, Call):
            async with self._service() as service:
                return await service.reply(request)
        try:
            step = next(request)
            while True:
                try:
                    reply = await (self._result(step) if isinstance(step, Call) else to_thread.run_sync(step))
                except ProvGraphError as error:
                    step = request.throw(error)
                else:
                    step = request.send(reply)
        except StopIteration as end:
            result: Result = end.value
            return result
