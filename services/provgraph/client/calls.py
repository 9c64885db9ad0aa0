"""What a client asks of a service, once for both clients: each method's parameters, requests and results.

A method is a `Call`, or an `Exchange` where it takes several: a generator that gives a step, is sent its result, and
returns the whole. `provgraph.Client` takes the steps one after another, `provgraph.AsyncClient` awaits them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar
from urllib.parse import quote

import httpx2

from provgraph.client.answers import ProvedAnswer, ProvedVerdict
from provgraph.client.evidence import Json, ProvedFact, RetrievedEvidence
from provgraph.client.service import Call
from provgraph.client.sparql_results import ACCEPTED, SparqlRows
from provgraph.errors import Conflict, InvalidInput, NotFound, ProvGraphError

if TYPE_CHECKING:  # slow to import
    from provgraph.wire.attribution import AttributionReport
    from provgraph.wire.documents import DeletionReport, Document
    from provgraph.wire.trace import TraceSummary, TraceView, WhyNotAnswer

Result = TypeVar("Result")
Step = Call[Any] | Callable[[], Any]
"""A request, or work of this process, which needs no service."""
Exchange = Generator[Step, Any, Result]
Options = Mapping[str, Any]


_RESULT: Final = re.compile(r"^\w+\[(.*)\]")


def signature_of(request: Callable[..., Any]) -> inspect.Signature:
    """The signature of the method that such a request is: it returns the request's result."""
    own = inspect.signature(request)
    return own.replace(return_annotation=_RESULT.sub(r"\1", str(own.return_annotation)))


class Caller(Protocol):
    """The client that asks: `collection` is asked where no other is named."""

    collection: str

    @property
    def is_remote(self) -> bool:
        """Whether it asks a service at an address, and not a folder."""
        ...


NO_PICTURE: Final = (NotFound, InvalidInput, Conflict)
"""What a service answers of a page that has no picture, or whose words have no sure places on it."""
FLOWS: Final = "/api/v1"
_EDGE: Final = "urn:trustgraph:prov:edge:"
_REIFIES: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies"
_SESSION: Final = "urn:trustgraph:session:"


def ask(
    client: Caller,
    /,
    question: str,
    *,
    flow: str = "graph-rag",
    collection: str | None = None,
    proof: bool = True,
    **options: Any,
) -> Exchange[ProvedAnswer]:
    """The answer, with its proof unless that is not wanted, which saves two requests or more."""
    route, body = ask_request(question, collection or client.collection, flow, options)
    answer = ProvedAnswer.of(question, (yield Call("POST", route, _json, {"json": body})))
    return (yield from with_proof(answer, body["collection"])) if proof else answer


def ask_request(question: str, collection: str, flow: str, options: Options) -> tuple[str, dict[str, Any]]:
    """The route of a flow and the body of a question to it."""
    return f"{FLOWS}/{quote(flow, safe='')}", {"query": question, "collection": collection, **options}


def with_proof(answer: ProvedAnswer, collection: str) -> Exchange[ProvedAnswer]:
    """The answer with its trace, and its sources with what stands around them."""
    trace = yield Call("GET", _trace_path(answer.session), _json)
    pages = {}
    for page in {source.page_iri for source in answer.sources}:
        query = {"id": page, "collection": collection}
        try:
            pages[page] = yield Call(
                "GET", "/api/v1/documents/content", _text, {"params": query}, accept="text/plain"
            )
        except ProvGraphError:
            continue  # the document went meanwhile
    return answer.proved(trace).with_context(pages)


def verify(
    client: Caller, /, claim: str, *, collection: str | None = None, **options: Any
) -> Call[ProvedVerdict]:
    """Whether the documents support the claim, refute it, or say too little."""
    body = {"claim": claim, "collection": collection or client.collection, **options}
    return Call(
        "POST", f"{FLOWS}/verify", lambda reply: ProvedVerdict.of(claim, reply.json()), {"json": body}
    )


def check_answer(
    client: Caller,
    /,
    text: str,
    sources: Sequence[str | Mapping[str, str]] | None = None,
    *,
    collection: str | None = None,
    **options: Any,
) -> Exchange[AttributionReport]:
    """A verdict on every claim of a text: by `sources`, texts or mappings with `id`, `text` and perhaps `title`;
    without them by the documents of a collection. Citation [1] is the first source."""
    if sources is None:
        against: dict[str, Any] = {"collection": collection or client.collection}
    else:
        named = (
            {"id": str(number), "text": each} if isinstance(each, str) else dict(each)
            for number, each in enumerate(sources, 1)
        )
        against = {"sources": list(named)}
    body = {"text": text, **against, **options}
    if sources is not None and not client.is_remote:
        told = yield partial(_check_here, body)
    else:
        told = yield Call("POST", "/api/v1/attribution", _json, {"json": body})
    from provgraph.wire.attribution import AttributionReport

    return AttributionReport.model_validate(told)


def _check_here(body: Json) -> dict[str, Any]:
    """What the route says of sources that are given: these need no folder."""
    from provgraph.flows.attribution.routes import given_check  # slow to import

    *messages, (_, summary) = given_check(body)
    claims = [message for name, message in messages if name == "claim"]
    return {"claims": claims, "summary": summary}


def retrieve(
    client: Caller, /, question: str, *, limit: int = 10, collection: str | None = None, **options: Any
) -> Call[RetrievedEvidence]:
    """Ranked facts and chunks for a question, without an answer or a trace."""

    def read(response: httpx2.Response) -> RetrievedEvidence:
        return RetrievedEvidence.of(question, response.json())

    own = {"query": question, "collection": collection or client.collection, "limit": limit, "sources": True}
    return Call("POST", f"{FLOWS}/retrieve", read, {"json": {**own, **options}})


def lineage(
    client: Caller, /, fact: str | ProvedFact, *, collection: str | None = None
) -> Exchange[ProvedFact]:
    """The fact with every sentence that says it, and the facts that contradict it.

    It is a fact of an answer, the IRI of one in a trace or in a sentence, or "SUBJECT | RELATION | OBJECT", each a
    label or an IRI.
    """
    asked = collection or client.collection
    if isinstance(fact, str) and fact.startswith(_EDGE):
        session = _SESSION + fact.removeprefix(_EDGE).partition(":")[0]
        view = yield Call("GET", f"{_trace_path(session)}/why-not", _json, {"params": {"edge": fact}})
        fact = ProvedFact.of(view["edges"][0])
    elif isinstance(fact, str) and ":" in fact and not set(fact) & set("| "):
        fact = yield _fact_of(fact, asked)
    named = fact.split("|", 2) if isinstance(fact, str) else fact.terms
    parts = tuple(part.strip() for part in named)
    if len(parts) != 3:
        raise InvalidInput(
            f"{str(fact)[:200]!r} is not a fact. Write SUBJECT | RELATION | OBJECT, or give a fact of an answer."
        )
    query = dict(zip("spo", parts, strict=True), collection=asked)
    return ProvedFact.of((yield Call("GET", "/api/v1/lineage", _json, {"params": query})))


def _fact_of(quotation: str, collection: str) -> Call[str]:
    """The fact that an IRI of the source graph stands for, as "SUBJECT | RELATION | OBJECT" in N-Triples."""

    def read(response: httpx2.Response) -> str:
        statement = response.text.strip().partition("\n")[0].removesuffix(".").strip()
        if not statement:
            raise NotFound(
                f"No fact of the collection {collection} has the IRI {quotation}. Give one of an answer."
            )
        return " | ".join(statement.split(" ", 2))

    if set(quotation) & set('<>"{}^`\\'):
        raise InvalidInput(f"{quotation[:200]!r} is not an IRI. Give the IRI of a fact.")
    query = f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH ?g {{ <{quotation}> <{_REIFIES}> <<( ?s ?p ?o )>> }} }}"
    options = {"content": query.encode(), "params": {"collection": collection}}
    return Call("POST", "/sparql", read, options, "application/n-triples", "application/sparql-query")


def trace(client: Caller, /, session: str) -> Call[TraceView]:  # noqa: ARG001  (sessions are of no collection)
    """How a question was answered, by the answer's `session`."""

    def read(response: httpx2.Response) -> TraceView:
        from provgraph.wire.trace import TraceView

        return TraceView.model_validate(response.json())

    return Call("GET", _trace_path(session), read)


def traces(client: Caller, /, limit: int = 100) -> Call[list[TraceSummary]]:  # noqa: ARG001
    """Past questions, the newest first."""

    def read(response: httpx2.Response) -> list[TraceSummary]:
        from provgraph.wire.trace import TraceSummary

        return [TraceSummary.model_validate(each) for each in response.json()]

    return Call("GET", "/api/v1/traces", read, {"params": {"limit": limit}})


def why_not(client: Caller, /, session: str, edge: str) -> Call[WhyNotAnswer]:  # noqa: ARG001
    """Why an edge is not behind an answer: "SUBJECT | RELATION | OBJECT", or a thing, for all edges around it."""

    def read(response: httpx2.Response) -> WhyNotAnswer:
        from provgraph.wire.trace import WhyNotAnswer

        return WhyNotAnswer.model_validate(response.json())

    return Call("GET", f"{_trace_path(session)}/why-not", read, {"params": {"edge": edge}})


def sparql(client: Caller, /, query: str, *, collection: str | None = None) -> Call[SparqlRows]:
    """The rows of a query over facts and provenance."""
    options = {"content": query.encode(), "params": {"collection": collection or client.collection}}
    return Call("POST", "/sparql", SparqlRows.of, options, ACCEPTED, "application/sparql-query")


def documents(client: Caller, /, *, collection: str | None = None) -> Call[list[Document]]:
    """The documents of a collection."""

    def read(response: httpx2.Response) -> list[Document]:
        from provgraph.wire.documents import Document

        return [Document.model_validate(each) for each in response.json()]

    query = {"collection": collection or client.collection}
    return Call("GET", "/api/v1/documents", read, {"params": query})


def edit(
    client: Caller,
    /,
    document: str,
    *,
    title: str = "",
    metadata: Mapping[str, Any] | None = None,
    collection: str | None = None,
) -> Call[None]:
    """Give a document, by the name of its file, its title or its IRI, another title, or this metadata in the place of
    all that it has; what is not given stays."""
    body = {
        "document": document,
        "title": title,
        "metadata": metadata,
        "collection": collection or client.collection,
    }
    return Call("PUT", "/api/v1/documents/metadata", lambda _: None, {"json": body})


def delete(
    client: Caller,
    /,
    document: str,
    *,
    collection: str | None = None,
    dry_run: bool = False,
    redact: bool = False,
    erase: bool = False,
) -> Call[DeletionReport]:
    """Delete a document, by the name of its file, its title or its IRI, and everything that only it says.

    With `redact` also the answers that stood on it, with `erase` also from every file; with `dry_run` nothing, but
    what would go is told.
    """

    def read(response: httpx2.Response) -> DeletionReport:
        from provgraph.wire.documents import DeletionReport

        return DeletionReport.model_validate(response.json())

    flags = {"dry_run": dry_run, "redact": redact, "erase": erase}
    query = {"id": document, "collection": collection or client.collection}
    query |= {name: "true" for name, is_set in flags.items() if is_set}
    return Call("DELETE", "/api/v1/documents", read, {"params": query})


def page_boxes(
    client: Caller, /, page: str, start: int, end: int, *, collection: str | None = None
) -> Exchange[list[dict[str, float]]]:
    """Where characters of a page stand on its picture, in shares of its width and height from its upper left
    corner: x, y, width, height. Nothing for a page without a picture. The page is read anew for it, which takes
    up to seconds."""
    query = {"id": page, "start": start, "end": end, "collection": collection or client.collection}
    try:
        found = yield Call("GET", "/api/v1/documents/page/words", _json, {"params": query})
    except NO_PICTURE:
        return []
    return list(found["rectangles"])


def ingest_text(body: Json) -> Call[dict[str, Any]]:
    return Call("POST", "/api/v1/documents", _json, {"json": body})


RDF_FORMATS: Final = ("nquads", "trig", "jsonld", "turtle", "ntriples")
EXPORTS: Final = {
    **{form: ("/api/v1/export", {"format": form}) for form in RDF_FORMATS},
    "nanopubs": ("/api/v1/nanopubs", {}),
    "archive": ("/api/v1/archive", {}),
}


def export(form: str, collection: str, rdf: str = "") -> tuple[str, dict[str, str]]:
    """The path and query of an export. Raises `InvalidInput` for a form that there is not."""
    if form not in EXPORTS:
        raise InvalidInput(f"There is no export as {form!r}. Choose one of {', '.join(EXPORTS)}.")
    path, query = EXPORTS[form]
    version = {"rdf": rdf} if rdf and form in RDF_FORMATS else {}
    return path, {**query, **version, "collection": collection}


def embedding_path(collection: str) -> str:
    return f"/api/v1/embedding?collection={quote(collection)}"


def _trace_path(session: str) -> str:
    return f"/api/v1/traces/{quote(session, safe=':')}"


def _json(response: httpx2.Response) -> Any:
    return response.json()


def _text(response: httpx2.Response) -> str:
    return response.text
