"""`/docs`, `/openapi.json` and `/api/v1/flows`: what routes there are, from the app's OpenAPI description.

The page is one HTML file without a script, so that nothing of others is served and nothing is loaded from elsewhere.
The description is made in a thread, when it is first asked for: it takes a third of a second.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from typing import Any, Final

from anyio import to_thread
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import HTMLResponse

from provgraph.late_routes import LateRouter
from provgraph.wire.addresses import DESCRIPTION_PATH, REFERENCE_PATH
from provgraph.wire.answer import Answer
from provgraph.wire.service import FlowDescription, Flows

Json = Mapping[str, Any]

_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
h2 { border-bottom: 1px solid; margin-top: 2.5rem; }
h3 { font: 600 1rem/1.4 ui-monospace, monospace; margin-bottom: .25rem; overflow-wrap: anywhere; }
h3 span { display: inline-block; min-width: 4.5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .25rem .5rem .25rem 0; text-align: left; vertical-align: top; }
td:first-child { width: 14rem; }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
""".strip()
_SHA_256: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
REFERENCE_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        f"style-src 'sha256-{_SHA_256}'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)


def reference_router() -> APIRouter:
    router = LateRouter(include_in_schema=False)
    made: dict[Callable[[FastAPI], bytes], bytes] = {}

    def description_text(app: FastAPI) -> bytes:
        return json.dumps(app.openapi(), ensure_ascii=False).encode()

    def reference_text(app: FastAPI) -> bytes:
        return reference_page(app.openapi()).encode()

    async def text(request: Request, make: Callable[[FastAPI], bytes]) -> bytes:
        if make not in made:
            made[make] = await to_thread.run_sync(make, request.app)
        return made[make]

    @router.api_route(DESCRIPTION_PATH, methods=["GET", "HEAD"])
    async def description(request: Request) -> Response:
        """The OpenAPI description of all routes."""
        return Response(await text(request, description_text), media_type="application/json")

    @router.api_route(REFERENCE_PATH, methods=["GET", "HEAD"])
    async def reference(request: Request) -> Response:
        """The same, to be read."""
        headers = {"Content-Security-Policy": REFERENCE_POLICY}
        return HTMLResponse(await text(request, reference_text), headers=headers)

    return router


def reference_page(openapi: Json) -> str:
    """The reference as an HTML page: each operation under its tag, with its parameters, fields and responses."""
    info = openapi["info"]
    title = escape(info["title"])
    sections = "".join(_section(tag, operations) for tag, operations in _by_tag(openapi).items())
    schemas = "".join(_schema(name, schema) for name, schema in _schemas(openapi).items())
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}: routes</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>'
        f"<body><h1>{title} {escape(info['version'])}</h1><p>{escape(info.get('summary', ''))}</p>"
        f'<p>For programs: <a href="{DESCRIPTION_PATH}"><code>{DESCRIPTION_PATH}</code></a> (OpenAPI '
        f"{escape(openapi['openapi'])}). "
        "A service with a token asks for it as <code>Authorization: Bearer …</code>.</p>"
        f'{sections}<h2 id="messages">Messages</h2>{schemas}</body></html>\n'
    )


def _by_tag(openapi: Json) -> dict[str, list[str]]:
    tagged: dict[str, list[str]] = {}
    for path, operations in openapi["paths"].items():
        for method, operation in operations.items():
            tagged.setdefault(operation.get("tags", ["others"])[0], []).append(
                _operation(path, method, operation)
            )
    return tagged


def _section(tag: str, operations: Iterable[str]) -> str:
    return f"<h2>{escape(tag)}</h2>{''.join(operations)}"


def _operation(path: str, method: str, operation: Json) -> str:
    rows = [*_parameters(operation), *_bodies(operation), *_responses(operation)]
    about = _prose(f"{operation.get('summary', '')}. {operation.get('description', '')}")
    return (
        f"<section><h3><span>{escape(method.upper())}</span>{escape(path)}</h3>"
        f"<p>{about}</p>{_table(rows)}</section>"
    )


def _parameters(operation: Json) -> Iterator[tuple[str, str]]:
    for parameter in operation.get("parameters", ()):
        needed = ", required" if parameter.get("required") else ""
        about = _prose(parameter.get("description", ""))
        name = f"<code>{escape(parameter['name'])}</code> ({escape(parameter['in'])})"
        yield name, f"{_type(parameter.get('schema', {}))}{needed}. {about}"


def _bodies(operation: Json) -> Iterator[tuple[str, str]]:
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        yield f"body: <code>{escape(media_type)}</code>", _type(content.get("schema", {}))


def _responses(operation: Json) -> Iterator[tuple[str, str]]:
    for status, response in operation.get("responses", {}).items():
        types = [
            f"<code>{escape(media_type)}</code> {_type(content.get('schema', {}))}"
            for media_type, content in response.get("content", {}).items()
        ]
        yield escape(status), "; ".join(types) or _prose(response.get("description", ""))


def _schemas(openapi: Json) -> Json:
    schemas: Json = openapi.get("components", {}).get("schemas", {})
    return dict(sorted(schemas.items()))


def _schema(name: str, schema: Json) -> str:
    required = schema.get("required", ())
    rows = [
        (
            f"<code>{escape(field)}</code>{'' if field in required else ' (optional)'}",
            f"{_type(about)} {_prose(about.get('description', ''))}",
        )
        for field, about in schema.get("properties", {}).items()
    ]
    about = _prose(schema.get("description", ""))
    return f'<section id="{escape(name)}"><h3>{escape(name)}</h3><p>{about}</p>{_table(rows)}</section>'


def _table(rows: Iterable[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><td>{name}</td><td>{about}</td></tr>" for name, about in rows)
    return f"<table>{cells}</table>" if cells else ""


def _type(schema: Json) -> str:
    """A JSON Schema in a few words, with links to the messages that it names."""
    reference = str(schema.get("$ref", "")).rpartition("/")[2]
    if reference:
        return f'<a href="#{escape(reference)}">{escape(reference)}</a>'
    if "anyOf" in schema:
        return " or ".join(map(_type, schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(f"<code>{escape(json.dumps(value))}</code>" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return escape(str(schema.get("type", "anything")))


def _prose(text: str) -> str:
    return escape(" ".join(text.split()))


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
