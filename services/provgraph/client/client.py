"""`provgraph.Client`: ask, verify, ingest and look up, on a folder or at an address, one call after another."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import httpx2

from provgraph.client import calls
from provgraph.client.answers import AnswerEvent, AnswerStream, AskEvent
from provgraph.client.connection import Opening, client_target
from provgraph.client.files import written
from provgraph.client.ingests import IngestProgress, IngestRequest, IngestResult, TextToIngest
from provgraph.client.sending import follow_job, send_files
from provgraph.client.service import Call, Service, ServiceProblem, raised_by_kind
from provgraph.errors import ProvGraphError, Unavailable

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")
DEFAULT_TIMEOUT_S = 300.0


def blocking(
    request: Callable[Concatenate[calls.Caller, Arguments], Call[Result] | calls.Exchange[Result]],
) -> Callable[Concatenate[Client, Arguments], Result]:
    """The method that makes such a request and waits for its result."""

    @wraps(request)
    def method(client: Client, /, *args: Arguments.args, **named: Arguments.kwargs) -> Result:
        return client._result(request(client, *args, **named))

    method.__signature__ = calls.signature_of(request)  # type: ignore[attr-defined]
    return method


class Client:
    """A client of the folder or the address `target`; without one, of what PROVGRAPH_URL and PROVGRAPH_DATA say.

    A folder needs no server: unless a service has it open, it is served in this process until the client is closed.
    `timeout` is how many seconds a service may be silent, None for ever. Every method raises errors of
    `provgraph.errors`, with the service's own words; `**options` are further fields of the HTTP request.
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
        self._http: httpx2.Client | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        with suppress(AttributeError):  # where the target was refused
            self.close()

    def __repr__(self) -> str:
        target = self._opening.target
        return f"Client({target.url or str(target.data)!r})"

    @property
    def is_remote(self) -> bool:
        """Whether it asks a service at an address, and not a folder."""
        return bool(self._opening.target.url)

    def close(self) -> None:
        """Let the folder go. What is asked afterwards opens it again."""
        if self._http:
            self._http.close()
            self._http = None
        self._opening.close()

    ask = blocking(calls.ask)
    verify = blocking(calls.verify)
    check_answer = blocking(calls.check_answer)
    retrieve = blocking(calls.retrieve)
    lineage = blocking(calls.lineage)
    why_not = blocking(calls.why_not)
    trace = blocking(calls.trace)
    traces = blocking(calls.traces)
    sparql = blocking(calls.sparql)
    documents = blocking(calls.documents)
    edit = blocking(calls.edit)
    delete = blocking(calls.delete)
    page_boxes = blocking(calls.page_boxes)

    def ask_events(
        self,
        question: str,
        *,
        flow: str = "graph-rag",
        collection: str | None = None,
        proof: bool = True,
        **options: Any,
    ) -> Iterator[AskEvent]:
        """The steps and the words of the answer as they come; the last event holds the whole answer."""
        route, body = calls.ask_request(question, collection or self.collection, flow, options)
        stream = AnswerStream(question)
        with self._service() as service:
            for _, message in service.events("POST", route, body):
                yield from stream.events(message)
        answer = stream.answer()
        if proof:
            answer = self._result(calls.with_proof(answer, body["collection"]))
        yield AnswerEvent(answer)

    def ingest(
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
        return IngestResult.of(self.ingest_events(paths, **options))

    def ingest_events(
        self,
        paths: str | Path | Iterable[str | Path],
        *,
        metadata: Mapping[str, Any] | None = None,
        collection: str | None = None,
        **options: Any,
    ) -> Iterator[IngestProgress]:
        """What `ingest` does, a step at a time: how far it is. Leaving the loop cancels the rest."""
        request = IngestRequest.of(paths, collection or self.collection, metadata or {}, options)
        return self._ingested(request)

    def ingest_text(
        self, text: str, *, title: str = "", id: str = "", collection: str | None = None, **options: Any
    ) -> IngestResult:
        """Read a text as a document, and wait for it."""
        given = TextToIngest(text, title, id, collection or self.collection, options)
        return IngestResult.of(self._text_ingested(given))

    def export(
        self, path: str | Path, *, format: str = "nquads", rdf: str = "", collection: str | None = None
    ) -> Path:
        """Write a collection to a file: its graphs as nquads, trig, jsonld, turtle or ntriples, its facts as nanopubs,
        or all of it as an archive. `rdf="1.1"` is for readers that know no triple terms, such as rdflib. The file
        stands under its name only when it is complete."""
        route, query = calls.export(format, collection or self.collection, rdf)
        with self._service() as service, written(Path(path)) as file:
            for piece in service.download(route, "*/*", **query):
                file.write(piece)
        return Path(path)

    def _ingested(self, request: IngestRequest) -> Generator[IngestProgress]:
        with self._service(create=True) as service:
            for update in send_files(service, request.files, request.form):
                yield IngestProgress.of(update, len(request.files))
            self._embed(service, request.collection)

    def _text_ingested(self, given: TextToIngest) -> Generator[IngestProgress]:
        with self._service(create=True) as service:
            job = service.reply(calls.ingest_text(given.body))
            for state, ended in follow_job(service, job):
                yield IngestProgress.of(given.update(state, ended), 1)
            self._embed(service, given.collection)

    def _embed(self, service: Service, collection: str) -> None:
        """Wait until what was ingested can be found by its sense."""
        with suppress(ServiceProblem, Unavailable):
            for _ in service.events("GET", calls.embedding_path(collection)):
                pass

    @contextmanager
    def _service(self, create: bool = False) -> Iterator[Service]:
        connection = self._opening.open(create)
        with raised_by_kind(), connection.reaching():
            if self._http is None:
                self._http = connection.client()
            yield Service(self._http)

    def _result(self, request: Call[Result] | calls.Exchange[Result]) -> Result:
        if isinstance(request, Call):
            with self._service() as service:
                return service.reply(request)
        try:
            step = next(request)
            while True:
                try:
                    reply = self._result(step) if isinstance(step, Call) else step()
                except ProvGraphError as error:
                    step = request.throw(error)
                else:
                    step = request.send(reply)
        except StopIteration as end:
            result: Result = end.value
            return result
