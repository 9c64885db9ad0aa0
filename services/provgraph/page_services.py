"""What the page needs beside the routes that other clients use: its files, the ways of asking, sessions at work."""

from __future__ import annotations

from fastapi import APIRouter

from provgraph.answering.session_routes import session_router
from provgraph.answering.sessions import SessionHub
from provgraph.gateway.flow_routes import flow_router
from provgraph.ports.language_model import LanguageModel
from provgraph.web.routes import page_router


def page_routers(hub: SessionHub, explain_collection: str, model: LanguageModel | None) -> list[APIRouter]:
    return [
        page_router(),
        flow_router(model.name if model else None),
        session_router(hub, explain_collection),
    ]
