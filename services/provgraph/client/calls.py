"""What a client asks of a service, once for both clients: requests, and how their replies are read.

What takes several requests is an `Exchange`: a generator that gives a request, is sent what its reply was read as, and
returns the result. The blocking client and the other run it, each in its own way.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import quote

import httpx2

from provgraph.client.answers import ProvedAnswer
from provgraph.client.evidence import Json, ProvedFact
from provgraph.client.judgements import ProvedVerdict
from provgraph.client.retrieved import RetrievedEvidence
from provgraph.client.service import Call
from provgraph.client.sparql_results import ACCEPTED, SparqlRows
from provgraph.errors import Conflict, InvalidInput, NotFound, ProvGraphError

if TYPE_CHECKING:  # slow to import
    from provgraph.wire.attribution import AttributionReport
    from provgraph.wire.documents import DeletionReport, Document
    from provgraph.wire.trace import TraceSummary, TraceView, WhyNotAnswer

Result = TypeVar("Result")
Exchange = Generator[Call[Any], Any, Result]
Options = Mapping[str, Any]

NO_PICTURE: Final = (NotFound, InvalidInput, Conflict)
"""What a service answers of a page that has no picture, or whose words have no sure places on it."""
FLOWS: Final = "/api/v1"
_EDGE: Final = "urn:trustgraph:prov:edge:"
_REIFIES: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies"
_SESSION: Final = "urn:trustgraph:session:"


def ask_request(question: str, collection: str, flow: str, options: Options) -> tuple[str, dict[str, Any]]:
    """The route of a flow and the body of a question to it."""
    return f"{FLOWS}/{quote(flow, safe='')}", {"query": question, "collection": collection, **options}


def ask(question: str, route: str, body: Json, proof: bool) -> Exchange[ProvedAnswer]:
    told = yield Call("POST", route, _json, {"json": body})
    answer = ProvedAnswer.of(question, told)
    return (yield from with_proof(answer, str(body["collection"]))) if proof else answer


def with_proof(answer: ProvedAnswer, collection: str) -> Exchange[ProvedAnswer]:
    """The answer with its trace, and its sources with what stands around them."""
    trace = yield Call("GET", _trace_path(answer.session), _json)
    pages = {}
    for page in {source.page_iri for source in answer.sources}:
        try:
            pages[page] = yield page_text(page, collection)
        except ProvGraphError:
            continue  # the document went meanwhile
    return answer.proved(trace).with_context(pages)


def page_text(page: str, collection: str) -> Call[str]:
    query = {"id": page, "collection": collection}
    return Call("GET", "/api/v1/documents/content", _text, {"params": query}, accept="text/plain")


def verify(claim: str, collection: str, options: Options) -> Call[ProvedVerdict]:
    def read(response: httpx2.Response) -> ProvedVerdict:
        return ProvedVerdict.of(claim, response.json())

    body = {"claim": claim, "collection": collection, **options}
    return Call("POST", f"{FLOWS}/verify", read, {"json": body})


def attribution_request(
    text: str, sources: Sequence[str | Json] | None, collection: str, options: Options
) -> dict[str, Any]:
    """The body of a check; sources that are plain texts are named by their numbers, from 1."""
    if sources is None:
        return {"text": text, "collection": collection, **options}
    named = [
        {"id": str(number), "text": each} if isinstance(each, str) else dict(each)
        for number, each in enumerate(sources, 1)
    ]
    return {"text": text, "sources": named, **options}


def check_answer(body: Json) -> Call[AttributionReport]:
    return Call(
        "POST", "/api/v1/attribution", lambda response: attribution_report(response.json()), {"json": body}
    )


def attribution_report(told: Json) -> AttributionReport:
    from provgraph.wire.attribution import AttributionReport

    return AttributionReport.model_validate(told)


def check_answer_here(body: Json) -> AttributionReport:
    """What the route says of sources that are given, judged in this thread: these need no folder."""
    from provgraph.flows.attribution.routes import given_check  # slow to import

    *messages, (_, summary) = given_check(body)
    claims = [message for name, message in messages if name == "claim"]
    return attribution_report({"claims": claims, "summary": summary})


def retrieve(question: str, collection: str, limit: int, options: Options) -> Call[RetrievedEvidence]:
    def read(response: httpx2.Response) -> RetrievedEvidence:
        return RetrievedEvidence.of(question, response.json())

    body = {"query": question, "collection": collection, "limit": limit, "sources": True, **options}
    return Call("POST", f"{FLOWS}/retrieve", read, {"json": body})


def lineage(fact: str | ProvedFact, collection: str) -> Exchange[ProvedFact]:
    """Of a fact as it was given, the IRI of one in a trace or of one in a sentence, or "SUBJECT | RELATION | OBJECT" in
    labels or IRIs."""
    if isinstance(fact, str) and fact.startswith(_EDGE):
        session = _SESSION + fact.removeprefix(_EDGE).partition(":")[0]
        view = yield Call("GET", f"{_trace_path(session)}/why-not", _json, {"params": {"edge": fact}})
        fact = ProvedFact.of(view["edges"][0])
    elif isinstance(fact, str) and ":" in fact and not set(fact) & set("| "):
        fact = yield _fact_of(fact, collection)
    named = fact.split("|", 2) if isinstance(fact, str) else fact.terms
    parts = tuple(part.strip() for part in named)
    if len(parts) != 3:
        raise InvalidInput(
            f"{str(fact)[:200]!r} is no fact. Write SUBJECT | RELATION | OBJECT, or give a fact of an answer."
        )
    query = dict(zip("spo", parts, strict=True), collection=collection)
    found: ProvedFact = yield Call("GET", "/api/v1/lineage", _fact, {"params": query})
    return found


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
        raise InvalidInput(f"{quotation[:200]!r} is no IRI. Give that of a fact.")
    query = f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH ?g {{ <{quotation}> <{_REIFIES}> <<( ?s ?p ?o )>> }} }}"
    options = {"content": query.encode(), "params": {"collection": collection}}
    return Call("POST", "/sparql", read, options, "application/n-triples", "application/sparql-query")


def trace(session: str) -> Call[TraceView]:
    def read(response: httpx2.Response) -> TraceView:
        from provgraph.wire.trace import TraceView

        return TraceView.model_validate(response.json())

    return Call("GET", _trace_path(session), read)


def traces(limit: int) -> Call[list[TraceSummary]]:
    def read(response: httpx2.Response) -> list[TraceSummary]:
        from provgraph.wire.trace import TraceSummary

        return [TraceSummary.model_validate(each) for each in response.json()]

    return Call("GET", "/api/v1/traces", read, {"params": {"limit": limit}})


def why_not(session: str, edge: str) -> Call[WhyNotAnswer]:
    def read(response: httpx2.Response) -> WhyNotAnswer:
        from provgraph.wire.trace import WhyNotAnswer

        return WhyNotAnswer.model_validate(response.json())

    return Call("GET", f"{_trace_path(session)}/why-not", read, {"params": {"edge": edge}})


def sparql(query: str, collection: str) -> Call[SparqlRows]:
    options = {"content": query.encode(), "params": {"collection": collection}}
    return Call("POST", "/sparql", SparqlRows.of, options, ACCEPTED, "application/sparql-query")


def documents(collection: str) -> Call[list[Document]]:
    def read(response: httpx2.Response) -> list[Document]:
        from provgraph.wire.documents import Document

        return [Document.model_validate(each) for each in response.json()]

    return Call("GET", "/api/v1/documents", read, {"params": {"collection": collection}})


def delete(document: str, collection: str, flags: Mapping[str, bool]) -> Call[DeletionReport]:
    def read(response: httpx2.Response) -> DeletionReport:
        from provgraph.wire.documents import DeletionReport

        return DeletionReport.model_validate(response.json())

    query = {"id": document, "collection": collection} | {
        name: "true" for name, is_set in flags.items() if is_set
    }
    return Call("DELETE", "/api/v1/documents", read, {"params": query})


def page_words(page: str, start: int, end: int, collection: str) -> Call[Json]:
    """Where words of a page stand on its picture: `rectangles` in shares of its width and height."""
    query = {"id": page, "start": start, "end": end, "collection": collection}
    return Call("GET", "/api/v1/documents/page/words", _json, {"params": query})


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


def _fact(response: httpx2.Response) -> ProvedFact:
    return ProvedFact.of(response.json())
