"""The tools, resources and prompts that agents get."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import quote

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from provgraph import __version__
from provgraph.errors import InvalidInput, ProvGraphError
from provgraph.gateway.mcp.results import AnswerResult, ClaimResult, answered, verified
from provgraph.gateway.mcp.routes import ServiceApi

Json = dict[str, Any]
FlowPath = Literal["graph-rag", "document-rag", "extractive", "kgqa", "passages", "research"]
READS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
"""Of tools that change nothing but the record of what was asked."""
ADDS: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
DELETES: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)
INSTRUCTIONS: Final = (
    "Answers from documents, each sentence with the exact words it stands on. Ask with `ask`; cite the sources that "
    "it gives. Check a statement with `verify`, a whole text with `check_answer`. Where the outcome is refused, the "
    "documents do not say it: do not fill it in."
)
_POLL_S: Final = 0.2

Collection = Annotated[
    str, Field(description="The collection of documents; 'default' unless others were made.")
]


def mcp_server(api: ServiceApi, *, files: bool) -> MCPServer:
    """A server over the routes of `api`; with `files`, documents of this machine may be ingested by their paths."""
    with _own_logging():
        server: MCPServer = MCPServer(
            "provgraph", "ProvGraph", instructions=INSTRUCTIONS, version=__version__
        )
    calls = _Calls(api)
    _add_questions(server, calls)
    _add_provenance(server, calls)
    _add_documents(server, calls, files=files)
    _add_resources(server, calls)
    _add_prompts(server)
    return server


@contextmanager
def _own_logging() -> Iterator[None]:
    """Leave the process its log: the SDK adds a handler of its own, which tells of each request in several lines, and
    neither counts lines that repeat nor takes out passwords."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)


class _Calls:
    """Calls of the service; a problem is told to the agent as the service tells it."""

    def __init__(self, api: ServiceApi) -> None:
        self._api = api

    async def json(
        self,
        context: Context,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        **query: str,
    ) -> Any:
        try:
            return await self._api.json(method, path, body, query, context.headers)
        except ProvGraphError as error:
            raise ToolError(str(error)) from error

    async def text(self, context: Context, path: str, **query: str) -> str:
        try:
            return await self._api.text(path, query, context.headers)
        except ProvGraphError as error:
            raise ToolError(str(error)) from error

    async def object(
        self, context: Context, method: str, path: str, body: Mapping[str, Any] | None = None, **query: str
    ) -> Json:
        """The same of a route that replies with a JSON object."""
        reply: Json = await self.json(context, method, path, body, **query)
        return reply


def _add_questions(server: MCPServer, calls: _Calls) -> None:
    @server.tool(title="Ask the documents", annotations=READS)
    async def ask(
        query: Annotated[str, Field(description="The question, in plain words.")],
        context: Context,
        collection: Collection = "default",
        flow: Annotated[
            FlowPath, Field(description="How to answer; graph-rag tries all it has.")
        ] = "graph-rag",
        history: Annotated[
            list[Json], Field(description='Turns before: {"question": …, "answer": …}, for follow-ups.')
        ] = [],  # noqa: B006  (the schema's default; never changed)
    ) -> AnswerResult:
        """Answer a question from the documents, each sentence with the exact words it stands on; or refuse."""
        body = {"query": query, "collection": collection, "history": history}
        return answered(await calls.json(context, "POST", f"/api/v1/{flow}", body))

    @server.tool(title="Check a claim", annotations=READS)
    async def verify(
        claim: Annotated[str, Field(description="A plain statement.")],
        context: Context,
        collection: Collection = "default",
    ) -> ClaimResult:
        """Judge a statement by the documents: SUPPORTS, REFUTES or NOT ENOUGH INFO, part by part, with the words."""
        body = {"claim": claim, "collection": collection}
        return verified(await calls.json(context, "POST", "/api/v1/verify", body))

    @server.tool(title="Check a text", annotations=READS)
    async def check_answer(
        text: Annotated[str, Field(description="What anybody wrote, with or without citations.")],
        context: Context,
        collection: Annotated[
            str, Field(description="Checked against this collection, where no sources are given.")
        ] = "default",
        sources: Annotated[
            list[Json], Field(description='Texts to check against instead: {"id": …, "text": …}.')
        ] = [],  # noqa: B006
    ) -> Json:
        """Split a text into claims and judge each by its sources; gives verdicts, elements and exact spans."""
        against = {"sources": sources} if sources else {"collection": collection}
        return await calls.object(context, "POST", "/api/v1/attribution", {"text": text, **against})

    @server.tool(title="Search", annotations=READS)
    async def retrieve(
        query: Annotated[str, Field(description="What to look for, in plain words.")],
        context: Context,
        collection: Collection = "default",
        limit: Annotated[int, Field(ge=1, le=100)] = 10,
    ) -> Json:
        """Rank facts, chunks and documents for a question, without answering it."""
        body = {"query": query, "collection": collection, "limit": limit}
        return await calls.object(context, "POST", "/api/v1/retrieve", body)


def _add_provenance(server: MCPServer, calls: _Calls) -> None:
    @server.tool(title="Where a fact comes from", annotations=READS)
    async def lineage(
        subject: str,
        relation: str,
        object: str,
        context: Context,
        collection: Collection = "default",
    ) -> Json:
        """Every sentence that says a fact (in labels or IRIs), who read it there, and what contradicts it."""
        return await calls.object(
            context, "GET", "/api/v1/lineage", s=subject, p=relation, o=object, collection=collection
        )

    @server.tool(title="How an answer came about", annotations=READS)
    async def trace(
        session: Annotated[str, Field(description="The session of an answer.")], context: Context
    ) -> Json:
        """The recorded steps of an answer: retrieval, selection with reasons, derivation, sentences, sources."""
        return await calls.object(context, "GET", f"/api/v1/traces/{quote(session, safe='')}")

    @server.tool(title="Why a fact was not used", annotations=READS)
    async def why_not(
        session: str,
        edge: Annotated[str, Field(description="SUBJECT | RELATION | OBJECT in labels or IRIs.")],
        context: Context,
    ) -> Json:
        """Why an answer does not stand on a fact: not retrieved, passed over, or contradicted."""
        return await calls.object(
            context, "GET", f"/api/v1/traces/{quote(session, safe='')}/why-not", edge=edge
        )

    @server.tool(title="Query the graph", annotations=READS)
    async def sparql(
        query: Annotated[str, Field(description="A SELECT or ASK query over facts and provenance.")],
        context: Context,
        collection: Collection = "default",
    ) -> Json:
        """Run a SPARQL query (RDF 1.2: quoted edges as <<( s p o )>>) over the facts and their provenance."""
        return await calls.object(context, "GET", "/sparql", query=query, collection=collection)


def _add_documents(server: MCPServer, calls: _Calls, *, files: bool) -> None:
    @server.tool(title="List documents", annotations=READS)
    async def documents(context: Context, collection: Collection = "default") -> list[Json]:
        """The documents of a collection, with their ids, file names and titles."""
        found: list[Json] = await calls.json(context, "GET", "/api/v1/documents", collection=collection)
        return found

    @server.tool(title="Add a document", annotations=ADDS)
    async def ingest(
        context: Context,
        name: Annotated[str, Field(description="File name with its ending, as report.md.")] = "",
        text: Annotated[str, Field(description="The document, where it is text.")] = "",
        content_base64: Annotated[
            str, Field(description="The document, where it is a PDF, DOCX or XLSX.")
        ] = "",
        path: Annotated[
            str, Field(description="A file of this machine, where the server runs beside you.")
        ] = "",
        collection: Collection = "default",
    ) -> Json:
        """Read a document into a collection, and wait until it can be asked. Progress is told as it is read."""
        body = {**await _content(name, text, content_base64, path, files=files), "collection": collection}
        job = await calls.json(context, "POST", "/api/v1/documents", body)
        return await _finished(calls, context, job["id"])

    @server.tool(title="Delete a document", annotations=DELETES)
    async def delete(
        document: Annotated[str, Field(description="Its id, file name or title.")],
        context: Context,
        collection: Collection = "default",
    ) -> Json:
        """Delete a document and everything that was extracted from it. What other documents say stays."""
        return await calls.object(
            context, "DELETE", "/api/v1/documents", id=document, collection=collection, by="MCP client"
        )


async def _content(name: str, text: str, content: str, path: str, *, files: bool) -> Json:
    """A document as the route for documents takes it."""
    try:
        if path and not files:
            raise InvalidInput(
                "This server runs elsewhere and sees no files of yours. Send text or content_base64."
            )
        if path:
            read = await anyio.Path(path).expanduser()
            content = base64.b64encode(await read.read_bytes()).decode()
            name = name or Path(path).name
        if not content and not text:
            raise InvalidInput("There is no document. Send its text, content_base64 or path.")
    except (OSError, InvalidInput) as error:
        raise ToolError(str(error)) from error
    if content:
        return {"content": content, "name": name or "document"}
    return {"text": text, "name": name or "document.txt"}


async def _finished(calls: _Calls, context: Context, job: str) -> Json:
    """A job at its end; its progress is told while it runs."""
    while True:
        state = await calls.object(context, "GET", f"/api/v1/jobs/{job}")
        if state["state"] not in ("queued", "running"):
            return {
                name: state.get(name) for name in ("state", "collection", "documents", "refused", "failed")
            }
        done, total = state.get("chunks_done", 0), state.get("chunks_total", 0)
        await context.report_progress(done, total or None, state.get("file") or None)
        await anyio.sleep(_POLL_S)


def _add_resources(server: MCPServer, calls: _Calls) -> None:
    @server.resource("provgraph://{collection}/documents", mime_type="application/json")
    async def collection_documents(collection: str, context: Context) -> str:
        """The documents of a collection."""
        found = await calls.json(context, "GET", "/api/v1/documents", collection=collection)
        return json.dumps(found, ensure_ascii=False)

    @server.resource("provgraph://{collection}/documents/{document}", mime_type="application/json")
    async def one_document(collection: str, document: str, context: Context) -> str:
        """A document, by its percent-encoded id or file name: its pages, chunks and facts, each with its position."""
        found = await calls.json(context, "GET", "/api/v1/documents", id=document, collection=collection)
        return json.dumps(found, ensure_ascii=False)

    @server.resource("provgraph://{collection}/pages/{page}", mime_type="text/plain")
    async def page_text(collection: str, page: str, context: Context) -> str:
        """The text of a page, by its percent-encoded id, in whose characters sources tell `start` and `end`."""
        return await calls.text(context, "/api/v1/documents/content", id=page, collection=collection)

    @server.resource("provgraph://traces/{session}", mime_type="application/json")
    async def one_trace(session: str, context: Context) -> str:
        """How an answer came about."""
        found = await calls.json(context, "GET", f"/api/v1/traces/{session}")
        return json.dumps(found, ensure_ascii=False)


def _add_prompts(server: MCPServer) -> None:
    @server.prompt(title="Answer with proof")
    def answer_with_proof(question: str) -> str:
        """Answer a question from the documents alone, with every source."""
        return (
            f"Answer this question with the tool `ask` alone: {question}\n"
            "Give the short answer first, then each sentence with its file, page and quoted words. Where the documents "
            "do not say it, say so; add nothing of your own."
        )

    @server.prompt(title="Check facts")
    def check_facts(text: str) -> str:
        """Check each statement of a text against the documents."""
        return (
            "Check this text with the tool `check_answer`, and list each claim with its verdict, the part that is "
            f"contradicted or missing, and the words that decide:\n\n{text}"
        )
