"""HTTP face of document-rag: `POST` and `GET /api/v1/document-rag`, as a stream of events or as one JSON."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from provgraph.flows.document_rag.pipeline import DocumentQuestion, DocumentRag
from provgraph.flows.runner.events import Event
from provgraph.flows.runner.responses import Answers, Asked, asked
from provgraph.flows.runner.sessions import SessionHub
from provgraph.late_routes import LateRouter
from provgraph.wire.answer import Answer, AskDocumentsRequest, question_text


def document_rag_router(service: DocumentRag, hub: SessionHub) -> APIRouter:
    """Routes over one service; `hub` owns the sessions that run."""
    router = LateRouter(prefix="/api/v1", tags=["document-rag"])
    answers = Answers(hub, service.explain_collection)

    @router.post("/document-rag", response_model=Answer, summary="Answer from passages")
    async def ask_documents(body: AskDocumentsRequest, how: Annotated[Asked, Depends(asked)]) -> Response:
        """Answer a question from chunks of documents, as a stream with `Accept: text/event-stream`."""
        return await answers.response(how, lambda: _begun(service, body))

    @router.get("/document-rag", response_model=Answer)
    async def ask_documents_by_get(
        body: Annotated[AskDocumentsRequest, Query()], how: Annotated[Asked, Depends(asked)]
    ) -> Response:
        """The same, for `EventSource`, which can only GET."""
        return await answers.response(how, lambda: _begun(service, body))

    return router


async def _begun(service: DocumentRag, body: AskDocumentsRequest) -> AsyncGenerator[Event]:
    """A wrong choice is told before there is a session."""
    question = DocumentQuestion(
        question_text(body.query),
        body.collection,
        body.method,
        body.doc_limit,
        body.fetch_limit,
        body.engine,
    )
    return service.answer(await service.resolved(question))
