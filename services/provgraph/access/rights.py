"""Which right each route asks for. What is not listed here is an admin's: a new route is closed until it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from re import Pattern
from typing import Final

from starlette.routing import compile_path

from provgraph.access.principals import Right

_TABLE: Final = """
open   GET     /
open   GET     /web/{path:path}
open   GET     /health
open   GET     /ready
open   GET     /docs
open   GET     /openapi.json
open   GET     /internal/folder-proof
open   POST    /api/v1/auth/login
open   POST    /api/v1/auth/bootstrap
open   POST    /api/v1/auth/bootstrap-status

ask    GET,POST /api/v1/graph-rag
ask    GET,POST /api/v1/document-rag
ask    GET,POST /api/v1/extractive
ask    GET,POST /api/v1/kgqa
ask    GET,POST /api/v1/research
ask    GET,POST /api/v1/verify
ask    GET,POST /api/v1/passages
ask    POST    /api/v1/attribution
ask    POST    /api/v1/retrieve
ask    POST    /api/v1/extract
ask    GET     /api/v1/sessions/{session}/events
ask    POST    /api/v1/sessions/{session}/stop
ask    POST    /v1/chat/completions
ask    POST    /v1/responses
ask    POST    /api/agent_action
ask    WS      /api/v1/socket
ask    POST    /api/v1/flow/{flow}/service/{service}

read   POST    /mcp
read   GET     /v1/models
read   GET     /v1/models/{model:path}
read   GET     /api/v1/flows
read   GET     /api/v1/collections
read   GET     /api/v1/documents
read   GET     /api/v1/documents/content
read   GET     /api/v1/documents/page
read   GET     /api/v1/documents/page/words
read   GET     /api/v1/documents/readings
read   GET     /api/v1/embedding
read   GET     /api/v1/entities
read   GET     /api/v1/explain
read   GET     /api/v1/export
read   GET     /api/v1/nanopubs
read   GET     /api/v1/kgqa/pairs
read   GET     /api/v1/lineage
read   GET     /api/v1/knowledge/graph
read   GET     /api/v1/knowledge/picture
read   GET     /api/v1/compare
read   GET     /api/v1/proofs/{session:path}
read   GET     /api/v1/research/papers
read   GET     /api/v1/research/picture
read   GET     /api/v1/research/graph
read   GET     /api/v1/traces
read   GET     /api/v1/traces/{session}/difference
read   GET     /api/v1/traces/{session}/why-not
read   GET     /api/v1/traces/{session}/picture
read   GET     /api/v1/traces/{session}/graph
read   GET     /api/v1/traces/{session:path}
read   GET     /api/v1/whoami
read   GET,POST /sparql
read   GET     /api/v1/queries
read   GET     /api/v1/queries/{name}
read   GET     /.well-known/void
read   GET     /ontology
read   GET     /ontology/{name}
read   POST    /api/v1/librarian
read   POST    /api/v1/collection-management
read   POST    /api/v1/flow
read   POST    /api/v1/config
read   GET     /api/v1/document-stream
read   GET     /api/metrics/query
read   WS      /api/v1/flow/{flow}/export/triples

write  POST    /api/v1/documents
write  DELETE  /api/v1/documents
write  POST    /api/v1/documents/retry
write  POST    /api/v1/documents/reread
write  GET,PUT /api/v1/documents/readers
write  PUT     /api/v1/documents/metadata
write  GET,DELETE /api/v1/jobs/{job_id}
write  POST    /api/v1/collections
write  POST    /api/v1/entities/decisions
write  POST    /api/v1/kgqa/build

audit  POST    /api/v1/check
audit  GET     /api/v1/audit
audit  POST    /api/v1/documents/readers/test
audit  GET     /api/v1/certificates
audit  GET     /metrics

admin  DELETE  /api/v1/audit
admin  GET,POST /api/v1/tokens
admin  DELETE  /api/v1/tokens/{name}
admin  POST    /api/v1/tokens/{name}/rotate
admin  DELETE  /api/v1/collections
admin  DELETE  /api/v1/traces
admin  GET,POST /api/v1/subscriptions
admin  DELETE  /api/v1/subscriptions/{id}
admin  GET,POST /api/v1/archive
admin  GET     /api/v1/backup
admin  POST    /api/v1/import
admin  POST    /api/v1/compact
admin  POST    /api/v1/reindex
admin  GET     /api/v1/queue
admin  GET     /api/v1/queue/dead
admin  POST    /api/v1/queue/dead/{task_id}/replay
admin  DELETE  /api/v1/queue/dead/{task_id}
admin  POST    /api/v1/research/build
admin  GET,DELETE /api/v1/research/builds/{job_id}
admin  POST    /api/build_graph
admin  WS      /api/v1/flow/{flow}/import/triples
admin  WS      /api/v1/flow/{flow}/import/entity-contexts
admin  WS      /api/v1/flow/{flow}/import/{kind}
admin  WS      /api/v1/flow/{flow}/export/{kind}
admin  POST    /api/v1/agent
admin  POST    /api/v1/text-completion
admin  POST    /api/v1/image-to-text
admin  POST    /api/v1/prompt
admin  POST    /api/v1/embeddings
admin  POST    /api/v1/graph-embeddings
admin  POST    /api/v1/document-embeddings
admin  POST    /api/v1/row-embeddings
admin  POST    /api/v1/reranker
admin  POST    /api/v1/rows
admin  POST    /api/v1/nlp-query
admin  POST    /api/v1/structured-query
admin  POST    /api/v1/structured-diag
admin  POST    /api/v1/mcp-tool
admin  POST    /api/v1/cloze
admin  POST    /api/v1/decision-scoring
admin  POST    /api/v1/field-extraction
admin  POST    /api/v1/knowledge
admin  POST    /api/v1/iam
admin  POST    /api/v1/auth/change-password
admin  POST    /internal/{path:path}
"""
"""Right, methods (WS of a WebSocket), path. Of paths that fit, the first counts."""


@dataclass(frozen=True)
class RouteRight:
    right: Right
    methods: frozenset[str]
    path: str
    pattern: Pattern[str]


def _read(table: str) -> Iterator[RouteRight]:
    for line in filter(None, table.splitlines()):
        right, methods, path = line.split()
        yield RouteRight(Right(right), frozenset(methods.split(",")), path, compile_path(path)[0])


ROUTE_RIGHTS: Final = tuple(_read(_TABLE))


def required_right(method: str, path: str) -> Right:
    """What a request asks for; `method` is WS for a WebSocket."""
    asked = "GET" if method == "HEAD" else method
    for right in ROUTE_RIGHTS:
        if asked in right.methods and right.pattern.match(path):
            return right.right
    return Right.ADMIN
