"""HTTP face of the ways of asking: which there are, as the description of the service's own routes has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from anyio import to_thread
from fastapi import APIRouter, Request

from provgraph.late_routes import LateRouter
from provgraph.wire.answer import Answer
from provgraph.wire.service import FlowDescription, Flows

BY_MODEL: Final = "model"
_OWN: Final = "/api/v1/"
_SCHEMAS: Final = "#/components/schemas/"


def flow_list_router(model: str | None) -> APIRouter:
    """`model` is the name of the service's language model, if it has one."""
    router = LateRouter(prefix="/api/v1", tags=["catalogue"])

    @router.get("/flows")
    async def flows(request: Request) -> Flows:
        """The ways of asking, and what each may be told."""
        description = await to_thread.run_sync(request.app.openapi)
        return Flows(model=model, flows=list(flows_of(description, with_model=model is not None)))

    return router


def flows_of(openapi: Mapping[str, Any], *, with_model: bool) -> Iterator[FlowDescription]:
    """Every path that takes a `query` by POST and gives an `Answer` is a way of asking, but for twins that others'
    clients know."""
    for path, operations in openapi["paths"].items():
        operation = operations.get("post", {}) if path.startswith(_OWN) else {}
        if _schema_name(operation.get("responses", {}).get("200", {})) != Answer.__name__:
            continue
        schema = openapi["components"]["schemas"].get(_schema_name(operation.get("requestBody", {})), {})
        fields = schema.get("properties", {})
        if "query" in fields:
            engines = fields.get("engine", {}).get("enum", [])
            yield FlowDescription(
                name=path.rpartition("/")[2],
                title=operation.get("summary", ""),
                address=path,
                description=operation.get("description", "").partition("\n")[0],
                fields=list(fields),
                engines=[name for name in engines if name and (with_model or name != BY_MODEL)],
            )


def _schema_name(message: Mapping[str, Any]) -> str:
    """The name of the JSON that a request or response has; empty where it has none of its own."""
    reference = message.get("content", {}).get("application/json", {}).get("schema", {}).get("$ref", "")
    return str(reference).removeprefix(_SCHEMAS)
