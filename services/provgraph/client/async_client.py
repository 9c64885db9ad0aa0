"""`provgraph.AsyncClient`: what `provgraph.Client` does, for a program that waits for several things at once."""

from __future__ import annotations

import warnings
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import httpx2
from anyio import to_thread

from provgraph.client import calls
from provgraph.client.answers import AnswerEvent, AnswerStream, AskEvent, ProvedAnswer
from provgraph.client.client import DEFAULT_TIMEOUT_S
from provgraph.client.connection import Opening, client_target
from provgraph.client.evidence import ProvedFact
from provgraph.client.ingests import IngestProgress, IngestRequest, IngestResult, TextToIngest
from provgraph.client.judgements import ProvedVerdict
from provgraph.client.problems import ServiceProblem, told_by_kind
from provgraph.client.retrieved import RetrievedEvidence
from provgraph.client.sending import follow_job_async, send_files_async
from provgraph.client.service import AsyncService, Call
from provgraph.client.sparql_results import SparqlRows
from provgraph.client.written_files import written
from provgraph.errors import ProvGraphError, Unavailable

if TYPE_CHECKING:
    from provgraph.wire.attribution import AttributionReport
    from provgraph.wire.documents import DeletionReport, Document
    from provgraph.wire.trace import TraceSummary, TraceView, WhyNotAnswer

Result = TypeVar("Result")


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

    async def aclose(self) -> None:
        """Let the folder go. What is asked afterwards opens it again."""
        if self._http:
            await self._http.aclose()
            self._http = None
        await to_thread.run_sync(self._opening.close)

    async def ask(
        self,
        question: str,
        *,
        flow: str = "graph-rag",
        collection: str | None = None,
        proof: bool = True,
        **options: Any,
    ) -> ProvedAnswer:
        """The answer, with its proof unless that is not wanted, which saves two requests or more."""
        route, body = calls.ask_request(question, collection or self.collection, flow, options)
        return await self._exchange(calls.ask(question, route, body, proof))

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
            answer = await self._exchange(calls.with_proof(answer, body["collection"]))
        yield AnswerEvent(answer)

    async def verify(self, claim: str, *, collection: str | None = None, **options: Any) -> ProvedVerdict:
        """Whether the documents support the claim, refute it, or say too little."""
        return await self._reply(calls.verify(claim, collection or self.collection, options))

    async def check_answer(
        self,
        text: str,
        sources: Sequence[str | Mapping[str, str]] | None = None,
        *,
        collection: str | None = None,
        **options: Any,
    ) -> AttributionReport:
        """A verdict on every claim of a text: by `sources`, texts or mappings with `id`, `text` and perhaps `title`;
        without them by the documents of a collection. Citation [1] is the first source."""
        body = calls.attribution_request(text, sources, collection or self.collection, options)
        if sources is not None and not self._opening.target.url:
            return await to_thread.run_sync(calls.check_answer_here, body)
        return await self._reply(calls.check_answer(body))

    async def retrieve(
        self, question: str, *, limit: int = 10, collection: str | None = None, **options: Any
    ) -> RetrievedEvidence:
        """Ranked facts and chunks for a question, without an answer or a trace."""
        return await self._reply(calls.retrieve(question, collection or self.collection, limit, options))

    async def lineage(self, fact: str | ProvedFact, *, collection: str | None = None) -> ProvedFact:
        """The fact with every sentence that says it, and the facts that contradict it.

        It is a fact of an answer, the IRI of one in a trace or in a sentence, or "SUBJECT | RELATION | OBJECT", each a
        label or an IRI.
        """
        return await self._exchange(calls.lineage(fact, collection or self.collection))

    async def why_not(self, session: str, edge: str) -> WhyNotAnswer:
        """Why an edge is not behind an answer: "SUBJECT | RELATION | OBJECT", or a thing, for all edges around it."""
        return await self._reply(calls.why_not(session, edge))

    async def trace(self, session: str) -> TraceView:
        """How a question was answered, by the answer's `session`."""
        return await self._reply(calls.trace(session))

    async def traces(self, limit: int = 100) -> list[TraceSummary]:
        """Past questions, the newest first."""
        return await self._reply(calls.traces(limit))

    async def sparql(self, query: str, *, collection: str | None = None) -> SparqlRows:
        """The rows of a query over facts and provenance."""
        return await self._reply(calls.sparql(query, collection or self.collection))

    async def documents(self, *, collection: str | None = None) -> list[Document]:
        return await self._reply(calls.documents(collection or self.collection))

    async def delete(
        self,
        document: str,
        *,
        collection: str | None = None,
        dry_run: bool = False,
        redact: bool = False,
        erase: bool = False,
    ) -> DeletionReport:
        """Delete a document, by the name of its file, its title or its IRI, and everything that only it says.

        With `redact` also the answers that stood on it, with `erase` also from every file; with `dry_run` nothing, but
        what would go is told.
        """
        flags = {"dry_run": dry_run, "redact": redact, "erase": erase}
        return await self._reply(calls.delete(document, collection or self.collection, flags))

    def ingest(
        self,
        paths: str | Path | Iterable[str | Path],
        *,
        title: str = "",
        id: str = "",
        metadata: Mapping[str, Any] | None = None,
        collection: str | None = None,
        **options: Any,
    ) -> AsyncIngest:
        """Read files and folders. Loop over what it returns (`async for`) for the progress, or await its `.wait()`.

        `metadata` goes with every file, `title` and `id` with a single one. Raises `NotFound` for what is not there; a
        file that cannot be read is told in the end.
        """
        fields = {"title": title, "id": id, **options}
        request = IngestRequest.of(paths, collection or self.collection, metadata or {}, fields)
        return AsyncIngest(self._ingested(request))

    async def ingest_text(
        self, text: str, *, title: str = "", id: str = "", collection: str | None = None, **options: Any
    ) -> IngestResult:
        """Read a text as a document, and wait for it."""
        given = TextToIngest(text, title, id, collection or self.collection, options)
        return await AsyncIngest(self._text_ingested(given)).wait()

    async def export(
        self, path: str | Path, *, format: str = "nquads", rdf: str = "", collection: str | None = None
    ) -> Path:
        """Write a collection to a file: its graphs as nquads, trig, jsonld, turtle or ntriples, its facts as nanopubs,
        or all of it as an archive. `rdf="1.1"` is for readers that know no triple terms, such as rdflib. The file
        stands under its name only when it is complete."""
        route, query = calls.export(format, collection or self.collection, rdf)
        async with self._service() as service:
            with written(Path(path)) as file:
                async for piece in service.pieces(route, "*/*", **query):
                    file.write(piece)
        return Path(path)

    async def page_boxes(
        self, page: str, start: int, end: int, *, collection: str | None = None
    ) -> list[dict[str, float]]:
        """Where characters of a page stand on its picture, in shares of its width and height from its upper left
        corner: x, y, width, height. Nothing for a page without a picture. The page is read anew for it, which takes
        up to seconds."""
        try:
            call = calls.page_words(page, start, end, collection or self.collection)
            return list((await self._reply(call))["rectangles"])
        except calls.NO_PICTURE:
            return []

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
        with told_by_kind(), connection.reaching():
            if self._http is None:
                self._http = connection.async_client()
            yield AsyncService(self._http)

    async def _reply(self, call: Call[Result]) -> Result:
        async with self._service() as service:
            return await service.reply(call)

    async def _exchange(self, exchange: calls.Exchange[Result]) -> Result:
        try:
            call = next(exchange)
            while True:
                try:
                    reply = await self._reply(call)
                except ProvGraphError as error:
                    call = exchange.throw(error)
                else:
                    call = exchange.send(reply)
        except StopIteration as end:
            result: Result = end.value
            return result


class AsyncIngest:
    """An ingest that begins when it is looped over or waited for."""

    def __init__(self, steps: AsyncGenerator[IngestProgress]) -> None:
        self._steps = steps
        self._is_begun = False

    def __aiter__(self) -> AsyncIterator[IngestProgress]:
        self._is_begun = True
        return self._steps

    async def wait(self) -> IngestResult:
        """Do it, without progress. Files that could not be read are in the result's `refused`."""
        return IngestResult.of([step async for step in self])

    def __repr__(self) -> str:
        return "<AsyncIngest: loop over it for the progress, or await its .wait()>"

    def __del__(self) -> None:
        if not self._is_begun:
            warnings.warn(
                "An ingest was not begun. Loop over it, or await its .wait().", RuntimeWarning, stacklevel=2
            )
