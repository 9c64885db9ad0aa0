"""`provgraph.Client`: ask, verify, ingest and look up, on a folder or at an address, one call after another."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import httpx2

from provgraph.client import calls
from provgraph.client.answers import AnswerEvent, AnswerStream, AskEvent, ProvedAnswer
from provgraph.client.connection import Opening, client_target
from provgraph.client.evidence import ProvedFact
from provgraph.client.ingests import IngestProgress, IngestRequest, IngestResult, TextToIngest
from provgraph.client.judgements import ProvedVerdict
from provgraph.client.problems import ServiceProblem, told_by_kind
from provgraph.client.retrieved import RetrievedEvidence
from provgraph.client.sending import follow_job, send_files
from provgraph.client.service import Call, Service
from provgraph.client.sparql_results import SparqlRows
from provgraph.client.written_files import written
from provgraph.errors import ProvGraphError, Unavailable

if TYPE_CHECKING:
    from provgraph.wire.attribution import AttributionReport
    from provgraph.wire.documents import DeletionReport, Document
    from provgraph.wire.trace import TraceSummary, TraceView, WhyNotAnswer

Result = TypeVar("Result")
DEFAULT_TIMEOUT_S = 300.0


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

    def close(self) -> None:
        """Let the folder go. What is asked afterwards opens it again."""
        if self._http:
            self._http.close()
            self._http = None
        self._opening.close()

    def ask(
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
        return self._exchange(calls.ask(question, route, body, proof))

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
            answer = self._exchange(calls.with_proof(answer, body["collection"]))
        yield AnswerEvent(answer)

    def verify(self, claim: str, *, collection: str | None = None, **options: Any) -> ProvedVerdict:
        """Whether the documents support the claim, refute it, or say too little."""
        return self._reply(calls.verify(claim, collection or self.collection, options))

    def check_answer(
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
            return calls.check_answer_here(body)
        return self._reply(calls.check_answer(body))

    def retrieve(
        self, question: str, *, limit: int = 10, collection: str | None = None, **options: Any
    ) -> RetrievedEvidence:
        """Ranked facts and chunks for a question, without an answer or a trace."""
        return self._reply(calls.retrieve(question, collection or self.collection, limit, options))

    def lineage(self, fact: str | ProvedFact, *, collection: str | None = None) -> ProvedFact:
        """The fact with every sentence that says it, and the facts that contradict it.

        It is a fact of an answer, the IRI of one in a trace or in a sentence, or "SUBJECT | RELATION | OBJECT", each a
        label or an IRI.
        """
        return self._exchange(calls.lineage(fact, collection or self.collection))

    def why_not(self, session: str, edge: str) -> WhyNotAnswer:
        """Why an edge is not behind an answer: "SUBJECT | RELATION | OBJECT", or a thing, for all edges around it."""
        return self._reply(calls.why_not(session, edge))

    def trace(self, session: str) -> TraceView:
        """How a question was answered, by the answer's `session`."""
        return self._reply(calls.trace(session))

    def traces(self, limit: int = 100) -> list[TraceSummary]:
        """Past questions, the newest first."""
        return self._reply(calls.traces(limit))

    def sparql(self, query: str, *, collection: str | None = None) -> SparqlRows:
        """The rows of a query over facts and provenance."""
        return self._reply(calls.sparql(query, collection or self.collection))

    def documents(self, *, collection: str | None = None) -> list[Document]:
        return self._reply(calls.documents(collection or self.collection))

    def delete(
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
        return self._reply(calls.delete(document, collection or self.collection, flags))

    def ingest(
        self,
        paths: str | Path | Iterable[str | Path],
        *,
        title: str = "",
        id: str = "",
        metadata: Mapping[str, Any] | None = None,
        collection: str | None = None,
        **options: Any,
    ) -> Ingest:
        """Read files and folders. Loop over what it returns for the progress, or `.wait()` for the result.

        `metadata` goes with every file, `title` and `id` with a single one. Raises `NotFound` for what is not there; a
        file that cannot be read is told in the end.
        """
        fields = {"title": title, "id": id, **options}
        request = IngestRequest.of(paths, collection or self.collection, metadata or {}, fields)
        return Ingest(self._ingested(request))

    def ingest_text(
        self, text: str, *, title: str = "", id: str = "", collection: str | None = None, **options: Any
    ) -> IngestResult:
        """Read a text as a document, and wait for it."""
        given = TextToIngest(text, title, id, collection or self.collection, options)
        return Ingest(self._text_ingested(given)).wait()

    def export(
        self, path: str | Path, *, format: str = "nquads", rdf: str = "", collection: str | None = None
    ) -> Path:
        """Write a collection to a file: its graphs as nquads, trig, jsonld, turtle or ntriples, its facts as nanopubs,
        or all of it as an archive. `rdf="1.1"` is for readers that know no triple terms, such as rdflib. The file
        stands under its name only when it is complete."""
        route, query = calls.export(format, collection or self.collection, rdf)
        with self._service() as service, written(Path(path)) as file:
            for piece in service.pieces(route, "*/*", **query):
                file.write(piece)
        return Path(path)

    def page_boxes(
        self, page: str, start: int, end: int, *, collection: str | None = None
    ) -> list[dict[str, float]]:
        """Where characters of a page stand on its picture, in shares of its width and height from its upper left
        corner: x, y, width, height. Nothing for a page without a picture. The page is read anew for it, which takes
        up to seconds."""
        try:
            call = calls.page_words(page, start, end, collection or self.collection)
            return list(self._reply(call)["rectangles"])
        except calls.NO_PICTURE:
            return []

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
        with told_by_kind(), connection.reaching():
            if self._http is None:
                self._http = connection.client()
            yield Service(self._http)

    def _reply(self, call: Call[Result]) -> Result:
        with self._service() as service:
            return service.reply(call)

    def _exchange(self, exchange: calls.Exchange[Result]) -> Result:
        try:
            call = next(exchange)
            while True:
                try:
                    reply = self._reply(call)
                except ProvGraphError as error:
                    call = exchange.throw(error)
                else:
                    call = exchange.send(reply)
        except StopIteration as end:
            result: Result = end.value
            return result


class Ingest:
    """An ingest that begins when it is looped over or waited for."""

    def __init__(self, steps: Generator[IngestProgress]) -> None:
        self._steps = steps
        self._is_begun = False

    def __iter__(self) -> Iterator[IngestProgress]:
        self._is_begun = True
        return self._steps

    def wait(self) -> IngestResult:
        """Do it, without progress. Files that could not be read are in the result's `refused`."""
        return IngestResult.of(self)

    def __repr__(self) -> str:
        return "<Ingest: loop over it for the progress, or call .wait()>"

    def __del__(self) -> None:
        if not self._is_begun:
            warnings.warn(
                "An ingest was not begun. Loop over it, or call .wait().", RuntimeWarning, stacklevel=2
            )
