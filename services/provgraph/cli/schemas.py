"""The published schemas, from the messages and the app: `python -m provgraph.cli.schemas FOLDER`.

JSON Schema for each module of `wire`, OpenAPI for the routes, AsyncAPI for the streams of events.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from provgraph import __version__, wire
from provgraph.assembly import assemble
from provgraph.settings import Settings
from provgraph.wire import answer, attribution, documents, problem, service

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

# Where events are streamed: address, what it tells, and the model of each event by the event's name.
STREAMS: Final[dict[str, tuple[str, str, dict[str, type[BaseModel]]]]] = {
    "answer": (
        "/api/v1/graph-rag",
        "An answer: explain messages, then its text, and one last message with `end_of_session`.",
        {"explain": answer.AnswerMessage, "chunk": answer.AnswerMessage},
    ),
    "documentAnswer": (
        "/api/v1/document-rag",
        "An answer from chunks of documents, in the messages of an answer.",
        {"explain": answer.AnswerMessage, "chunk": answer.AnswerMessage},
    ),
    "extractiveAnswer": (
        "/api/v1/extractive",
        "An answer by extraction, in the messages of an answer; the last has its `highlights`.",
        {"explain": answer.AnswerMessage, "chunk": answer.AnswerMessage},
    ),
    "session": (
        "/api/v1/sessions/{session}/events",
        "An answer that somebody else asked for, from its first message.",
        {"explain": answer.AnswerMessage, "chunk": answer.AnswerMessage},
    ),
    "job": (
        "/api/v1/jobs/{id}",
        "An ingest: every change of the job, and the finished job at the end.",
        {"progress": documents.Job, "job": documents.Job},
    ),
    "archive": (
        "/api/v1/archive",
        "An archive that is taken in: its progress, and at the end what was new, or what was wrong with it.",
        {
            "progress": service.ArchiveProgress,
            "imported": service.ImportedArchive,
            "problem": problem.Problem,
        },
    ),
    "reindex": (
        "/api/v1/reindex",
        "Rebuilding the indexes of a collection: its progress, and a last event when it is done.",
        {"progress": service.ReindexProgress, "reindexed": service.Reindexed},
    ),
    "embedding": (
        "/api/v1/embedding",
        "The embedding of what was ingested: its progress, and at the end that it is done.",
        {"progress": service.ReindexProgress, "embedded": service.Embedded},
    ),
    "compact": (
        "/api/v1/compact",
        "Compacting store and indexes: the part being written, and the sizes at the end, or the problem.",
        {
            "progress": documents.CompactProgress,
            "compacted": documents.Compacted,
            "problem": problem.Problem,
        },
    ),
    "attribution": (
        "/api/v1/attribution",
        "A text that is checked: how many sentences it has, each claim as it is judged, and the summary at the end.",
        {
            "progress": attribution.AttributionProgress,
            "claim": attribution.AttributedClaim,
            "summary": attribution.AttributionSummary,
            "problem": problem.Problem,
        },
    ),
    "check": (
        "/api/v1/check",
        "A check: its progress, each finding, and the summary at the end.",
        {"progress": service.CheckProgress, "finding": service.CheckFinding, "summary": service.CheckSummary},
    ),
}


def schema_files() -> Iterator[tuple[str, str]]:
    """The name and the text of each file."""
    for info in pkgutil.iter_modules(wire.__path__):
        module = importlib.import_module(f"{wire.__name__}.{info.name}")
        if own_models(module):
            yield f"{info.name}.schema.json", _text(module_schema(module))
    with tempfile.TemporaryDirectory() as folder:
        yield "openapi.json", _text(assemble(Settings(), Path(folder)).app().openapi())
    yield "asyncapi.json", _text(asyncapi())


def own_models(module: ModuleType) -> list[type[BaseModel]]:
    """The models that a module defines itself and that say something, which a base of others alone does not."""
    models = [var for var in vars(module).values() if isinstance(var, type) and issubclass(var, BaseModel)]
    return [model for model in models if model.__module__ == module.__name__ and model.model_fields]


def module_schema(module: ModuleType) -> dict[str, Any]:
    """JSON Schema of a module's models, each under `$defs`: requests as they are read, others as they are sent."""
    models: list[tuple[type[BaseModel], JsonSchemaMode]] = [
        (model, "validation" if model.__name__.endswith("Request") else "serialization")
        for model in own_models(module)
    ]
    _, schema = models_json_schema(models, title=(module.__doc__ or "").splitlines()[0])
    return {"$schema": DIALECT, **schema}


PARAMETERS: Final = {"id": "The id of the job.", "session": "The IRI or the UUID of the session."}


def asyncapi() -> dict[str, Any]:
    """The streams of server-sent events, as AsyncAPI 3.0."""
    channels: dict[str, Any] = {}
    operations: dict[str, Any] = {}
    for name, (address, summary, events) in STREAMS.items():
        messages = {
            event: {
                "name": event,
                "contentType": "application/json",
                "payload": {"$ref": f"#/components/schemas/{model.__name__}"},
            }
            for event, model in events.items()
        }
        channels[name] = {"address": address, "summary": summary, "messages": messages}
        if parameters := {key: told for key, told in PARAMETERS.items() if f"{{{key}}}" in address}:
            channels[name]["parameters"] = {key: {"description": told} for key, told in parameters.items()}
        operations[f"stream{name[0].upper()}{name[1:]}"] = {
            "action": "send",
            "channel": {"$ref": f"#/channels/{name}"},
            "summary": summary,
        }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "ProvGraph",
            "version": __version__,
            "description": "Events of the routes that answer `Accept: text/event-stream`; the name is SSE's `event`.",
        },
        "defaultContentType": "text/event-stream",
        "channels": channels,
        "operations": operations,
        "components": {"schemas": _event_models()},
    }


def _event_models() -> Any:
    models = dict.fromkeys(model for _, _, events in STREAMS.values() for model in events.values())
    _, schema = models_json_schema(
        [(model, "serialization") for model in models], ref_template="#/components/schemas/{model}"
    )
    return schema["$defs"]


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def main(folder: Path) -> None:
    """Write all files into `folder`."""
    for name, text in schema_files():
        (folder / name).write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
